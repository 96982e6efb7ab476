// Formats lists of the exported tracks for other programs: CSV for spreadsheets, M3U for players.
import type { CatalogueDocument } from '../catalogue/catalogue-format.ts'

/** A track in a list: the path of its file, and the text that a player shows. */
export interface ListedTrack {
  path: string | null
  title: string
  artist: string
}

/** Formats a playlist. Paths are relative to the list's own folder, which is one level below the root of the export. */
export function formatM3u(title: string, tracks: readonly ListedTrack[]): string {
  const lines = tracks.flatMap(({ path, title: name, artist }) =>
    path === null ? [] : [`#EXTINF:-1,${toOneLine(artist)} - ${toOneLine(name)}`, `../${path}`],
  )
  return `${['#EXTM3U', `#PLAYLIST:${toOneLine(title)}`, ...lines].join('\n')}\n`
}

const toOneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

type Cell = string | number | boolean | null

/**
 * Formats a line of a CSV. Text that a spreadsheet would evaluate as a formula gets an apostrophe as prefix (OWASP, CSV
 * Injection).
 */
export function formatCsvLine(cells: readonly Cell[]): string {
  const written = cells.map((cell) => {
    if (typeof cell !== 'string') return cell === null ? '' : String(cell)
    const text = /^[=+@＝＋－＠\t\r\n-]/.test(cell) ? `'${cell}` : cell
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${written.join(',')}\n`
}

/** Without a byte order mark, Excel on Windows reads the file in the system's code page. */
export const byteOrderMark = '\uFEFF'

export const csvHeads = {
  tracks: [
    'file',
    'title',
    'artist',
    'release',
    'disc',
    'position',
    'categories',
    'moods',
    'genre',
    'tags',
    'explicit',
    'ai_disclosure',
    'ai_tool',
    'description',
    'credits',
    'is_published',
    'created_at',
    'source_sha256',
    'id',
  ],
  artists: ['name', 'sort_name', 'slug', 'biography', 'links', 'id'],
  releases: [
    'title',
    'kind',
    'release_date',
    'label',
    'upc',
    'is_published',
    'slug',
    'description',
    'id',
  ],
  playlists: ['title', 'description', 'is_visible', 'audience', 'tracks', 'id'],
} as const

type Track = CatalogueDocument<'tracks'>

export interface PlaceOnRelease {
  title: string
  disc: number
  position: number
}

export function toTrackCells(track: Track, release: PlaceOnRelease | undefined): Cell[] {
  return [
    track.file?.path ?? null,
    track.title,
    track.artist,
    release?.title ?? null,
    release?.disc ?? null,
    release?.position ?? null,
    [track.category, ...track.more_categories].filter((one) => one !== null).join('; '),
    track.moods.join('; '),
    track.genre,
    track.tags.join('; '),
    track.explicit,
    track.ai_disclosure,
    track.ai_tool,
    track.description,
    track.credits,
    track.is_published,
    track.created_at,
    track.source_sha256,
    track.id,
  ]
}

export function toArtistCells(artist: CatalogueDocument<'artists'>): Cell[] {
  const links = artist.links.map(({ url }) => (typeof url === 'string' ? url : '')).join(' ')
  return [artist.name, artist.sort_name, artist.slug, artist.biography, links, artist.id]
}

export function toReleaseCells(release: CatalogueDocument<'releases'>): Cell[] {
  const { title, kind, release_date, label, upc, is_published, slug, description, id } = release
  return [title, kind, release_date, label, upc, is_published, slug, description, id]
}

export function toPlaylistCells(playlist: CatalogueDocument<'playlists'>): Cell[] {
  const { title, description, is_visible, audience, tracks, id } = playlist
  return [title, description, is_visible, audience, tracks.length, id]
}
