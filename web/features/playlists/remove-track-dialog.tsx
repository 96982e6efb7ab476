// Asks for confirmation, then removes a track from one of the user's own playlists.
import type { Playlist } from '#contract/playlists.ts'
import type { Track } from '#contract/tracks.ts'
import { showError } from '../../base/api/show-error.ts'
import { useRemoveTrackFromPlaylist } from '../catalogue/queries/playlist-queries.ts'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

export function RemoveTrackDialog(props: {
  playlist: Playlist
  track: Track | undefined
  onClose: () => void
}) {
  const { playlist, track, onClose } = props
  const remove = useRemoveTrackFromPlaylist()
  return (
    <ConfirmDialog
      open={track !== undefined}
      title="Remove Track?"
      message={
        track &&
        `“${track.title}” will be removed from “${playlist.title}”. You can add it again at any time.`
      }
      confirmLabel="Remove"
      busy={remove.isPending}
      onCancel={onClose}
      onConfirm={() => {
        if (!track) return
        remove.mutate(
          { playlistId: playlist.id, trackId: track.id },
          {
            onSuccess: () => showToast({ tone: 'success', title: 'Track removed from playlist' }),
            onError: (error) => showError(error, 'Failed to remove track'),
            onSettled: onClose,
          },
        )
      }}
    />
  )
}
