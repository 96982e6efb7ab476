// Reads the preview length from the database. Code that creates previews must use this: an instance is notified of a saved
// setting slightly after the jobs for it have started.
import type { Handle } from '../../platform/db/database.ts'

/**
 * In seconds. Takes a share lock, so it waits for a save in progress, and inside a transaction it blocks new saves until the
 * commit. The save then finds every preview that the transaction created with the old length.
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
