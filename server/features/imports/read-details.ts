// Reads tables that describe recordings: a CSV with a file column and columns for albums, genres, categories or tags.
// The CSV is untrusted input.
import { cleanName } from '#contract/fields/clean-name.ts'
import { unescapeCell, parseCsv } from '#contract/fields/parse-csv.ts'
import { maxCategories, maxMoodLength, maxMoods } from '#contract/tracks.ts'
import type { ImportDetails } from '../tracks/import-track.ts'
import { normalizeListPath } from './read-list.ts'

export interface FileDetails extends ImportDetails {
  /** The recording's path as written in the table. */
  path: string
}

const columns = {
  path: ['file', 'path', 'filename', 'file name', 'location'],
  title: ['title', 'track', 'track title', 'song', 'name', 'song title'],
  artist: ['artist', 'artists', 'track artist', 'performer', 'creator'],
  album: ['album', 'release', 'album title', 'release title'],
  genre: ['genre'],
  categories: ['category', 'categories'],
  moods: ['mood', 'moods'],
  tags: ['tag', 'tags', 'keywords'],
  date: ['release date', 'release_date', 'date', 'year'],
} as const
type Column = keyof typeof columns

/** Columns that describe recordings. A table without any of these is read as a list of tracks. */
const describing: readonly Column[] = ['album', 'genre', 'categories', 'moods', 'tags', 'date']

/** Null if the text is not a table that describes recordings. */
export function readDetails(text: string): FileDetails[] | null {
  const [head = [], ...rows] = parseCsv(text.replace(/^\uFEFF/, '').replaceAll('\0', ''))
  const names = head.map((cell) => cell.trim().toLowerCase())
  const placeOf = (column: Column) =>
    names.findIndex((name) => (columns[column] as readonly string[]).includes(name))
  if (placeOf('path') < 0 || !describing.some((column) => placeOf(column) >= 0)) return null
  return rows.flatMap((row): FileDetails[] => {
    const cell = (column: Column) => unescapeCell(row, placeOf(column)) ?? ''
    const path = cell('path')
    if (path === '') return []
    const words = (column: 'title' | 'artist' | 'album') => {
      const value = cleanName(cell(column)).slice(0, 200).trim()
      return value === '' ? {} : { [column]: value }
    }
    const genre = cleanName(cell('genre')).slice(0, 80).trim()
    const year = /\b[12]\d{3}\b/.exec(cell('date'))?.[0]
    return [
      {
        path: normalizeListPath(path),
        fields: {
          ...words('title'),
          ...words('artist'),
          ...words('album'),
          ...(genre !== '' && { genre }),
          ...(year !== undefined && { year: Number(year) }),
        },
        categories: splitCell(cell('categories'), maxCategories, 100),
        moods: splitCell(cell('moods'), maxMoods, maxMoodLength),
        tags: splitCell(cell('tags'), 29, 50),
        credits: [],
      },
    ]
  })
}

/** Splits a cell into values and removes duplicates, ignoring case. */
function splitCell(cell: string, maxCount: number, maxLength: number): string[] {
  const found = new Map<string, string>()
  for (const part of cell.split(/[;,|]/)) {
    const word = cleanName(part).slice(0, maxLength).trim()
    if (word !== '' && !found.has(word.toLowerCase())) found.set(word.toLowerCase(), word)
  }
  return [...found.values()].slice(0, maxCount)
}
