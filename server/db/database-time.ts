// The one clock that all instances share. What is ended or removed because its time is over goes by it: a server whose
// own clock is wrong must not take anything away.
import { sql } from 'kysely'
import type { Handle } from './database.ts'

export async function readDatabaseTime(handle: Handle): Promise<Date> {
  const { rows } = await sql<{ now: string }>`select now() as now`.execute(handle.query)
  return new Date(rows[0]!.now)
}
