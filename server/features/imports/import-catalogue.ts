// Imports an export of a Velour service: creates the same rows with the same ids, and the same files.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { checkPictureFile } from '../../platform/pictures/images.ts'
import { MediaError } from '../../platform/ffmpeg/media-error.ts'
import { hashFile } from '../../platform/storage/hash-file.ts'
import { reserveKeys } from '../../platform/storage/storage-garbage.ts'
import { claimFiles, type StoredFile } from '../../platform/storage/stored-files.ts'
import {
  catalogueFormat,
  catalogueIndex,
  catalogueVersion,
  documentPath,
  documentSchemas,
  indexPath,
  type CatalogueDocument,
  type DocumentName,
  type ExportedFile,
} from '../catalogue/catalogue-format.ts'
import {
  insertArtists,
  insertCategories,
  insertGenres,
  insertPlaylists,
  insertReleases,
  insertTrackDocument,
  type StoredEvidence,
} from '../catalogue/insert-documents.ts'
import { detectEvidenceType } from '../evidence/evidence-type.ts'
import { pictureKey } from '../pictures/store-picture.ts'
import { toSafeName } from '../uploads/upload-operations.ts'
import { ImportError, nullIfImportError } from './archive-error.ts'
import { forEachItem, type ImportJob } from './import-archive.ts'
import {
  addCreatedCounts,
  insertItems,
  isRunning,
  type ItemResult,
  type ItemRow,
  type NewItem,
} from './import-rows.ts'
import type { Archive } from './open-archive.ts'
import { readLines } from './read-lines.ts'

/**
 * Finds the export in an archive, even if it was unpacked and zipped again together with its folder. Null if there is
 * none.
 */
export function findCatalogue(archive: Archive): Archive | null {
  const root = archive.entries
    .map(({ path }) => path)
    .filter((path) => path === indexPath || /^[^/]+\//.exec(path)?.[0] + indexPath === path)
    .toSorted((a, b) => a.length - b.length)[0]
    ?.slice(0, -indexPath.length)
  if (root === undefined) return null
  return {
    ...archive,
    entries: archive.entries
      .filter(({ path }) => path.startsWith(root))
      .map((entry) => ({ ...entry, path: entry.path.slice(root.length) })),
    unpack: (path, toFile) => archive.unpack(root + path, toFile),
    read: (path) => archive.read(root + path),
    readText: (path, maxBytes) => archive.readText(root + path, maxBytes),
  }
}

const documentsPerTransaction = 100

export async function importCatalogue(job: ImportJob, archive: Archive): Promise<void> {
  const { services, row } = job
  if (row.format === null) {
    await checkIndex(archive)
    await insertItems(services.db, row.id, 'catalogue', planItems(archive))
  }
  await forEachItem(job, 'picture', (item) => importPicture(job, archive, item))
  const existingIds = new Map<string, string>()
  await insertAll(job, archive, 'genres', insertGenres)
  await insertAll(job, archive, 'categories', insertCategories)
  await insertAll(job, archive, 'artists', (trx, artists) =>
    insertArtists(trx, artists, existingIds),
  )
  await forEachItem(job, 'recording', (item) => importTrack(job, archive, item, existingIds))
  for (const [id, track] of await findKnownTracks(job)) existingIds.set(id, track)
  await insertAll(job, archive, 'releases', (trx, all) => insertReleases(trx, all, existingIds))
  const startedBy = job.ctx.actor.user_id
  await insertAll(job, archive, 'playlists', (trx, all) =>
    insertPlaylists(trx, all, existingIds, startedBy),
  )
}

async function checkIndex(archive: Archive): Promise<void> {
  const text = await archive.readText(indexPath, 1024 ** 2)
  const { format, version } = parseWith(
    z.object({ format: z.string(), version: z.number() }),
    text,
    indexPath,
  )
  if (format !== catalogueFormat) throw new ImportError(`${indexPath} has an unknown format.`)
  if (version > catalogueVersion) {
    throw new ImportError('This export was created by a newer version. Update this service first.')
  }
  parseWith(catalogueIndex, text, indexPath)
}

function parseWith<Schema extends z.ZodMiniType>(
  schema: Schema,
  text: string,
  where: string,
): z.infer<Schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ImportError(`${where} is damaged.`, { cause: error })
  }
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const [issue] = error.issues
  throw new ImportError(`${where} is invalid: ${issue?.path.join('.')}: ${issue?.message}`)
}

