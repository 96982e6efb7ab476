// The tracks in the editor of a playlist or release: search for tracks to add, move and remove them.
import { IconDisc, IconMusic, IconPlus, IconX } from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import { formatCount, formatDuration } from '../../base/format/format-duration.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import { SortableList } from '../../base/ui/lists/sortable-list.tsx'
import type { AuditionTrack } from '../listen/audition-track.ts'
import { PlayCover } from '../listen/play-track.tsx'
import { moveItem, numberItems, removeItem, type ListItem } from './list-items.ts'
import styles from './track-order.module.css'
import { TrackSearch, type FindTracks } from './track-search.tsx'

export type OrderedTrack = AuditionTrack & {
  artist: string
  duration: number
  is_published: boolean
}

export interface TrackOrderProps<Track extends OrderedTrack, Item extends ListItem<Track>> {
  items: readonly Item[]
  onChange: (items: Item[]) => void
  onAdd: (track: Track) => void
  find: FindTracks<Track>
  /** Name of the list, shown in the player's queue panel. */
  source: string
  /** Title of the empty state: 'No tracks in this playlist yet'. */
  emptyTitle: string
  /** What a part between two breaks is called, such as 'Disc'. Absent if the list has no breaks. */
  part?: string
  /** Renders badges beside the title of a track. */
  renderMarks?: (track: Track) => ReactNode
  /** Rendered below the list of tracks. */
  children?: ReactNode
}

export function TrackOrder<Track extends OrderedTrack, Item extends ListItem<Track>>(
  props: TrackOrderProps<Track, Item>,
) {
  const { items, onAdd, find, emptyTitle, renderMarks, children } = props
  const tracks = items.flatMap(({ track }) => track ?? [])
  return (
    <Card
      ref={keepRowFocus}
      title="Tracks"
      description={formatCount(tracks.length, 'track', 'tracks')}
    >
      <TrackSearch
        without={tracks.map(({ id }) => id)}
        find={find}
        renderResult={(track) => (
          <TrackLine
            track={track}
            source="Search results"
            className={`${styles.row} ${styles.result}`}
            marks={renderMarks?.(track)}
          >
            <Button
              size="small"
              icon={<IconPlus />}
              aria-label={`Add ${track.title}`}
              data-control="add"
              onClick={() => onAdd(track)}
            >
              Add
            </Button>
          </TrackLine>
        )}
      />
      <div className={styles.order}>
        {items.length === 0 ? (
          <EmptyState
            icon={<IconMusic />}
            title={emptyTitle}
            message="Use the search above to add tracks."
          />
        ) : (
          <>
            <OrderedItems {...props} tracks={tracks} />
            {children}
          </>
        )}
      </div>
    </Card>
  )
}

const rowHeightPx = 56
const keyOf = ({ id }: { id: string }) => id

function OrderedItems<Track extends OrderedTrack, Item extends ListItem<Track>>({
  items,
  tracks,
  onChange,
  source,
  part = '',
  renderMarks,
}: TrackOrderProps<Track, Item> & { tracks: readonly Track[] }) {
  const numbers = numberItems(items)
  return (
    <SortableList
      label="Tracks in order"
      items={items}
      getKey={keyOf}
      getName={({ track }) => track?.title ?? part}
      rowHeightPx={rowHeightPx}
      onMove={(from, to) => onChange(moveItem(items, from, to))}
      renderItem={({ id, track }, index, handle) => {
        const remove = () => onChange(removeItem(items, id))
        const name = `${part} ${numbers[index]}`
        if (!track) return <Break {...{ name, handle, remove }} />
        return (
          <TrackLine
            track={track}
            list={tracks}
            source={source}
            className={styles.row}
            marks={renderMarks?.(track)}
            lead={
              <>
                {handle}
                <span className={styles.number}>{numbers[index]}</span>
              </>
            }
          >
            <RemoveButton name={track.title} onClick={remove} />
          </TrackLine>
        )
      }}
    />
  )
}

function Break({ name, handle, remove }: { name: string; handle: ReactNode; remove: () => void }) {
  return (
    <div className={`${styles.row} ${styles.break}`}>
      {handle}
      <IconDisc aria-hidden="true" />
      <span className={styles.words}>{name}</span>
      <RemoveButton name={`the break before ${name.toLowerCase()}`} onClick={remove} />
    </div>
  )
}

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <IconButton size="small" label={`Remove ${name}`} data-control="remove" onClick={onClick}>
      <IconX />
    </IconButton>
  )
}

interface TrackLineProps {
  track: OrderedTrack
  list?: readonly OrderedTrack[]
  source: string
  className: string | undefined
  lead?: ReactNode
  marks: ReactNode
  children: ReactNode
}

function TrackLine({ track, list, source, className, lead, marks, children }: TrackLineProps) {
  return (
    <div className={className}>
      {lead}
      <span className={styles.cover}>
        <PlayCover track={track} list={list} source={source} sizes="40px" />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{track.title}</span>
        <span className={styles.note}>
          {track.artist} · {formatDuration(track.duration)}
        </span>
      </span>
      {marks}
      {!track.is_published && <Badge>Draft</Badge>}
      {children}
    </div>
  )
}
