// Menu item that downloads a single track, or removes the download.
import { IconCircleCheckFilled, IconDownload, IconLock } from '#web/base/ui/icons/icons.ts'
import type { Track } from '#contract/tracks.ts'
import { showError } from '../../base/api/show-error.ts'
import { useDownloads } from '../../base/offline-store/download-store.ts'
import { downloadedTracksId } from '../../base/offline-store/downloaded-songs.ts'
import { useSession } from '../../base/session/session.ts'
import { MenuItem } from '../../base/ui/overlays/menu.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { supportsDownloads } from './supports-downloads.ts'

export function TrackDownloadItem({ track }: { track: Track }) {
  const { user } = useSession()
  const isKept = useDownloads(({ playlists }) =>
    playlists.some(
      ({ id, track_ids }) => id === downloadedTracksId && track_ids.includes(track.id),
    ),
  )
  if (!user) return null
  const refusal = user.is_premium
    ? supportsDownloads
      ? null
      : 'This browser does not support downloads'
    : 'Premium only'
  if (refusal !== null) {
    return (
      <MenuItem
        icon={<IconLock />}
        onSelect={() => showToast({ title: 'Download for Offline', message: refusal })}
      >
        Download
      </MenuItem>
    )
  }
  const change = async () => {
    const { removeTrackDownload, downloadTrack } = await import('./download-song.ts')
    if (isKept) await removeTrackDownload(track.id)
    else await downloadTrack(user, track.id)
    showToast({ title: isKept ? 'Download removed' : 'Downloading', message: track.title })
  }
  return (
    <MenuItem
      icon={isKept ? <IconCircleCheckFilled /> : <IconDownload />}
      onSelect={() => void change().catch((error: unknown) => showError(error))}
    >
      {isKept ? 'Remove download' : 'Download'}
    </MenuItem>
  )
}
