// Converts a song's metadata from another server to the details of an import.
import type { AiDisclosure } from '#contract/fields/ai-disclosure.ts'
import {
  artistMaxLength,
  maxCredits,
  type CreditInput,
  type CreditRole,
} from '#contract/fields/artist-credits.ts'
import { maxCategories, maxMoodLength, maxMoods } from '#contract/tracks.ts'
import type { ImportDetails } from '../tracks/import-track.ts'
import { toOneLine, readFields, type FieldReader, type Fields } from './server-fields.ts'

export interface Album {
  label: string | undefined
  artist: string | undefined
}

export interface ServerSong {
  id: string
  albumId: string | undefined
  /** The server's id of the cover. */
  coverId: string | undefined
  /** The audio file's extension. */
  suffix: string
  details: ImportDetails
}

/** Null if the entry has no id or title, or if it is a folder or a video. */
export function readSong(fields: Fields, albums: ReadonlyMap<string, Album>): ServerSong | null {
  const song = readFields(fields)
  const id = song.id('id')
  const title = song.text('title')
  const type = song.text('type')
  const isMusic = fields.isDir !== true && fields.isVideo !== true && (type ?? 'music') === 'music'
  if (id === undefined || title === undefined || !isMusic) return null
  const albumId = song.id('albumId')
  const suffix = song.text('suffix', 10)?.toLowerCase()
  return {
    id,
    albumId,
    coverId: song.id('coverArt'),
    suffix: suffix && /^[a-z0-9]{2,5}$/.test(suffix) ? suffix : 'mp3',
    details: toDetails(song, fields, albums.get(albumId ?? '')),
  }
}

function toDetails(song: FieldReader, fields: Fields, album: Album | undefined): ImportDetails {
  const genres = song.list('genres').flatMap((one) => readFields(one).text('name', 80) ?? [])
  const genre = song.text('genre', 80) ?? genres[0]
  const artist = song.text('displayArtist') ?? song.text('artist')
  const albumArtist = song.text('displayAlbumArtist') ?? album?.artist
  const explicit = song.text('explicitStatus')
  return {
    fields: definedOf({
      title: song.text('title'),
      artist,
      album: song.text('album'),
      albumArtist,
      genre,
      year: song.number('year'),
      disc: song.number('discNumber'),
      trackNumber: song.number('track'),
    }),
    categories: [...new Set(genres)].slice(0, maxCategories),
    moods: toLines(fields.moods, maxMoodLength).slice(0, maxMoods),
    tags: [],
    credits: readCredits(song, artist),
    ...(album?.label !== undefined && { label: album.label }),
    ...(explicit === 'explicit' && { explicit: true }),
    ...readDisclosure(fields),
  }
}

const definedOf = <T extends object>(values: T): { [Name in keyof T]?: NonNullable<T[Name]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: NonNullable<T[Name]>
  }

/** Reads one or several lines of text. Removes duplicates, ignoring case. */
function toLines(value: unknown, maxLength: number): string[] {
  const lines = Array.isArray(value) ? value.flatMap((one) => toOneLine(one, maxLength) ?? []) : []
  return [...new Map(lines.map((line) => [line.toLowerCase(), line])).values()]
}

/** Velour's own Subsonic API sends the AI disclosure as a grouping, because the API has no field for it. */
function readDisclosure({ groupings }: Fields): { ai_disclosure?: AiDisclosure } {
  const marks = toLines(groupings, 100)
  if (marks.includes('AI-generated')) return { ai_disclosure: 'ai_generated' }
  return marks.includes('AI-assisted') ? { ai_disclosure: 'ai_assisted' } : {}
}

const roles: Readonly<Record<string, CreditRole>> = {
  composer: 'composer',
  lyricist: 'lyricist',
  producer: 'producer',
  performer: 'performer',
  remixer: 'remixer',
}

/** The credits of a song. Empty if only the artist line as a whole is known. */
function readCredits(song: FieldReader, line: string | undefined): CreditInput[] {
  const names = song
    .list('artists')
    .flatMap((one) => readFields(one).text('name', artistMaxLength) ?? [])
  const others = song.list('contributors').flatMap((one): CreditInput[] => {
    const contributor = readFields(one)
    const role = roles[contributor.text('role')?.toLowerCase() ?? '']
    const name = readFields(contributor.object('artist')).text('name', artistMaxLength)
    return role && name ? [{ name, role }] : []
  })
  if (line === undefined) return []
  const artists = splitLine(line, names)
  if (others.length === 0 && (artists === null || artists.length < 2)) return []
  return [...(artists ?? [{ name: line, role: 'main' }]), ...others].slice(0, maxCredits)
}

/**
 * Splits an artist line into names and the text between them. Null if the line does not consist of these names in this
 * order.
 */
function splitLine(line: string, names: readonly string[]): CreditInput[] | null {
  const credits: CreditInput[] = []
  let rest = line
  let role: CreditRole = 'main'
  for (const [index, name] of names.entries()) {
    if (!rest.startsWith(name)) return null
    rest = rest.slice(name.length)
    const next = names[index + 1]
    const at = next === undefined ? rest.length : rest.indexOf(next)
    const joiner = rest.slice(0, at)
    if (at < 0 || joiner.length > 20 || (next !== undefined && joiner === '')) return null
    credits.push({ name, role, joiner })
    if (/\b(?:feat|ft|featuring)\b/i.test(joiner)) role = 'featured'
    rest = rest.slice(at)
  }
  return rest === '' && credits.length > 0 ? credits : null
}
