// Checks what must be true for every service: rows and files match, positions have no gaps, jobs complete, and tracks
// have all renditions. Each function returns the problems that it finds as messages.
import { createHash } from 'node:crypto'
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pictureSizes } from '#contract/fields/pictures.ts'
import type { Database } from '#server/platform/db/database.ts'
import { pictureKey } from '#server/features/pictures/store-picture.ts'
import type { Storage } from '#server/platform/storage/storage.ts'

const drainTimeoutMs = 240_000
const pollMs = 250

/** Waits until all jobs are done. Returns the jobs that failed or took too long. */
export async function drainJobs(db: Database): Promise<string[]> {
  const giveUpAt = performance.now() + drainTimeoutMs
  for (;;) {
    const { rows } = await sql<{ name: string; state: string; output: unknown }>`
      select name, state::text, output from jobs.job
       where state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_%'`.execute(
      db.query,
    )
    const failed = rows.filter(({ state }) => state === 'failed')
    if (failed.length > 0 || rows.length === 0 || performance.now() > giveUpAt) {
      return rows.map((job) => `a job ${job.name} is ${job.state}: ${JSON.stringify(job.output)}`)
    }
    await sleep(pollMs)
  }
}

/** Checks that every track is published and has all renditions. Call it when all jobs are done. */
export async function auditTracks(db: Database): Promise<string[]> {
  const { rows } = await sql<{ title: string; kinds: string | null; processing_status: string }>`
    select t.title, t.processing_status,
           string_agg(r.kind, ' ' order by r.kind) as kinds
      from tracks t left join renditions r on r.track_id = t.id
     group by t.id
    having t.processing_status <> 'ready' or not t.is_published or t.processing_error is not null
        or string_agg(r.kind, ' ' order by r.kind) is distinct from 'high preview standard'`.execute(
    db.query,
  )
  return rows.map(
    ({ title, kinds, processing_status }) =>
      `${title} is ${processing_status} and has the renditions ${kinds ?? 'none'}`,
  )
}

/** Checks that positions in playlists have no gaps or duplicates, and that likes contain the date of their track. */
export async function auditOrders(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select playlist_id as id from playlist_tracks group by playlist_id
    having count(*) <> max(order_index) + 1 or min(order_index) <> 0
        or count(distinct order_index) <> count(*)`.execute(db.query)
  const misplaced = await sql<{ user_id: string }>`
    select l.user_id from likes l join tracks t on t.id = l.track_id
     where l.track_created_at is distinct from t.created_at`.execute(db.query)
  return [
    ...rows.map(({ id }) => `the order of the playlist ${id} has a gap`),
    ...misplaced.rows.map(({ user_id }) => `a like of ${user_id} has another date than its track`),
  ]
}

/** Checks that every row has its object with the right size, and that every object belongs to a row. */
export async function auditObjects(db: Database, storage: Storage): Promise<string[]> {
  const stored = new Set<string>()
  for await (const key of storage.list('')) stored.add(key)
  const owned = await ownedKeys(db)
  const listed = await db.query.selectFrom('storage_garbage').select('storage_key').execute()
  const garbage = new Set(listed.map(({ storage_key }) => storage_key))
  // Count the paths of uploads, too: an object may already be there without a row that refers to it.
  const uploads = await db.query.selectFrom('uploads').select('path').execute()
  const ownedPaths = new Set([...garbage, ...owned.keys(), ...uploads.map(({ path }) => path)])
  const problems: string[] = []
  for (const [key, byteSize] of owned) {
    const stat = await storage.stat(key)
    if (!stat) problems.push(`${key} has a row and no object`)
    else if (byteSize !== null && stat.byteSize !== byteSize) {
      problems.push(`${key} has ${stat.byteSize} bytes, not ${byteSize}`)
    }
  }
  for (const key of stored) {
    if (!ownedPaths.has(key)) problems.push(`the object ${key} has no owner`)
  }
  return problems
}

async function ownedKeys(db: Database): Promise<Map<string, number | null>> {
  const owned = new Map<string, number | null>()
  const renditions = await db.query
    .selectFrom('renditions')
    .select(['storage_key', 'byte_size'])
    .execute()
  for (const { storage_key, byte_size } of renditions) owned.set(storage_key, byte_size)
  const tracks = await db.query
    .selectFrom('tracks')
    .select(['source_key', 'source_bytes'])
    .execute()
  for (const { source_key, source_bytes } of tracks) {
    if (source_key) owned.set(source_key, source_bytes)
  }
  const uploads = await db.query
    .selectFrom('uploads')
    .select(['path', 'byte_size'])
    .where('status', '=', 'complete')
    .execute()
  for (const { path, byte_size } of uploads) owned.set(path, byte_size)
  const images = await db.query.selectFrom('images').select(['id', 'kind']).execute()
  for (const { id, kind } of images) {
    for (const size of pictureSizes) {
      for (const format of ['avif', 'webp'] as const) {
        owned.set(pictureKey(kind, id, size, format), null)
      }
    }
  }
  return owned
}

/** Checks that no temporary files are left, and no parts of uploads that don't exist. */
export async function auditScratch(db: Database, dataDirs: readonly string[]): Promise<string[]> {
  const all = await Promise.all(dataDirs.map((dataDir) => auditFolder(db, dataDir)))
  return all.flat()
}

async function auditFolder(db: Database, dataDir: string): Promise<string[]> {
  // Each process keeps a folder of its own in these. Only what is inside counts.
  const shared = [join(dataDir, 'storage', 'tmp'), join(dataDir, 'scratch')]
  const work: string[] = []
  for (const folder of shared) {
    for (const own of await namesIn(folder)) work.push(...(await namesIn(join(folder, own))))
  }
  const uploads = await db.query.selectFrom('uploads').select('path as key').execute()
  const garbage = await db.query
    .selectFrom('storage_garbage')
    .select('storage_key as key')
    .execute()
  const keys = [...uploads, ...garbage].map(({ key }) => key)
  // The folder of an upload's parts is named after the hash of its key.
  const known = new Set(keys.map((key) => createHash('sha256').update(key).digest('hex')))
  const parts = (await namesIn(join(dataDir, 'storage', 'parts'))).filter(
    (name) => !known.has(name),
  )
  return [...work, ...parts].map((name) => `${name} was left in ${dataDir}`)
}

async function namesIn(folder: string): Promise<string[]> {
  const isThere = await access(folder).then(
    () => true,
    () => false,
  )
  return isThere ? readdir(folder) : []
}