async function* readDocuments<N extends DocumentName>(
  archive: Archive,
  name: N,
): AsyncGenerator<CatalogueDocument<N>> {
  const path = documentPath(name)
  let number = 0
  for await (const line of readLines(await archive.read(path))) {
    number += 1
    yield parseWith(documentSchemas[name], line, `${path}, line ${number}`) as CatalogueDocument<N>
  }
}

/** Yields an item for each line of the export. Reads and checks all lines before anything is imported. */
async function* planItems(archive: Archive): AsyncGenerator<NewItem> {
  for await (const data of readDocuments(archive, 'pictures')) {
    yield { kind: 'picture', path: `pictures/${data.id}`, name: data.id, data }
  }
  for (const name of ['genres', 'categories', 'artists', 'releases', 'playlists'] as const) {
    for await (const document of readDocuments(archive, name)) void document
  }
  for await (const data of readDocuments(archive, 'tracks')) {
    yield { kind: 'recording', path: data.file?.path ?? '', name: data.title, data }
  }
}

const topics: Partial<Record<DocumentName, Parameters<typeof notify>[1]>> = {
  genres: 'genres',
  categories: 'categories',
  releases: 'releases',
  playlists: 'playlists',
}

async function insertAll<N extends DocumentName>(
  { services, row, signal, ctx }: ImportJob,
  archive: Archive,
  name: N,
  insert: (trx: Transaction, documents: CatalogueDocument<N>[]) => Promise<number>,
): Promise<void> {
  let batch: CatalogueDocument<N>[] = []
  const flush = async () => {
    signal.throwIfAborted()
    if (batch.length === 0 || !(await isRunning(services.db, row.id))) return
    await transaction(services.db, async (trx) => {
      const insertedCount = await insert(trx, batch)
      await addCreatedCounts(trx, row.id, { [name]: insertedCount })
      if (insertedCount === 0) return
      const after = { from: row.name, [name]: insertedCount }
      await writeAudit(ctx, trx, {
        action: 'import',
        entity: 'catalogue',
        entity_id: row.id,
        after,
      })
      await notify(trx, topics[name] ?? 'tracks')
    })
    batch = []
  }
  for await (const document of readDocuments(archive, name)) {
    batch.push(document)
    if (batch.length >= documentsPerTransaction) await flush()
  }
  await flush()
}

interface Unpacked extends StoredFile {
  localPath: string
}

/** Unpacks a file and compares it with the size and hash in the export. Throws an ImportError on a mismatch. */
async function unpackExact(
  archive: Archive,
  file: ExportedFile,
  storageKey: string,
  localPath: string,
): Promise<Unpacked> {
  await archive.unpack(file.path, localPath)
  const [{ size }, sha256] = [await stat(localPath), await hashFile(localPath)]
  if (size !== file.byte_size || sha256 !== file.sha256) {
    throw new ImportError('The file differs from the exported one.')
  }
  return { storageKey, localPath, byteSize: size, sha256 }
}

/** Stores the unpacked files under reserved keys. The caller's transaction then assigns them to rows. */
async function store({ services }: ImportJob, files: readonly Unpacked[]): Promise<void> {
  await reserveKeys(
    services.db,
    files.map(({ storageKey }) => storageKey),
  )
  for (const { storageKey, localPath, byteSize } of files) {
    await services.storage.putFile(storageKey, localPath, { byteSize })
  }
}

async function importPicture(job: ImportJob, archive: Archive, item: ItemRow): Promise<ItemResult> {
  const { db, storage } = job.services
  const { files, ...image } = item.data as CatalogueDocument<'pictures'>
  const here = await db.query
    .selectFrom('images')
    .select('id')
    .where('id', '=', image.id)
    .executeTakeFirst()
  if (here) return { status: 'done' }
  return storage.withScratchFolder((scratch) =>
    failOnDamage(async () => {
      const unpacked: Unpacked[] = []
      for (const [index, file] of files.entries()) {
        const key = pictureKey(image.kind, image.id, file.size, file.format)
        const one = await unpackExact(archive, file, key, join(scratch, String(index)))
        await checkPictureFile(one.localPath)
        unpacked.push(one)
      }
      await store(job, unpacked)
      await transaction(db, async (trx) => {
        await claimFiles(trx, unpacked)
        await trx.query.insertInto('images').values(image).execute()
      })
      return { status: 'done' }
    }),
  )
}

