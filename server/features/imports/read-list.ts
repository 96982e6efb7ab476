// Reads lists of tracks from other programs: M3U, XSPF and CSV. They are untrusted input.
import { cleanName } from '#contract/fields/clean-name.ts'
import { unescapeCell, parseCsv } from '#contract/fields/parse-csv.ts'

export interface ListEntry {
  /** The path as written in the list, with `/` between folders. Null if the entry has no file. */
  path: string | null
  title: string | null
  artist: string | null
}

export interface TrackList {
  title: string | null
  entries: ListEntry[]
}

/** Maximum number of entries. Larger than any real playlist. */
const maxEntries = 50_000

/** Null if the text is not a list of tracks, for example a CSV without a title or file column. */
export function readList(filename: string, text: string): TrackList | null {
  const clean = text.replace(/^\uFEFF/, '').replaceAll('\0', '')
  if (/\.m3u8?$/i.test(filename)) return readM3u(clean)
  if (/\.xspf$/i.test(filename)) return readXspf(clean)
  return readCsv(clean)
}

function readM3u(text: string): TrackList {
  let title: string | null = null
  let named: Pick<ListEntry, 'title' | 'artist'> = { title: null, artist: null }
  const entries: ListEntry[] = []
  for (const line of text.split(/\r?\n/).slice(0, 2 * maxEntries)) {
    const words = line.trim()
    const playlist = /^#PLAYLIST:(.+)/i.exec(words)?.[1]
    const info = /^#EXTINF:[^,]*,(.+)/i.exec(words)?.[1]
    if (playlist) title = toName(playlist)
    else if (info) named = splitInfo(info)
    else if (words !== '' && !words.startsWith('#')) {
      entries.push({ path: normalizeListPath(words), ...named })
      named = { title: null, artist: null }
    }
  }
  return { title, entries }
}

/** Splits `Artist - Title`, the format that most programs write. */
function splitInfo(info: string): Pick<ListEntry, 'title' | 'artist'> {
  const [artist, ...rest] = info.split(' - ')
  if (rest.length === 0) return { title: toName(info), artist: null }
  return { title: toName(rest.join(' - ')), artist: toName(artist) }
}

/**
 * Extracts the text of four elements from an XSPF playlist. This is not an XML parser: only the five predefined
 * entities are expanded.
 */
function readXspf(text: string): TrackList {
  const [head = '', ...tracks] = text.split(/<track>/i)
  const entries = tracks.slice(0, maxEntries).map((track): ListEntry => {
    const location = readElement(track, 'location')
    return {
      path: location === null ? null : normalizeListPath(location),
      title: toName(readElement(track, 'title')),
      artist: toName(readElement(track, 'creator')),
    }
  })
  return { title: toName(readElement(head, 'title')), entries }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

function readElement(text: string, name: string): string | null {
  const lower = text.toLowerCase()
  const start = lower.indexOf(`<${name}>`)
  const end = start < 0 ? -1 : lower.indexOf(`</${name}>`, start)
  if (end < 0) return null
  return text
    .slice(start + name.length + 2, end)
    .replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] ?? '')
    .replaceAll(/&#(\d{1,7});/g, (_, code: string) => {
      const point = Number(code)
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
    })
}

const columns = {
  path: ['file', 'path', 'filename', 'file name', 'location'],
  title: ['title', 'track', 'track title', 'song', 'name', 'song title'],
  artist: ['artist', 'artists', 'track artist', 'performer', 'creator'],
} as const

function readCsv(text: string): TrackList | null {
  const [head = '', ...rows] = parseCsv(text)
  const names = [...head].map((cell) => cell.trim().toLowerCase())
  const placeOf = (wanted: readonly string[]) => names.findIndex((name) => wanted.includes(name))
  const [path, title, artist] = [columns.path, columns.title, columns.artist].map(placeOf)
  if (path === -1 && title === -1) return null
  const entries = rows.flatMap((row): ListEntry[] => {
    const file = unescapeCell(row, path)
    const entry = {
      path: file ? normalizeListPath(file) : null,
      title: toName(unescapeCell(row, title)),
      artist: toName(unescapeCell(row, artist)),
    }
    return entry.path !== null || entry.title !== null ? [entry] : []
  })
  return { title: null, entries }
}

/**
 * Normalizes `file:///C:/Music/a%20b.mp3` and `Music\a.mp3` to paths with slashes. These paths are only compared, never
 * opened.
 */
export function normalizeListPath(location: string): string {
  let path = location
  if (/^file:/i.test(location)) {
    path = location.replace(/^file:(?:\/\/(?:localhost)?)?/i, '')
    try {
      path = decodeURIComponent(path)
    } catch {
      // Ignore the error: the path was not percent-encoded.
    }
  }
  return path.replaceAll('\\', '/').slice(0, 1000)
}

function toName(value: string | null | undefined): string | null {
  return value ? cleanName(value).slice(0, 200) || null : null
}
