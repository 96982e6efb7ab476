// Counts of the two tables that grow without bound. Triggers insert delta rows that are summed: exact in every
// snapshot, and concurrent writers do not block each other.
import { sql } from 'kysely'
import type { Database, Handle } from './database.ts'

// Summing this many rows takes less than a millisecond.
const foldBeyondRows = 500

/** The number of people, all or of one status. */
export async function countPeople(handle: Handle, status?: string): Promise<number> {
  const { count } = await handle.query
    .selectFrom('people_counts')
    .select(sql<number>`coalesce(sum(count), 0)`.as('count'))
    .$if(status !== undefined, (query) => query.where('subscription_status', '=', status ?? ''))
    .executeTakeFirstOrThrow()
  return count
}

/** The number of audit log entries, all or of one action, one entity, or both. */
export async function countAuditEntries(
  handle: Handle,
  { action, entity }: { action?: string; entity?: string },
): Promise<number> {
  const { count } = await handle.query
    .selectFrom('audit_counts')
    .select(sql<number>`coalesce(sum(count), 0)`.as('count'))
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .$if(entity !== undefined, (query) => query.where('entity', '=', entity ?? ''))
    .executeTakeFirstOrThrow()
  return count
}

/** Merges the rows of each kind into one. Concurrent counts stay exact. */
export async function foldRowCounts(db: Database): Promise<void> {
  for (const [table, columns] of [
    ['people_counts', ['subscription_status', 'is_premium']],
    ['audit_counts', ['action', 'entity']],
  ] as const) {
    const [from, kinds] = [sql.table(table), sql.join(columns.map((column) => sql.ref(column)))]
    await sql`
      with gone as (
        delete from ${from} where (select count(*) from ${from}) > ${foldBeyondRows} returning *
      )
      insert into ${from} select ${kinds}, sum(count) from gone group by ${kinds}`.execute(db.query)
  }
}
