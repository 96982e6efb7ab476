// Creates a curated playlist from a list of tracks. The list's entries are looked up first among the imported files,
// then in the library.
import { sql } from 'kysely'
import { cleanName } from '#contract/fields/clean-name.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { readFilename } from '../tracks/extract-track-fields.ts'
import { ImportError } from './archive-error.ts'
import type { ImportJob } from './import-archive.ts'
import { addCreatedCounts, type ItemResult, type ItemRow } from './import-rows.ts'
import type { Archive } from './open-archive.ts'
import { readDetails } from './read-details.ts'
import { readList, type ListEntry, type TrackList } from './read-list.ts'

/** Maximum size of one list or table. */
export const maxTableBytes = 10 * 1024 ** 2

/**
 * Imports a list as a playlist, which is hidden until the owner publishes it. If no entry matches a track, no playlist
 * is created.
 */
export async function importList(
  { services, ctx, row }: ImportJob,
  archive: Archive,
  item: ItemRow,
): Promise<ItemResult> {
  const text = await archive.readText(item.path, maxTableBytes).catch((error: unknown) => {
    if (error instanceof ImportError) return error
    throw error
  })
  if (text instanceof ImportError) return { status: 'failed', reason: text.message }
  if (/\.csv$/i.test(item.name) && readDetails(text)) {
    return { status: 'done', reason: 'Describes recordings; not a playlist' }
  }
  const list = readList(item.name, text)
  if (!list) return { status: 'left_out', reason: 'A table without titles or files' }
  return transaction(services.db, async (trx) => {
    const files = await readImportedFiles(trx, row.id)
    const summary = await createPlaylistFromList(trx, ctx, {
      list,
      filename: item.name,
      path: item.path,
      files,
    })
    if (summary === null) {
      const reason = `None of its ${list.entries.length} entries is in the library`
      return { status: 'left_out', reason }
    }
    await addCreatedCounts(trx, row.id, { playlists: 1 })
    const missing = summary.total - summary.found
    return {
      status: 'done',
      ...(missing > 0 && { reason: `${missing} of ${summary.total} not found` }),
    }
  })
}

interface GivenList {
  list: TrackList
  filename: string
  /** The list's own path among the imported files. */
  path: string
  files: FileIndex
}

interface MadePlaylist {
  id: string
  title: string
  found: number
  total: number
}

/** Null if no entry matches a track. In that case, no playlist is created. */
export async function createPlaylistFromList(
  trx: Transaction,
  ctx: MemberContext,
  { list, filename, path, files }: GivenList,
): Promise<MadePlaylist | null> {
  const ids = await findTracks(trx, path, list.entries, files)
  if (ids.length === 0) return null
  const title = list.title ?? (cleanName(filename.replace(/\.[^.]+$/, '')).slice(0, 200) || 'List')
  const { id } = await trx.query
    .insertInto('playlists')
    .values({ title, is_curated: true, is_visible: false, created_by: ctx.actor.user_id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into playlist_tracks (playlist_id, track_id, order_index)
    select ${id}, t.id, t.place - 1 from unnest(${ids}::uuid[]) with ordinality as t (id, place)`.execute(
    trx.query,
  )
  const after = { title, tracks: ids.length }
  await writeAudit(ctx, trx, { action: 'create', entity: 'playlist', entity_id: id, after })
  await notify(trx, 'playlists', id)
  return { id, title, found: ids.length, total: list.entries.length }
}

/** Returns the ids of the entries' tracks in the order of the list, without duplicates. */
async function findTracks(
  trx: Transaction,
  listPath: string,
  entries: readonly ListEntry[],
  files: FileIndex,
): Promise<string[]> {
  const completed = entries.map(fillFromFileName)
  const named = await findTracksByName(trx, completed)
  const folder = listPath.split('/').slice(0, -1)
  const ids = completed.flatMap(({ path, title, artist }) => {
    const found =
      (path === null ? undefined : findByPath(files, resolvePath(folder, path))) ??
      (title === null ? undefined : named.get(toNameKey(title, artist)))
    return found ?? []
  })
  return [...new Set(ids)]
}

/** If the entry has no title, takes title and artist from the file name: `03 - Artist - Title.mp3`. */
function fillFromFileName(entry: ListEntry): ListEntry {
  if (entry.title !== null || entry.path === null) return entry
  const { title, artist = null } = readFilename(entry.path.split('/').at(-1) ?? '')
  return { ...entry, title, artist }
}

/**
 * Maps the paths of imported files, and the last one to four segments of each path, to track ids. Paths are in lower
 * case. Null if several files match.
 */
export type FileIndex = ReadonlyMap<string, string | null>

const maxPathParts = 4

export function indexFiles(files: readonly { path: string; id: string }[]): FileIndex {
  const index = new Map<string, string | null>()
  for (const { path, id } of files) {
    for (const end of listSuffixes(path.split('/'))) {
      const other = index.get(end)
      index.set(end, other === undefined || other === id ? id : null)
    }
  }
  for (const { path, id } of files) index.set(foldPath(path), id)
  return index
}

const foldPath = (path: string) => path.normalize('NFC').toLowerCase()

/** The suffixes of a path with up to four segments, longest first. */
function listSuffixes(parts: readonly string[]): string[] {
  const counts = Array.from({ length: Math.min(maxPathParts, parts.length) }, (_, at) => at + 1)
  return counts.toReversed().map((count) => foldPath(parts.slice(-count).join('/')))
}

async function readImportedFiles(trx: Transaction, importId: string): Promise<FileIndex> {
  const rows = await trx.query
    .selectFrom('import_items as i')
    .innerJoin('tracks as t', (join) =>
      join
        .on((eb) => eb('t.id', '=', eb.fn.coalesce('i.track_id', 'i.known_track_id')))
        .on('t.deleted_at', 'is', null),
    )
    .select(['i.path', 't.id'])
    .where('i.import_id', '=', importId)
    .where('i.kind', '=', 'recording')
    .execute()
  return indexFiles(rows)
}

export function resolvePath(folder: readonly string[], path: string): string[] {
  const isAbsolute = /^(?:\/|[a-z]:\/|[a-z]+:\/\/)/i.test(path)
  const parts = isAbsolute ? [] : [...folder]
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts
}

/**
 * Looks up the full path, then ever shorter suffixes of it, because lists often contain folders of another computer.
 */
export function findByPath(files: FileIndex, parts: readonly string[]): string | undefined {
  const keys = [foldPath(parts.join('/')), ...listSuffixes(parts)]
  for (const key of keys) {
    const id = files.get(key)
    if (id) return id
  }
  return undefined
}

const toNameKey = (title: string, artist: string | null) =>
  `${title.toLowerCase()}\n${artist?.toLowerCase() ?? ''}`

/** Finds library tracks by title and artist, or by title alone. If several match, the oldest one is used. */
async function findTracksByName(
  trx: Transaction,
  entries: readonly ListEntry[],
): Promise<Map<string, string>> {
  const titles = [...new Set(entries.flatMap(({ title }) => title?.toLowerCase() ?? []))]
  const rows = await trx.query
    .selectFrom('tracks')
    .select(['id', 'title', 'artist'])
    .where(sql<boolean>`lower(title) = any(${titles}::text[])`)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .execute()
  return new Map(
    rows.flatMap(({ id, title, artist }): [string, string][] => [
      [toNameKey(title, null), id],
      [toNameKey(title, artist), id],
    ]),
  )
}
