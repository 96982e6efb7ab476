// Loads a list and continues it at the track where the member stopped. A newer play request aborts the loading.
import type { ContinueItem } from '#contract/home.ts'
import { listPlaylistTracks } from '#contract/playlists.ts'
import type { PlayContext } from '#contract/play-context.ts'
import { getRelease } from '#contract/releases.ts'
import { listTracks } from '#contract/tracks.ts'
import { call } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { playRadio } from '../catalogue/play-radio.ts'
import { tracksForPlayer } from '../catalogue/queries/release-queries.ts'
import { trackListQuery, type TrackFilters } from '../catalogue/queries/track-queries.ts'
import { playTracks } from '../player/playback/player-actions.ts'
import { requestPlay } from '../player/queue/play-requests.ts'
import type { PlayerTrack } from '../player/queue/player-track.ts'

/** Longer lists are truncated to this length. */
const mostTracks = 5_000
const playlistPageSize = 1000

/** Continues a list of the shelf. Shows errors itself; the promise never rejects. */
export async function resume({ context, title, track }: ContinueItem): Promise<void> {
  if (context.kind === 'radio') return playRadio(context.seed)
  const signal = requestPlay()
  try {
    const tracks = await loadTracks(context, signal)
    if (signal.aborted) return
    if (tracks.length === 0) return showNothingLeft()
    const startIndex = Math.max(
      tracks.findIndex(({ id }) => id === track.id),
      0,
    )
    playTracks(tracks, { startIndex, source: title, context, shuffle: false })
  } catch (error) {
    if (!signal.aborted) showError(error)
  }
}

function showNothingLeft(): void {
  showToast({ title: 'The tracks in this list are no longer available.' })
}

async function loadTracks(
  context: Exclude<PlayContext, { kind: 'radio' }>,
  signal: AbortSignal,
): Promise<readonly PlayerTrack[]> {
  switch (context.kind) {
    case 'playlist':
      return loadPlaylist(context.id, signal)
    case 'release':
      return tracksForPlayer(await call(getRelease, { params: { id: context.id } }, { signal }))
    case 'artist':
      return loadList({ artist: context.id }, signal)
    case 'likes':
      return loadList({ liked: true }, signal)
  }
}

async function loadPlaylist(id: string, signal: AbortSignal): Promise<PlayerTrack[]> {
  const tracks: PlayerTrack[] = []
  for (;;) {
    const query = { offset: tracks.length, limit: playlistPageSize }
    const page = await call(listPlaylistTracks, { params: { id }, query }, { signal })
    tracks.push(...page.data.map((entry) => entry.track))
    const isEnd = page.data.length === 0 || tracks.length >= page.total
    if (isEnd || tracks.length >= mostTracks) return tracks
  }
}

async function loadList(filters: TrackFilters, signal: AbortSignal): Promise<PlayerTrack[]> {
  const tracks: PlayerTrack[] = []
  let cursor: string | undefined
  do {
    const query = { ...trackListQuery(filters, cursor), limit: 200 }
    const page: Awaited<ReturnType<typeof call<typeof listTracks>>> = await call(
      listTracks,
      { query },
      { signal },
    )
    tracks.push(...page.data)
    cursor = page.next_cursor ?? undefined
  } while (cursor && tracks.length < mostTracks)
  return tracks
}
