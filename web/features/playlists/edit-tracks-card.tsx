// The tracks of a draft: search and add, reorder by drag, remove.
import { IconMusic, IconX } from '#web/base/ui/icons/icons.ts'
import { freeLimits } from '#contract/plans.ts'
import { useSession } from '../../base/session/session.ts'
import { formatCount } from '../../base/format/format-duration.ts'
import { Card } from '../../base/ui/display/card.tsx'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { keepRowFocus } from '../../base/ui/lists/keep-row-focus.ts'
import { SortableList } from '../../base/ui/lists/sortable-list.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import type { ChangeDraft } from './edit-playlist.tsx'
import { EditTrackSearch } from './edit-track-search.tsx'
import styles from './edit-tracks-card.module.css'
import { PickTrackRow } from '../catalogue/cards/pick-track-row.tsx'
import {
  addTrack,
  moveTrack,
  removeTrack,
  restoreTrack,
  type DraftTrack,
  type PlaylistDraft,
} from './playlist-draft.ts'

export interface EditTracksCardProps {
  draft: PlaylistDraft
  onChange: ChangeDraft
  /** Called when the playlist of a free member is full. */
  onLimitReached: () => void
}

const rowHeightPx = 60

export function EditTracksCard({ draft, onChange, onLimitReached }: EditTracksCardProps) {
  const { user } = useSession()
  const { tracks } = draft

  function add(track: DraftTrack) {
    if (!user?.is_premium && tracks.length >= freeLimits.tracks_per_playlist) {
      onLimitReached()
      return
    }
    onChange((now) => addTrack(now, track))
    showToast({ tone: 'success', title: 'Track added' })
  }

  function remove(track: DraftTrack, index: number) {
    onChange((now) => removeTrack(now, track.id))
    showToast({
      title: 'Track removed',
      message: track.title,
      action: {
        label: 'Undo',
        onAction: () => onChange((now) => restoreTrack(now, track, index)),
      },
    })
  }

  return (
    <Card
      ref={keepRowFocus}
      title="Tracks"
      description={`${formatCount(tracks.length, 'track', 'tracks')}. Drag to reorder.`}
    >
      <EditTrackSearch tracks={tracks} onAdd={add} />
      {tracks.length === 0 ? (
        <EmptyState
          icon={<IconMusic />}
          title="This playlist is empty"
          message="Search for a track above and add it."
        />
      ) : (
        <div className={styles.list}>
          <SortableList
            label="Tracks in this playlist"
            items={tracks}
            getKey={(track) => track.id}
            getName={(track) => track.title}
            rowHeightPx={rowHeightPx}
            onMove={(from, to) => onChange((now) => moveTrack(now, from, to))}
            renderItem={(track, index, handle) => (
              <PickTrackRow track={track} lead={handle}>
                <IconButton
                  label={`Remove ${track.title}`}
                  data-control="remove"
                  onClick={() => remove(track, index)}
                >
                  <IconX />
                </IconButton>
              </PickTrackRow>
            )}
          />
        </div>
      )}
    </Card>
  )
}
