// Finds tracks to add to a playlist. The catalogue's search also looks at category and genre; here only
// title and artist count, so it is asked for page after page until enough of those are found.
import { holdsText } from '#contract/search-text.ts'
import { listTracks, type Track } from '#contract/tracks.ts'
import { call } from '../app/api.ts'

const pageSize = 200
/** So many matches are plenty: the screen shows 20 of those that are not in the playlist yet. */
const enough = 200

export interface SearchOptions {
  /** Ids of tracks in the playlist: found like the others, but they do not count as enough. */
  without: ReadonlySet<string>
  signal?: AbortSignal
}

/** Published tracks whose title or artist holds the text, the best matches first. */
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
      ({ title, artist }) => holdsText(title, text) || holdsText(artist, text),
    )
    found.push(...matches)
    newCount += matches.filter(({ id }) => !without.has(id)).length
    cursor = page.next_cursor ?? undefined
  } while (cursor && newCount < enough)
  return found
}
