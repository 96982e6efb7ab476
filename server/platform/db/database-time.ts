// The time according to the database, which all instances share. Expiry and cleanup use it, so that a server whose
// clock is wrong deletes nothing too early.
import { sql } from 'kysely'
import type { Handle } from './database.ts'

export async function readDatabaseTime(handle: Handle): Promise<Date> {
  const { rows } = await sql<{ now: string }>`select now() as now`.execute(handle.query)
  return new Date(rows[0]!.now)
}
