// Hashed files of other builds. Every instance stores the files of its build in the database before it serves
// requests. So any instance can serve them during a rolling upgrade, and a page that was opened weeks ago can still
// load more screens.
import { LRUCache } from 'lru-cache'
import { sql } from 'kysely'
import { transaction, type Database } from '../../db/database.ts'
import type { WebFile } from './web-file.ts'

export interface WebAssets {
  /** Finds a file that this build does not have. Null if no recent build has it either. */
  find: (path: string) => Promise<WebFile | null>
  stop: () => void
}

const retention = '30 days'
const dayMs = 24 * 3_600_000
const cacheBytes = 8 * 1024 * 1024
/** A missing file is remembered only briefly, because an instance that starts later may store it. */
const missingMs = 2_000
/** The bundler's naming pattern. Other names are not searched in the database. */
const hashedName = /^\/assets\/[\w.-]{1,200}-[\w-]{8}\.[a-z0-9]+$/

export async function storeWebAssets(
  db: Database,
  files: ReadonlyMap<string, WebFile>,
  toFile: (path: string, bytes: Buffer) => WebFile | null,
): Promise<WebAssets> {
  const own = [...files]
    .filter(([path]) => hashedName.test(path))
    .map(([path, { bytes }]) => ({ path, bytes }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  await storeFiles(db, own)
  await renew(db, own)
  const timer = setInterval(() => {
    renew(db, own).catch((error: unknown) =>
      db.log.warn({ err: error }, 'the files of the web app were not renewed'),
    )
  }, dayMs)
  timer.unref()

  const found = new LRUCache<string, WebFile>({
    maxSize: cacheBytes,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  })
  const missing = new LRUCache<string, true>({ max: 1000, ttl: missingMs })
  return {
    async find(path) {
      const kept = found.get(path)
      if (kept) return kept
      if (!hashedName.test(path) || missing.has(path)) return null
      const row = await db.query
        .selectFrom('web_assets')
        .select('bytes')
        .where('path', '=', path)
        .executeTakeFirst()
      const file = row ? toFile(path, row.bytes) : null
      if (file) found.set(path, file)
      else missing.set(path, true)
      return file
    },
    stop: () => clearInterval(timer),
  }
}

async function storeFiles(db: Database, own: { path: string; bytes: Buffer }[]): Promise<void> {
  const known = await db.query
    .selectFrom('web_assets')
    .select('path')
    .where(sql<boolean>`path = any(${own.map(({ path }) => path)}::text[])`)
    .execute()
  const there = new Set(known.map(({ path }) => path))
  const values = own.filter(({ path }) => !there.has(path))
  if (values.length === 0) return
  await db.query
    .insertInto('web_assets')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Marks the files of this instance as in use, and deletes those that no instance has used for a long time. */
async function renew(db: Database, own: { path: string }[]): Promise<void> {
  // A transaction is retried if it conflicts with that of another instance.
  await transaction(db, async ({ query }) => {
    await sql`
      update web_assets set served_at = now()
       where path = any(${own.map(({ path }) => path)}::text[])
         and served_at < now() - interval '1 day'`.execute(query)
    await sql`delete from web_assets where served_at < now() - ${retention}::interval`.execute(
      query,
    )
  })
}
