// Asks for confirmation, then removes the selected tracks from one of the user's own playlists with one request.
import type { Playlist } from '#contract/playlists.ts'
import { showError } from '../../../base/api/show-error.ts'
import { formatCount } from '../../../base/format/format-duration.ts'
import { ConfirmDialog } from '../../../base/ui/overlays/confirm-dialog.tsx'
import { showToast } from '../../../base/ui/overlays/toast-store.ts'
import { useChangePlaylistTracks } from '../queries/playlist-queries.ts'
import type { SelectedTrack } from '../selection/track-selection.ts'

export function RemoveTracksDialog(props: {
  playlist: Playlist
  tracks: readonly SelectedTrack[]
  onRemoved: () => void
  onClose: () => void
}) {
  const { playlist, tracks, onRemoved, onClose } = props
  const change = useChangePlaylistTracks()
  const count = formatCount(tracks.length, 'track', 'tracks')
  return (
    <ConfirmDialog
      open={tracks.length > 0}
      title="Remove Tracks?"
      message={`${count} will be removed from “${playlist.title}”. You can add them again at any time.`}
      confirmLabel="Remove"
      busy={change.isPending}
      onCancel={onClose}
      onConfirm={() => {
        const changes = tracks.map(({ id }) => ({ action: 'remove' as const, track_id: id }))
        change.mutate(
          { playlistId: playlist.id, changes },
          {
            onSuccess() {
              showToast({ tone: 'success', title: 'Tracks removed from playlist', message: count })
              onRemoved()
            },
            onError: (error) => showError(error, 'Failed to remove tracks'),
            onSettled: onClose,
          },
        )
      }}
    />
  )
}
