// Queries for imports and their items.
import { sql } from 'kysely'
import type { ImportItem, ImportSummary } from '#contract/admin/imports.ts'
import {
  transaction,
  type Database,
  type Handle,
  type Transaction,
} from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

export type ImportStatus = ImportSummary['status']

export interface ImportRow {
  id: string
  format: ImportSummary['format']
  name: string
  status: ImportStatus
  upload_id: string | null
  server_url: string | null
  server_login_sealed: string | null
  started_by: string | null
  ip_address: string
}

export interface ItemRow {
  position: number
  kind: ImportItem['kind']
  path: string
  name: string
  decision: ImportItem['decision']
  known_track_id: string | null
  data: unknown
}

export interface NewItem {
  kind: ItemRow['kind']
  path: string
  name: string
  data?: object
  status?: 'waiting' | 'left_out' | 'known'
  reason?: string
  known_track_id?: string
  known_by?: NonNullable<ImportItem['known']>['by']
}

const over: readonly ImportStatus[] = ['done', 'failed', 'stopped']

/** Locks an import's row. Throws `import_not_found`, and `import_over` if the import has ended. */
export async function lockImport(trx: Transaction, id: string): Promise<ImportRow> {
  const row = await trx.query
    .selectFrom('imports')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('import_not_found')
  if (over.includes(row.status)) throw new AppError('import_over')
  return row
}

/** The oldest import with unfinished work. Undefined if there is none. */
export function findWaitingImport(db: Database): Promise<ImportRow | undefined> {
  return db.query
    .selectFrom('imports')
    .selectAll()
    .where('status', 'in', ['waiting', 'running'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Whether an import is running. False if an admin has stopped it. */
export async function isRunning(db: Database, id: string): Promise<boolean> {
  const row = await db.query
    .selectFrom('imports')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.status === 'running'
}

const rowsPerInsert = 500

/** Inserts all items of an import and sets its format in one transaction, so that an archive is planned only once. */
export async function insertItems(
  db: Database,
  id: string,
  format: NonNullable<ImportRow['format']>,
  items: AsyncIterable<NewItem> | Iterable<NewItem>,
): Promise<void> {
  await transaction(db, async (trx) => {
    const row = await lockImport(trx, id)
    if (row.format !== null) return
    await trx.query.updateTable('imports').set({ format }).where('id', '=', id).execute()
    let batch: (NewItem & { position: number })[] = []
    let position = 0
    const flush = async () => {
      if (batch.length === 0) return
      await trx.query
        .insertInto('import_items')
        .values(
          batch.map((item) => ({
            ...item,
            name: item.name.slice(0, 500),
            import_id: id,
            data: JSON.stringify(item.data ?? {}),
          })),
        )
        .execute()
      batch = []
    }
    for await (const item of items) {
      batch.push({ ...item, position: ++position })
      if (batch.length >= rowsPerInsert) await flush()
    }
    await flush()
  })
}

/** The first waiting items of a kind, in the order of the plan. */
export function findWaitingItems(
  handle: Handle,
  id: string,
  kind: ItemRow['kind'],
): Promise<ItemRow[]> {
  return handle.query
    .selectFrom('import_items')
    .select(['position', 'kind', 'path', 'name', 'decision', 'known_track_id', 'data'])
    .where('import_id', '=', id)
    .where('kind', '=', kind)
    .where('status', '=', 'waiting')
    .orderBy('position')
    .limit(50)
    .execute()
}

export interface ItemResult {
  status: 'done' | 'known' | 'failed' | 'left_out'
  track_id?: string
  known_track_id?: string
  known_by?: NonNullable<ImportItem['known']>['by']
  reason?: string
}

export async function saveItem(
  handle: Handle,
  id: string,
  position: number,
  { reason, ...result }: ItemResult,
): Promise<void> {
  await handle.query
    .updateTable('import_items')
    .set({ ...result, reason: reason?.slice(0, 500) ?? null })
    .where('import_id', '=', id)
    .where('position', '=', position)
    .execute()
}

/** Adds to an import's counts of created rows other than recordings. */
export async function addCreatedCounts(
  trx: Transaction,
  id: string,
  made: Record<string, number>,
): Promise<void> {
  for (const [what, count] of Object.entries(made)) {
    if (count === 0) continue
    await sql`
      update imports
         set made = made || jsonb_build_object(${what}::text, coalesce((made ->> ${what})::int, 0) + ${count}::int)
       where id = ${id}`.execute(trx.query)
  }
}
