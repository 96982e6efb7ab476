// Searches tracks to add to a playlist. The catalogue search also matches category and genre. Only matches in title or
// artist count here, so pages are fetched until there are enough of them.
import { containsText } from '#contract/fields/search-text.ts'
import { listTracks, type Track } from '#contract/tracks.ts'
import { call } from '../../../base/api/api.ts'

const pageSize = 200
/** Stops after this many matches: the screen shows 20 that are not in the playlist yet. */
const enough = 200

export interface SearchOptions {
  /** Ids of tracks in the playlist. They are returned too, but are not counted in `enough`. */
  without: ReadonlySet<string>
  signal?: AbortSignal
}

/** Returns published tracks whose title or artist contains the text, best matches first. */
export async function searchTitleOrArtist(
  text: string,
  { without, signal }: SearchOptions,
): Promise<Track[]> {
  const found: Track[] = []
  let newCount = 0
  let cursor: string | undefined
  do {
    const query = { q: text, limit: pageSize, ...(cursor && { cursor }) }
    const page = await call(listTracks, { query }, { ...(signal && { signal }) })
    const matches = page.data.filter(
      ({ title, artist }) => containsText(title, text) || containsText(artist, text),
    )
    found.push(...matches)
    newCount += matches.filter(({ id }) => !without.has(id)).length
    cursor = page.next_cursor ?? undefined
  } while (cursor && newCount < enough)
  return found
}
