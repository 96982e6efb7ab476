// Imports the recordings of an archive one at a time. The progress is stored in the import's items, so after a crash
// the job continues with the next item.
import { join } from 'node:path'
import { getFolder } from '#contract/fields/dropped-folders.ts'
import {
  detectSideFileKind,
  sideFileMaxLength,
  type SideFile,
} from '#contract/fields/side-files.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { ImportError, nullIfImportError } from './archive-error.ts'
import { maxEntries } from './archive-limits.ts'
import { importFile, type FileServices } from './import-file.ts'
import { findByPath, importList, indexFiles, maxTableBytes, resolvePath } from './import-list.ts'
import {
  findWaitingItems,
  insertItems,
  isRunning,
  saveItem,
  type ImportRow,
  type ItemResult,
  type ItemRow,
} from './import-rows.ts'
import type { Archive } from './open-archive.ts'
import { readManifest, type ManifestFields } from '../side-files/read-manifest.ts'
import type { ImportDetails } from '../tracks/import-track.ts'
import { readDetails, type FileDetails } from './read-details.ts'
import { planFiles, type FileData } from './plan-files.ts'

export interface ImportJob {
  services: FileServices
  ctx: MemberContext
  row: ImportRow
  signal: AbortSignal
}

export async function importArchiveFiles(job: ImportJob, archive: Archive): Promise<void> {
  const { services, row } = job
  if (row.format === null) {
    if (archive.entries.length > maxEntries.files) {
      throw new ImportError('The archive contains too many files.')
    }
    const items = planFiles(archive.entries)
    if (!items.some(({ status }) => status === undefined)) {
      throw new ImportError('There is no music in the archive.')
    }
    await insertItems(services.db, row.id, 'files', items)
  }
  const details = await readDetailsByPath(archive)
  await forEachItem(job, 'recording', (item) =>
    importRecording(job, archive, item, details.get(item.path)),
  )
  // Import lists last, because they refer to the recordings.
  await forEachItem(job, 'list', (item) => importList(job, archive, item))
}

/** Calls `work` for each waiting item of the given kind, until none is left or an admin stops the import. */
export async function forEachItem(
  { services: { db }, row, signal }: ImportJob,
  kind: ItemRow['kind'],
  work: (item: ItemRow) => Promise<ItemResult>,
): Promise<void> {
  for (;;) {
    const items = await findWaitingItems(db, row.id, kind)
    if (items.length === 0) return
    for (const item of items) {
      signal.throwIfAborted()
      if (!(await isRunning(db, row.id))) return
      await saveItem(db, row.id, item.position, await work(item))
    }
  }
}

const maxTables = 100

/**
 * Reads the archive's tables that describe recordings, and returns the details by path in the archive. If several
 * tables describe a recording, the first one is used.
 */
async function readDetailsByPath(archive: Archive): Promise<Map<string, FileDetails>> {
  const tables = archive.entries.filter(({ path }) => /\.csv$/i.test(path)).slice(0, maxTables)
  const found = new Map<string, FileDetails>()
  if (tables.length === 0) return found
  const files = indexFiles(archive.entries.map(({ path }) => ({ path, id: path })))
  for (const { path } of tables) {
    const text = await archive.readText(path, maxTableBytes).catch(nullIfImportError)
    for (const row of (text === null ? null : readDetails(text)) ?? []) {
      const file = findByPath(files, resolvePath(path.split('/').slice(0, -1), row.path))
      if (file !== undefined && !found.has(file)) found.set(file, row)
    }
  }
  return found
}

async function importRecording(
  { services, ctx, row }: ImportJob,
  archive: Archive,
  item: ItemRow,
  details: FileDetails | undefined,
): Promise<ItemResult> {
  const { sides, cover, folder, manifests = [], is_only = false } = item.data as FileData
  const single = is_only ? getFolder(item.path) : null
  return services.storage.withScratchFolder(async (scratch) => {
    const localPath = join(scratch, 'recording')
    try {
      await archive.unpack(item.path, localPath)
    } catch (error) {
      if (error instanceof ImportError) return { status: 'failed', reason: error.message }
      throw error
    }
    const result = await importFile(services, ctx, {
      localPath,
      filename: item.name,
      batch: row.id,
      folder,
      sideFiles: await readSides(archive, sides),
      details: mergeManifests(await readManifests(archive, manifests, single), details),
      cover: cover === null ? null : await unpackCover(archive, cover, join(scratch, 'cover')),
      decision: item.decision,
      knownTrackId: item.known_track_id,
    })
    return markOwnTrackDone(services, row.id, result)
  })
}

/**
 * Marks an item whose recording is already known. Returns `done` if the item itself created that track and the job
 * crashed before saving this.
 */
export async function markOwnTrackDone(
  { db }: FileServices,
  importId: string,
  result: ItemResult,
): Promise<ItemResult> {
  if (result.status !== 'known' || result.known_track_id === undefined) return result
  const own = await db.query
    .selectFrom('tracks as t')
    .select('t.id')
    .where('t.id', '=', result.known_track_id)
    .where('t.import_batch', '=', importId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('import_items as i').select('i.position').whereRef('i.track_id', '=', 't.id'),
        ),
      ),
    )
    .executeTakeFirst()
  return own ? { status: 'done', track_id: own.id } : result
}

/**
 * Reads manifests and merges them; for each field the first manifest takes precedence. Damaged manifests are skipped.
 * The lyrics of a release's manifest are used only if the release has a single song: its folder is then `single`.
 */
async function readManifests(
  archive: Archive,
  paths: readonly string[],
  single: string | null,
): Promise<ManifestFields | null> {
  const found: ManifestFields[] = []
  for (const path of paths) {
    const text = await archive.readText(path, maxTableBytes).catch(nullIfImportError)
    if (text === null) continue
    const kind = /release\.eno$/i.test(path) ? 'release' : 'track'
    const { lyrics, ...fields } = readManifest(text, kind)
    const isOfSong = kind === 'track' || getFolder(path) === single
    found.push({ ...fields, ...(lyrics !== undefined && isOfSong && { lyrics }) })
  }
  return found.length === 0 ? null : Object.assign({}, ...found.toReversed())
}

/** Adds the values of manifests to those of the owner's tables. The tables take precedence. */
function mergeManifests(
  fields: ManifestFields | null,
  details: ImportDetails | undefined,
): ImportDetails | undefined {
  if (fields === null) return details
  const given = details ?? { fields: {}, categories: [], moods: [], tags: [], credits: [] }
  return { ...given, fields: { ...fields, ...given.fields } }
}

/** Reads a recording's side files. Damaged ones are skipped, so that the recording is still imported. */
async function readSides(archive: Archive, paths: readonly string[]): Promise<SideFile[]> {
  const texts = new Map<SideFile['kind'], SideFile>()
  for (const path of paths) {
    const kind = detectSideFileKind(path)
    const text = await archive.readText(path, sideFileMaxLength * 4).catch(nullIfImportError)
    if (kind && text !== null) texts.set(kind, { kind, text: text.slice(0, sideFileMaxLength) })
  }
  return [...texts.values()]
}

async function unpackCover(archive: Archive, path: string, toFile: string): Promise<string | null> {
  const isDone = await archive.unpack(path, toFile).then(
    () => true,
    (error: unknown) => nullIfImportError(error),
  )
  return isDone ? toFile : null
}
