// The preview length as the database has it. Whoever makes previews asks here: an instance hears of a saved setting a
// moment after the jobs that follow from it have begun.
import type { Handle } from '../db/database.ts'

/**
 * In seconds. Waits for a save that is under way; inside of a transaction no other begins until its end, so that what
 * it commits and what a save looks for cannot miss each other.
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
