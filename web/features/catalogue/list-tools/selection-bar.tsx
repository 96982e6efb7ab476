// Bulk actions on the selected tracks. Each clears the selection when it succeeds.
import {
  IconHeart,
  IconHeartFilled,
  IconMusicPlus,
  IconPlayerPlayFilled,
  IconPlayerTrackNext,
  IconPlaylistAdd,
  IconPlaylistX,
  IconX,
} from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { showError } from '../../../base/api/show-error.ts'
import { formatCount } from '../../../base/format/format-duration.ts'
import { Button } from '../../../base/ui/controls/button.tsx'
import { IconButton } from '../../../base/ui/controls/icon-button.tsx'
import { Menu } from '../../../base/ui/overlays/menu.tsx'
import { showToast } from '../../../base/ui/overlays/toast-store.ts'
import { enqueue, enqueueNext, playTracks } from '../../player/playback/player-actions.ts'
import {
  selectAll,
  endSelecting,
  maxSelected,
  useSelectedTracks,
  type SelectedTrack,
  type TrackSelection,
} from '../selection/track-selection.ts'
import { PlaylistItems } from '../track-menu-items.tsx'
import { useLikeMany } from './use-like-many.ts'
import styles from './list-tools.module.css'

export interface SelectionBarProps {
  selection: TrackSelection
  /** Name of the list, shown in the queue panel. */
  source: string
  /** Removes the tracks from the playlist on the screen. */
  onRemove?: ((tracks: readonly SelectedTrack[]) => void) | undefined
}

export function SelectionBar({ selection, source, onRemove }: SelectionBarProps) {
  const selected = useSelectedTracks(selection)
  const tracks = [...selected.values()]
  const isEmpty = tracks.length === 0
  const end = () => endSelecting(selection)
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected tracks">
      <IconButton label="Exit selection" onClick={end}>
        <IconX />
      </IconButton>
      <span className={styles.count} role="status">
        {tracks.length.toLocaleString('en')} selected
      </span>
      <SelectAllButton selection={selection} />
      <span className={styles.actions}>
        <QueueActions {...{ tracks, source, end }} />
        {isEmpty ? (
          <IconButton label="Add to playlist" disabled>
            <IconPlaylistAdd />
          </IconButton>
        ) : (
          <Menu
            label="Add to playlist"
            trigger={
              <IconButton label="Add to playlist">
                <IconPlaylistAdd />
              </IconButton>
            }
          >
            <PlaylistItems tracks={tracks} onAdded={end} />
          </Menu>
        )}
        <LikeAction {...{ tracks, end }} />
        {onRemove && (
          <IconButton
            label="Remove from this playlist"
            disabled={isEmpty}
            onClick={() => onRemove(tracks)}
          >
            <IconPlaylistX />
          </IconButton>
        )}
      </span>
    </div>
  )
}

function SelectAllButton({ selection }: { selection: TrackSelection }) {
  const [isBusy, setIsBusy] = useState(false)
  async function choose() {
    setIsBusy(true)
    try {
      const isWhole = await selectAll(selection)
      if (!isWhole) {
        showToast({ title: `The first ${maxSelected.toLocaleString('en')} tracks are selected` })
      }
    } catch (error) {
      showError(error)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button variant="quiet" size="small" busy={isBusy} onClick={() => void choose()}>
      Select all
    </Button>
  )
}

interface ActionsProps {
  tracks: readonly SelectedTrack[]
  end: () => void
}

function QueueActions({ tracks, source, end }: ActionsProps & { source: string }) {
  const isEmpty = tracks.length === 0
  const count = formatCount(tracks.length, 'track', 'tracks')
  return (
    <>
      <IconButton
        label="Play selected"
        disabled={isEmpty}
        onClick={() => {
          playTracks(tracks, { source })
          end()
        }}
      >
        <IconPlayerPlayFilled />
      </IconButton>
      <IconButton
        label="Play next"
        disabled={isEmpty}
        onClick={() => {
          enqueueNext(tracks)
          showToast({ title: 'Playing next', message: count })
          end()
        }}
      >
        <IconPlayerTrackNext />
      </IconButton>
      <IconButton
        label="Add to queue"
        disabled={isEmpty}
        onClick={() => {
          enqueue(tracks)
          showToast({ title: 'Added to queue', message: count })
          end()
        }}
      >
        <IconMusicPlus />
      </IconButton>
    </>
  )
}

/** Likes the selected tracks, or unlikes them if all of them are liked. */
function LikeAction({ tracks, end }: ActionsProps) {
  const like = useLikeMany()
  const areLiked = tracks.length > 0 && tracks.every(({ is_liked }) => is_liked)
  return (
    <IconButton
      label={areLiked ? 'Unlike' : 'Like'}
      disabled={tracks.length === 0}
      busy={like.isPending}
      onClick={() =>
        like.mutate(
          { ids: tracks.map(({ id }) => id), isLiked: !areLiked },
          { onSuccess: end, onError: (error) => showError(error) },
        )
      }
    >
      {areLiked ? <IconHeartFilled /> : <IconHeart />}
    </IconButton>
  )
}
