// Lets an open draft of a playlist follow what others change meanwhile.
import { useEffect, useEffectEvent } from 'react'
import { getPlaylist, type Playlist } from '#contract/playlists.ts'
import type { Track } from '#contract/tracks.ts'
import { call } from '../../base/api/api.ts'
import { onLiveEvent } from '../../base/live/live-events.ts'

/** Calls back with the newest state whenever the shared playlist changes, the latest one last. */
export function useOthersChanges(
  { id }: Pick<Playlist, 'id'>,
  fetchTracks: (playlist: Playlist, signal: AbortSignal) => Promise<Track[]>,
  onChange: (playlist: Playlist, tracks: Track[]) => void,
): void {
  const adopt = useEffectEvent(onChange)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    let isStale = false
    let isFetching = false
    const follow = async () => {
      isStale = true
      if (isFetching) return
      isFetching = true
      while (isStale && !signal.aborted) {
        isStale = false
        try {
          const playlist = await call(getPlaylist, { params: { id } }, { signal })
          const tracks = await fetchTracks(playlist, signal)
          // An event since then starts another round.
          if (!isStale && !signal.aborted) adopt(playlist, tracks)
        } catch {
          // The next event, or saving, shows what is wrong.
        }
      }
      isFetching = false
    }
    const stop = onLiveEvent((event) => {
      if (event.topic === 'shared-playlist' && event.id === id) void follow()
    })
    return () => {
      leaving.abort()
      stop()
    }
  }, [id, fetchTracks])
}
