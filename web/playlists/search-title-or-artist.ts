// The catalogue's search also looks at category and genre; here only title and artist count.
import { listTracks, type Track } from '#contract/tracks.ts'
import { call } from '../app/api.ts'

const pageSize = 200
/** So many matches are plenty: the screen shows 20 of those that are not in the playlist yet. */
const enough = 200

/** Published tracks whose title or artist holds the text, newest first. */
export async function searchTitleOrArtist(text: string, signal: AbortSignal): Promise<Track[]> {
  const wanted = text.toLowerCase()
  const found: Track[] = []
  let cursor: string | undefined
  do {
    const query = { q: text, limit: pageSize, ...(cursor && { cursor }) }
    const page = await call(listTracks, { query }, { signal })
    found.push(
      ...page.data.filter(
        ({ title, artist }) =>
          title.toLowerCase().includes(wanted) || artist.toLowerCase().includes(wanted),
      ),
    )
    cursor = page.next_cursor ?? undefined
  } while (cursor && found.length < enough)
  return found
}