async function importTrack(
  job: ImportJob,
  archive: Archive,
  item: ItemRow,
  existingIds: ReadonlyMap<string, string>,
): Promise<ItemResult> {
  const { services, ctx, row } = job
  const track = item.data as CatalogueDocument<'tracks'>
  const existingTrack = await findExistingTrack(job, track)
  if (existingTrack && existingTrack.import_batch === row.id && existingTrack.id === track.id) {
    return { status: 'done', track_id: track.id }
  }
  if (existingTrack && item.decision !== 'keep') {
    const known_by = existingTrack.id === track.id ? 'id' : 'recording'
    return { status: 'known', known_track_id: existingTrack.id, known_by }
  }
  return services.storage.withScratchFolder((scratch) =>
    failOnDamage(async () => {
      const { file } = track
      const key =
        file && `uploads/audio/${randomUUID()}/${toSafeName(file.path.split('/').at(-1)!)}`
      const unpacked =
        file && key ? [await unpackExact(archive, file, key, join(scratch, 'recording'))] : []
      const proofs = await unpackEvidence(job, archive, track, scratch)
      const all = [...unpacked, ...proofs.files]
      await store(job, all)
      await transaction(services.db, async (trx) => {
        await claimFiles(trx, all)
        const source = { source_key: key, import_batch: row.id, evidence: proofs.rows }
        await insertTrackDocument(trx, track, source, existingIds)
        if (key) await services.jobs.enqueue(trx, 'process-track', { track_id: track.id })
        const { title, artist } = track
        const after = { title, artist, from: row.name }
        await writeAudit(ctx, trx, {
          action: 'create',
          entity: 'track',
          entity_id: track.id,
          after,
        })
        await notify(trx, 'tracks', track.id)
      })
      return { status: 'done', track_id: track.id, ...proofs.problem }
    }),
  )
}

interface UnpackedEvidence {
  files: Unpacked[]
  rows: StoredEvidence[]
  problem: Pick<ItemResult, 'reason'>
}

/** Skips evidence files that are damaged or of another type, so that the recording is still imported. */
async function unpackEvidence(
  { ctx }: ImportJob,
  archive: Archive,
  { evidence }: CatalogueDocument<'tracks'>,
  scratch: string,
): Promise<UnpackedEvidence> {
  const files: Unpacked[] = []
  const rows: StoredEvidence[] = []
  for (const [index, { path, ...row }] of evidence.entries()) {
    const localPath = join(scratch, `evidence-${index}`)
    const storage_key = `uploads/evidence/${randomUUID()}/${toSafeName(row.filename)}`
    const file = await unpackExact(archive, { ...row, path }, storage_key, localPath).catch(
      nullIfImportError,
    )
    if (!file || detectEvidenceType(await readFile(localPath)) !== row.mime) continue
    files.push(file)
    rows.push({ ...row, storage_key, created_by: ctx.actor.user_id })
  }
  const lost = evidence.length - files.length
  return { files, rows, problem: lost > 0 ? { reason: describeLostEvidence(lost) } : {} }
}

const describeLostEvidence = (count: number) =>
  count === 1
    ? 'An evidence file is missing or damaged'
    : `${count} evidence files are missing or damaged`

/** Finds an existing track by the id in the export or, if there is none, by the hash of its recording. */
async function findExistingTrack(
  { services: { db } }: ImportJob,
  { id, source_sha256 }: Pick<CatalogueDocument<'tracks'>, 'id' | 'source_sha256'>,
) {
  const columns = ['id', 'import_batch'] as const
  const same = await db.query
    .selectFrom('tracks')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirst()
  if (same || source_sha256 === null) return same
  return (
    db.query
      .selectFrom('tracks')
      .select(columns)
      .where('source_sha256', '=', source_sha256)
      .where('deleted_at', 'is', null)
      // Two tracks of an export may have the same recording, so skip tracks that another item has already matched.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('import_items as i')
              .select('i.position')
              .whereRef('i.track_id', '=', 'tracks.id'),
          ),
        ),
      )
      .orderBy('created_at')
      .executeTakeFirst()
  )
}

/** Maps tracks of the export to tracks of the library with the same recording. */
async function findKnownTracks({ services: { db }, row }: ImportJob): Promise<[string, string][]> {
  const rows = await db.query
    .selectFrom('import_items')
    .select(['known_track_id', 'data'])
    .where('import_id', '=', row.id)
    .where('status', '=', 'known')
    .where('known_by', '=', 'recording')
    .execute()
  return rows.flatMap(({ known_track_id, data }) =>
    known_track_id === null ? [] : [[(data as { id: string }).id, known_track_id]],
  )
}

async function failOnDamage(work: () => Promise<ItemResult>): Promise<ItemResult> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ImportError || error instanceof MediaError) {
      return { status: 'failed', reason: error.message }
    }
    throw error
  }
}
