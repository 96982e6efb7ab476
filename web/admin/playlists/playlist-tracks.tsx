// The tracks of a playlist in its editor: search, add, move and remove.
import { IconMusic, IconPlus, IconX } from '#web/base/ui/icons/icons.ts'
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
import styles from './admin-playlist-screen.module.css'
import {
  addToDraft,
  moveInDraft,
  removeFromDraft,
  type DraftEntry,
  type DraftTrack,
} from './playlist-draft.ts'
import { TrackSearch } from './track-search.tsx'

const rowHeightPx = 56
const keyOf = (entry: DraftEntry) => entry.id
const nameOf = (entry: DraftEntry) => entry.track.title

export interface PlaylistTracksProps {
  entries: readonly DraftEntry[]
  onChange: (entries: DraftEntry[]) => void
}

export function PlaylistTracks({ entries, onChange }: PlaylistTracksProps) {
  const tracks = entries.map(({ track }) => track)
  return (
    <Card
      ref={keepRowFocus}
      title="Tracks"
      description={formatCount(entries.length, 'track', 'tracks')}
    >
      <TrackSearch
        without={entries.map(({ track }) => track.id)}
        renderResult={(track) => (
          <TrackLine
            track={track}
            source="Search results"
            className={`${styles.row} ${styles.result}`}
          >
            <Button
              size="small"
              icon={<IconPlus />}
              aria-label={`Add ${track.title}`}
              data-control="add"
              onClick={() => onChange(addToDraft(entries, track))}
            >
              Add
            </Button>
          </TrackLine>
        )}
      />
      <div className={styles.order}>
        {entries.length === 0 ? (
          <EmptyState
            icon={<IconMusic />}
            title="No tracks in this playlist yet"
            message="Search for tracks above and add them."
          />
        ) : (
          <SortableList
            label="Tracks in order"
            items={entries}
            getKey={keyOf}
            getName={nameOf}
            rowHeightPx={rowHeightPx}
            onMove={(from, to) => onChange(moveInDraft(entries, from, to))}
            renderItem={({ id, track }, index, handle) => (
              <TrackLine
                track={track}
                list={tracks}
                source="Edit Playlist"
                className={styles.row}
                lead={
                  <>
                    {handle}
                    <span className={styles.number}>{index + 1}</span>
                  </>
                }
              >
                <IconButton
                  size="small"
                  label={`Remove ${track.title}`}
                  data-control="remove"
                  onClick={() => onChange(removeFromDraft(entries, id))}
                >
                  <IconX />
                </IconButton>
              </TrackLine>
            )}
          />
        )}
      </div>
    </Card>
  )
}

interface TrackLineProps {
  track: DraftTrack
  list?: readonly DraftTrack[]
  source: string
  className: string | undefined
  lead?: ReactNode
  children: ReactNode
}

function TrackLine({ track, list, source, className, lead, children }: TrackLineProps) {
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
      {!track.is_published && <Badge>Draft</Badge>}
      {children}
    </div>
  )
}
