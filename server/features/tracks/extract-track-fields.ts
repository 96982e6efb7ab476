// Extracts the title, artist and other fields of a recording from its tags or, if it has none, from its file name. Both
// are untrusted input: every returned value is cut to its column's length.
import type { AudioTags } from '../../platform/ffmpeg/audio-header.ts'
import { isUuid } from './extract-origin.ts'

export interface ExtractedFields {
  title: string
  artist: string
  /** The genre as written in the file. It may not be one of the library's genres. */
  genre: string | null
  description: string | null
  lyrics: string | null
  tags: string[]
}

const nameMaxLength = 200
const genreMaxLength = 80

/** `fallbackArtist` is used when neither the tags nor the file name give an artist. */
export function extractTrackFields(
  tags: AudioTags,
  filename: string,
  fallbackArtist: string,
): ExtractedFields {
  const named = readFilename(filename)
  const artist = toVisibleText(tags.artist) ?? named.artist ?? toVisibleText(tags.albumArtist)
  return {
    title: toVisibleText(tags.title) ?? named.title,
    artist: artist ?? fallbackArtist.slice(0, nameMaxLength),
    genre: toVisibleText(tags.genre)?.slice(0, genreMaxLength).trim() ?? null,
    description:
      tags.comment && isWords(tags.comment) && !isUuid(tags.comment) ? tags.comment : null,
    lyrics: toVisibleText(tags.lyrics) ?? null,
    tags: tags.year && isYear(tags.year) ? [String(tags.year)] : [],
  }
}

/**
 * Parses `01 - Artist - Title.mp3`, `Artist - Album - 01 Title.flac`, `03. Title.wav` and `artist_-_title.flac`. A name
 * that is only a number is the title.
 */
export function readFilename(filename: string): { title: string; artist: string | undefined } {
  const name = filename.replace(/\.[^.]{1,5}$/, '')
  const withoutId = name.replace(idAtEnd, '')
  const words = (withoutId === name ? name : withoutId.replace(dateAtStart, ''))
    .replace(/_+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const parts = words
    .replace(trackNumber, '')
    .split(/\s+[-–—]\s+/)
    .map((part) => part.trim())
    .filter(Boolean)
  const [first, second, ...rest] = parts
  if (!first) return { title: words.slice(0, nameMaxLength) || 'Untitled', artist: undefined }
  if (!second) return { title: first.slice(0, nameMaxLength), artist: undefined }
  // Bandcamp names its files `Artist - Album - 02 Title`.
  const numbered = /^\d{2,3}\s+(\S.*)$/.exec(rest[0] ?? '')?.[1]
  if (numbered !== undefined) {
    const words = [numbered, ...rest.slice(1)].join(' - ')
    return { title: words.slice(0, nameMaxLength), artist: first.slice(0, nameMaxLength) }
  }
  // In `Artist - 02 - Title`, the part in the middle is the track number.
  const title = /^\d{1,3}$/.test(second) && rest.length > 0 ? rest : [second, ...rest]
  return { title: title.join(' - ').slice(0, nameMaxLength), artist: first.slice(0, nameMaxLength) }
}

/** The song's id, which download tools append to the file name: ` - e301b70f`, `_e301b70f` or a whole UUID. */
const idAtEnd =
  /(?<=\S)[ _-]+(?:(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** The download time, which tools that append the id also prepend: `2025-11-03_`, `20251103093000_`. */
const dateAtStart = /^(?:\d{4}-\d{2}-\d{2}|\d{14})[ _-]+(?=\S)/

/** Matches `01 - `, `1-03 `, `07. `, `(4) ` and `05 ` when text follows. Does not match `99 Luftballons`. */
const trackNumber =
  /^(?:[([]?\d{1,3}(?:[-.]\d{1,3})?(?:[)\]]\s*|\s*[-–—.]\s+)|0\d{1,2}\s+|\d{1,2}-\d{2,3}\s+)(?=\S)/

/** Trims a text. Undefined if it consists only of spaces, joiners and direction marks. */
function toVisibleText(text: string | undefined): string | undefined {
  return text && /[^\p{Z}\p{C}\p{M}]/u.test(text) ? text.trim() : undefined
}

const noise = [
  // Loudness data that encoders write into comments: ` 00001F40 00001A2B`.
  /^(?:\s*[0-9a-f]{8})+\s*$/i,
  // The link to the artist's page that Bandcamp writes into comments.
  /^\s*visit https?:\/\/\S+\s*$/i,
  /^\s*(?:ripped|encoded|converted|downloaded|purchased|tagged) (?:by|with|from|at|using)\b/i,
]

/**
 * Whether a comment has several words. A single word is a number, a URL or a catalog number, not a description. Some
 * scripts have no spaces.
 */
function isWords(comment: string): boolean {
  const isSeveral =
    /\S\s+\S/.test(comment) || /\p{L}{4}/u.test(comment.replaceAll(/\p{ASCII}/gu, ''))
  return (
    toVisibleText(comment) !== undefined && isSeveral && !noise.some((one) => one.test(comment))
  )
}

function isYear(year: number): boolean {
  return Number.isInteger(year) && year >= 1000 && year <= 9999
}
