// Applies other members' changes to an open draft of a playlist.
import { useEffect, useEffectEvent } from 'react'
import { getPlaylist, type Playlist } from '#contract/playlists.ts'
import type { Track } from '#contract/tracks.ts'
import { call } from '../../base/api/api.ts'
import { onLiveEvent } from '../../base/live/live-events.ts'

/**
 * Calls `onChange` with the current state whenever the shared playlist changes. Calls are in order. Outdated responses
 * are ignored.
 */
export function useOthersChanges(
  { id }: Pick<Playlist, 'id'>,
  fetchTracks: (playlist: Playlist, signal: AbortSignal) => Promise<Track[]>,
  onChange: (playlist: Playlist, tracks: Track[]) => void,
): void {
  const onNewState = useEffectEvent(onChange)
  useEffect(() => {
    const disposal = new AbortController()
    const { signal } = disposal
    let isStale = false
    let isFetching = false
    const refetch = async () => {
      isStale = true
      if (isFetching) return
      isFetching = true
      while (isStale && !signal.aborted) {
        isStale = false
        try {
          const playlist = await call(getPlaylist, { params: { id } }, { signal })
          const tracks = await fetchTracks(playlist, signal)
          // If another event has arrived in the meantime, fetch again.
          if (!isStale && !signal.aborted) onNewState(playlist, tracks)
        } catch {
          // Ignore failures: the next event fetches again, and saving reports a conflict.
        }
      }
      isFetching = false
    }
    const stop = onLiveEvent((event) => {
      if (event.topic === 'shared-playlist' && event.id === id) void refetch()
    })
    return () => {
      disposal.abort()
      stop()
    }
  }, [id, fetchTracks])
}
