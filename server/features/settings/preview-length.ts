// The preview length in the database. Code that makes previews must read it here: an instance is notified of a saved
// setting a moment after the resulting jobs have started.
import type { Handle } from '../../platform/db/database.ts'

/**
 * In seconds. Takes a lock, so it waits for a save in progress; inside a transaction it also blocks new saves until the
 * end. That way the transaction's result and the save's search for old previews cannot miss each other.
 */
export async function readPreviewLength(handle: Handle): Promise<number> {
  const { preview_length_seconds } = await handle.query
    .selectFrom('settings')
    .select('preview_length_seconds')
    .where('id', '=', 1)
    .forShare()
    .executeTakeFirstOrThrow()
  return preview_length_seconds
}
