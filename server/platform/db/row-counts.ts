// Row counts of the two tables that grow without bound. Triggers insert rows with the changes of a count, which are
// summed. The sum is exact in every snapshot, and concurrent writers do not block each other.
import { sql } from 'kysely'
import type { Database, Handle } from './database.ts'

// Merge beyond this number. Summing this many rows takes less than a millisecond.
const foldBeyondRows = 500

/** Returns the number of people, all or with one status. */
export async function countPeople(handle: Handle, status?: string): Promise<number> {
  const { count } = await handle.query
    .selectFrom('people_counts')
    .select(sql<number>`coalesce(sum(count), 0)`.as('count'))
    .$if(status !== undefined, (query) => query.where('subscription_status', '=', status ?? ''))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the number of audit entries, all or of one action, one entity, or both. */
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

/** Merges the rows of each count into one. Counts stay exact while this runs. */
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
