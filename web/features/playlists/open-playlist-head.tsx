// The head of a playlist that the user owns or shares, with the actions allowed by their role.
import { IconArrowsSort, IconMusicPlus, IconPencil, IconTrash } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import { freeLimits } from '#contract/plans.ts'
import type { Playlist } from '#contract/playlists.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { showError } from '../../base/api/show-error.ts'
import { useDeletePlaylist, useRestorePlaylist } from '../catalogue/queries/playlist-queries.ts'
import { PlayButtons } from '../catalogue/play-buttons.tsx'
import { DownloadButton } from '../offline/download-button.tsx'
import type { PlayTracksOptions } from '../player/playback/player-actions.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { mayChangeTracks, formatSharedBy } from '../catalogue/queries/playlist-role.ts'
import {
  LeaveButton,
  ShareButton,
  UndoButton,
} from '../shared-playlists/shared-playlist-buttons.tsx'
import { EditRulesButton } from '../smart-playlists/smart-playlist-buttons.tsx'
import { PlaylistHead, VisibilityLabel } from './playlist-head.tsx'

export interface OpenPlaylistHeadProps {
  playlist: Playlist
  isFree: boolean
  start: (options: PlayTracksOptions) => void
  isShuffling: boolean
  onAddTrack: () => void
  onEdit: () => void
  onDeleted: () => void
}

export function OpenPlaylistHead(props: OpenPlaylistHeadProps) {
  const { playlist, isFree, start, isShuffling, onAddTrack, onEdit, onDeleted } = props
  const { track_count, is_own, is_smart } = playlist
  const mayChange = mayChangeTracks(playlist)
  return (
    <PlaylistHead
      playlist={playlist}
      kind={formatSharedBy(playlist) ?? <VisibilityLabel {...playlist} />}
      facts={
        is_own &&
        !is_smart &&
        isFree && (
          <span>
            {track_count}/{freeLimits.tracks_per_playlist} tracks used
          </span>
        )
      }
    >
      <PlayButtons
        disabled={track_count === 0}
        busy={isShuffling}
        onStart={start}
        radioSeed={{ kind: 'playlist', id: playlist.id }}
      />
      {mayChange && (
        <Button icon={<IconMusicPlus />} onClick={onAddTrack}>
          Add Track
        </Button>
      )}
      {is_own && is_smart && <EditRulesButton playlist={playlist} />}
      <DownloadButton playlist={playlist} />
      <ShareButton playlist={playlist} />
      {is_own && (
        <Button variant="quiet" icon={<IconPencil />} onClick={onEdit}>
          Edit
        </Button>
      )}
      {mayChange && track_count > 1 && (
        <ButtonLink to={`/playlist/${playlist.id}`} variant="quiet" icon={<IconArrowsSort />}>
          Reorder
        </ButtonLink>
      )}
      <UndoButton playlist={playlist} />
      {is_own ? (
        <DeleteButton {...{ playlist, onDeleted }} />
      ) : (
        <LeaveButton playlist={playlist} onLeft={onDeleted} />
      )}
    </PlaylistHead>
  )
}

const undoMs = 10_000

function DeleteButton({
  playlist,
  onDeleted,
}: Pick<OpenPlaylistHeadProps, 'playlist' | 'onDeleted'>) {
  const [isConfirmOpen, setConfirmOpen] = useState(false)
  const deletion = useDeletePlaylist()
  const restore = useRestorePlaylist()

  async function undo() {
    try {
      await restore(playlist.id)
      showToast({ tone: 'success', title: 'Playlist restored', message: playlist.title })
    } catch (error) {
      showError(error)
    }
  }

  return (
    <>
      <Button variant="quiet" icon={<IconTrash />} onClick={() => setConfirmOpen(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={isConfirmOpen}
        title="Are you sure?"
        message={`This will permanently delete this playlist and all its tracks: “${playlist.title}”. The tracks stay available in Browse.`}
        confirmLabel="Delete"
        busy={deletion.isPending}
        onCancel={() => setConfirmOpen(false)}
        onConfirm={() =>
          deletion.mutate(playlist.id, {
            onSuccess() {
              showToast({
                tone: 'success',
                title: 'Playlist deleted successfully',
                message: playlist.title,
                durationMs: undoMs,
                action: { label: 'Undo', onAction: () => void undo() },
              })
              onDeleted()
            },
            onError(error) {
              setConfirmOpen(false)
              showError(error)
            },
          })
        }
      />
    </>
  )
}
