// The tracks of a release in its editor: search, add, move, remove, and begin another disc.
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
import { PlayCover } from '../listen/play-track.tsx'
import {
  addDisc,
  addToDraft,
  moveInDraft,
  removeFromDraft,
  type DraftItem,
  type DraftTrack,
} from './release-draft.ts'
import styles from './release-screen.module.css'
import { ReleaseTrackSearch } from './release-track-search.tsx'

const rowHeightPx = 56
const keyOf = (item: DraftItem) => item.id
const nameOf = (item: DraftItem) => item.track?.title ?? 'Disc'

export interface ReleaseOrderProps {
  items: readonly DraftItem[]
  onChange: (items: DraftItem[]) => void
}

export function ReleaseOrder({ items, onChange }: ReleaseOrderProps) {
  const tracks = items.flatMap(({ track }) => track ?? [])
  return (
    <Card
      ref={keepRowFocus}
      title="Tracks"
      description={formatCount(tracks.length, 'track', 'tracks')}
    >
      <ReleaseTrackSearch
        without={tracks.map(({ id }) => id)}
        renderResult={(track) => (
          <TrackLine track={track} className={`${styles.row} ${styles.result}`}>
            <Button
              size="small"
              icon={<IconPlus />}
              aria-label={`Add ${track.title}`}
              data-control="add"
              onClick={() => onChange(addToDraft(items, track))}
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
            title="No tracks on this release yet"
            message="Search for tracks above and add them."
          />
        ) : (
          <>
            <OrderedItems {...{ items, tracks, onChange }} />
            <Button
              size="small"
              variant="quiet"
              icon={<IconDisc />}
              onClick={() => onChange(addDisc(items))}
            >
              Add Disc
            </Button>
          </>
        )}
      </div>
    </Card>
  )
}

function OrderedItems({
  items,
  tracks,
  onChange,
}: ReleaseOrderProps & { tracks: readonly DraftTrack[] }) {
  const places = placesOf(items)
  return (
    <SortableList
      label="Tracks in order"
      items={items}
      getKey={keyOf}
      getName={nameOf}
      rowHeightPx={rowHeightPx}
      onMove={(from, to) => onChange(moveInDraft(items, from, to))}
      renderItem={({ id, track }, index, handle) =>
        track ? (
          <TrackLine
            track={track}
            list={tracks}
            className={styles.row}
            lead={
              <>
                {handle}
                <span className={styles.number}>{places[index]}</span>
              </>
            }
          >
            <RemoveButton name={track.title} onClick={() => onChange(removeFromDraft(items, id))} />
          </TrackLine>
        ) : (
          <div className={`${styles.row} ${styles.disc}`}>
            {handle}
            <IconDisc aria-hidden="true" />
            <span className={styles.words}>Disc {places[index]}</span>
            <RemoveButton
              name={`the break before disc ${places[index]}`}
              onClick={() => onChange(removeFromDraft(items, id))}
            />
          </div>
        )
      }
    />
  )
}

/** The number of each track on its disc, and of each disc. */
function placesOf(items: readonly DraftItem[]): number[] {
  let disc = 1
  let position = 0
  return items.map(({ track }) => {
    if (track) return (position += 1)
    position = 0
    return (disc += 1)
  })
}

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <IconButton size="small" label={`Remove ${name}`} data-control="remove" onClick={onClick}>
      <IconX />
    </IconButton>
  )
}

interface TrackLineProps {
  track: DraftTrack
  list?: readonly DraftTrack[]
  className: string | undefined
  lead?: ReactNode
  children: ReactNode
}

function TrackLine({ track, list, className, lead, children }: TrackLineProps) {
  return (
    <div className={className}>
      {lead}
      <span className={styles.cover}>
        <PlayCover track={track} list={list} source="Release" sizes="40px" />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{track.title}</span>
        <span className={styles.note}>
          {track.artist} · {formatDuration(track.duration)}
        </span>
      </span>
      {!track.is_published && <Badge>Draft</Badge>}
      {children}
    </div>
  )
}
