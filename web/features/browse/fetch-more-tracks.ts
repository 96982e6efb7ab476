// Loads the rest of a filtered list, for a queue that started with the loaded part.
import { listTracks, type Track } from '#contract/tracks.ts'
import { call } from '../../base/api/api.ts'
import { trackListQuery, type TrackFilters } from '../catalogue/queries/track-queries.ts'

/** Maximum length of the queue, about two days of music: a queue of the whole catalogue would need megabytes. */
const queueMaxTracks = 1000

export async function* fetchMoreTracks(
  filters: TrackFilters,
  firstCursor: string,
  loadedCount: number,
  signal: AbortSignal,
): AsyncGenerator<Track[]> {
  let cursor: string | null = firstCursor
  let count = loadedCount
  while (cursor && count < queueMaxTracks) {
    const page: Awaited<ReturnType<typeof call<typeof listTracks>>> = await call(
      listTracks,
      { query: trackListQuery(filters, cursor) },
      { signal },
    )
    yield page.data
    count += page.data.length
    cursor = page.next_cursor
  }
}
