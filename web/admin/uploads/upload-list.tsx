// The list of dropped files, or of those in one state. Only visible rows are rendered.
import { useState } from 'react'
import type { ImportedTrack } from '#contract/admin/track-imports.ts'
import { ScrollList } from '../../base/ui/lists/scroll-list.tsx'
import type { UploadItem } from './queue/upload-item.ts'
import styles from './upload-list.module.css'
import { UploadRow } from './upload-row.tsx'
import { useUploadStore } from './queue/upload-store.ts'

const filters: readonly {
  id: string
  label: string
  takes: (item: UploadItem, track: ImportedTrack | undefined) => boolean
}[] = [
  { id: 'all', label: 'All', takes: () => true },
  { id: 'waiting', label: 'In progress', takes: ({ stage }) => stage === 'waiting' },
  { id: 'arrived', label: 'Uploaded', takes: ({ stage }) => stage === 'arrived' },
  {
    id: 'failed',
    label: 'Failed',
    takes: ({ stage }, track) => stage === 'failed' || track?.processing_status === 'failed',
  },
  { id: 'known', label: 'Duplicates', takes: ({ stage }) => stage === 'known' },
  { id: 'left_out', label: 'Skipped', takes: ({ stage }) => stage === 'left_out' },
]

const rowHeightPx = 64

export function UploadList({ tracks }: { tracks: ReadonlyMap<string, ImportedTrack> }) {
  const { items, activities, missing } = useUploadStore()
  const [filterId, setFilterId] = useState('all')
  const getTrack = (item: UploadItem) => (item.trackId ? tracks.get(item.trackId) : undefined)
  const filtered = filters
    .map((filter) => ({
      ...filter,
      shown: items.filter((item) => filter.takes(item, getTrack(item))),
    }))
    .filter(({ id, shown }) => id === 'all' || shown.length > 0)
  const current = filtered.find(({ id }) => id === filterId) ?? filtered[0]
  const shown = current?.shown ?? []
  return (
    <div className={styles.frame}>
      <div className={styles.filters} role="group" aria-label="Filter files">
        {filtered.map(({ id, label, shown: { length } }) => (
          <button
            key={id}
            type="button"
            className={styles.filter}
            aria-pressed={id === current?.id}
            onClick={() => setFilterId(id)}
          >
            {label} <span className={styles.number}>{length.toLocaleString('en')}</span>
          </button>
        ))}
      </div>
      <div
        className={styles.list}
        style={{ height: `min(${shown.length * rowHeightPx}px, 60dvh)` }}
      >
        <ScrollList
          label="Files"
          items={shown}
          getKey={({ id }) => id}
          rowHeightPx={rowHeightPx}
          renderItem={(item) => (
            <UploadRow
              item={item}
              activity={activities.get(item.id)}
              isFileMissing={missing.has(item.id)}
              track={getTrack(item)}
            />
          )}
        />
      </div>
    </div>
  )
}
