// The state of one playlist's download, and a mutation that adds or removes it.
import { useMutation } from '@tanstack/react-query'
import { useShallow } from 'zustand/react/shallow'
import type { Playlist } from '#contract/playlists.ts'
import { useConnection } from '../../base/api/connection.ts'
import { useSession } from '../../base/session/session.ts'
import { showError } from '../../base/api/show-error.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { formatMegabytes } from './format-megabytes.ts'
import { supportsDownloads } from './supports-downloads.ts'
import { removePlaylistDownload, downloadPlaylist } from './download-playlist.ts'
import { downloadedTracksId } from '../../base/offline-store/downloaded-songs.ts'
import { useDownloads, type DownloadState } from '../../base/offline-store/download-store.ts'

export interface Download {
  state: 'off' | 'running' | 'waiting' | 'full' | 'failed' | 'done'
  /** Fully downloaded tracks, and all tracks. */
  kept: number
  total: number
  bytes: number
}

export function getDownload(state: DownloadState, playlistId: string): Download {
  const { playlists, trackBytes, arrivingBytes, problem } = state
  const found = playlists.find(({ id }) => id === playlistId)
  if (!found) return { state: 'off', kept: 0, total: 0, bytes: 0 }
  const total = found.track_ids.length
  let kept = 0
  let bytes = 0
  for (const id of found.track_ids) {
    const whole = trackBytes.get(id)
    if (whole !== undefined) kept += 1
    bytes += whole ?? arrivingBytes.get(id) ?? 0
  }
  return { state: kept === total ? 'done' : (problem ?? 'running'), kept, total, bytes }
}

export function useDownload(playlistId: string): Download {
  const isOnline = useConnection(({ connection }) => connection === 'online')
  const download = useDownloads(useShallow((state) => getDownload(state, playlistId)))
  return download.state === 'running' && !isOnline ? { ...download, state: 'waiting' } : download
}

/** Returns the progress as text. */
export function downloadStatusText({ state, kept, total, bytes }: Download): string | null {
  const size = formatMegabytes(bytes)
  if (state === 'off') return null
  if (state === 'done') return `Downloaded · ${size}`
  const soFar = `${kept} of ${total} · ${size}`
  if (state === 'full') return `Not enough storage on this device. ${soFar}`
  if (state === 'failed') return `This browser could not save the download. ${soFar}`
  return state === 'waiting' ? `Waiting for a connection · ${soFar}` : `Downloading ${soFar}`
}

/** Returns why downloading is not possible; null if it is possible. */
export function useDownloadRefusal(): string | null {
  const { user } = useSession()
  if (user && !user.is_premium) return 'Premium only'
  return supportsDownloads ? null : 'This browser does not support downloads'
}

export function useToggleDownload(playlist: Playlist, isRelease = false) {
  const { user } = useSession()
  return useMutation({
    async mutationFn(wanted: boolean) {
      if (!wanted) await removePlaylistDownload(playlist.id)
      else if (user) await downloadPlaylist(user, playlist, isRelease)
    },
    onSuccess(_, wanted) {
      if (wanted || !user) return
      // A removed playlist of single songs can't be restored, because only this device had it.
      const mayUndo = playlist.id !== downloadedTracksId
      showToast({
        title: 'Download removed',
        message: playlist.title,
        ...(mayUndo && {
          action: {
            label: 'Undo',
            onAction: () => void downloadPlaylist(user, playlist, isRelease).catch(showError),
          },
        }),
      })
    },
    onError: (error) => showError(error),
  })
}
