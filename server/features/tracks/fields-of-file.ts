// Title and artist of a recording, from its tags or else its file name. Both are untrusted input: all returned values
// fit the columns.
import type { AudioTags } from '../../platform/ffmpeg/audio-header.ts'
import { isUuid } from './origin-of-file.ts'

export interface FieldsOfFile {
  title: string
  artist: string
  /** As in the file; it may not be one of our genres. */
  genre: string | null
  description: string | null
  lyrics: string | null
  tags: string[]
}

const nameMaxLength = 200
const genreMaxLength = 80

/** `fallbackArtist` is the name of the site. */
export function fieldsOfFile(
  tags: AudioTags,
  filename: string,
  fallbackArtist: string,
): FieldsOfFile {
  const named = readFilename(filename)
  const artist = visible(tags.artist) ?? named.artist ?? visible(tags.albumArtist)
  return {
    title: visible(tags.title) ?? named.title,
    artist: artist ?? fallbackArtist.slice(0, nameMaxLength),
    genre: visible(tags.genre)?.slice(0, genreMaxLength).trim() ?? null,
    description:
      tags.comment && isWords(tags.comment) && !isUuid(tags.comment) ? tags.comment : null,
    lyrics: visible(tags.lyrics) ?? null,
    tags: tags.year && isYear(tags.year) ? [String(tags.year)] : [],
  }
}

/**
 * `01 - Artist - Title.mp3`, `Artist - Album - 01 Title.flac`, `03. Title.wav`, `artist_-_title.flac`; a number alone is
 * a title.
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
  // Bandcamp: `Artist - Album - 02 Title`.
  const numbered = /^\d{2,3}\s+(\S.*)$/.exec(rest[0] ?? '')?.[1]
  if (numbered !== undefined) {
    const words = [numbered, ...rest.slice(1)].join(' - ')
    return { title: words.slice(0, nameMaxLength), artist: first.slice(0, nameMaxLength) }
  }
  // `Artist - 02 - Title` has its number in the middle.
  const title = /^\d{1,3}$/.test(second) && rest.length > 0 ? rest : [second, ...rest]
  return { title: title.join(' - ').slice(0, nameMaxLength), artist: first.slice(0, nameMaxLength) }
}

/** ` - e301b70f`, `_e301b70f`, or a whole UUID: tools add the id of a song to its name. */
const idAtEnd =
  /(?<=\S)[ _-]+(?:(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** `2025-11-03_`, `20251103093000_`: tools that add the id also add the moment. */
const dateAtStart = /^(?:\d{4}-\d{2}-\d{2}|\d{14})[ _-]+(?=\S)/

/** `01 - `, `1-03 `, `07. `, `(4) `, `05 `, with something after it; but `99 Luftballons` is a title. */
const trackNumber =
  /^(?:[([]?\d{1,3}(?:[-.]\d{1,3})?(?:[)\]]\s*|\s*[-–—.]\s+)|0\d{1,2}\s+|\d{1,2}-\d{2,3}\s+)(?=\S)/

/** Undefined for a text of only spaces, joiners and direction marks. */
function visible(text: string | undefined): string | undefined {
  return text && /[^\p{Z}\p{C}\p{M}]/u.test(text) ? text.trim() : undefined
}

const noise = [
  // Loudness data of encoders: ` 00001F40 00001A2B`.
  /^(?:\s*[0-9a-f]{8})+\s*$/i,
  // The address of Bandcamp.
  /^\s*visit https?:\/\/\S+\s*$/i,
  /^\s*(?:ripped|encoded|converted|downloaded|purchased|tagged) (?:by|with|from|at|using)\b/i,
]

/** One word is no description: a number, an address, the number of a catalogue. Some scripts have no spaces. */
function isWords(comment: string): boolean {
  const isSeveral =
    /\S\s+\S/.test(comment) || /\p{L}{4}/u.test(comment.replaceAll(/\p{ASCII}/gu, ''))
  return visible(comment) !== undefined && isSeveral && !noise.some((one) => one.test(comment))
}

function isYear(year: number): boolean {
  return Number.isInteger(year) && year >= 1000 && year <= 9999
}
