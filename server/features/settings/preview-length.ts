// Reads the preview length from the database. Code that creates previews must use this instead of the settings cache,
// because jobs may start before this instance is notified of a saved setting.
import type { Handle } from '../../platform/db/database.ts'

/**
 * Returns the preview length in seconds. Takes a share lock: it waits for a save in progress, and inside a transaction
 * it blocks new saves until the commit. A save then finds every preview that the transaction created with the old
 * length.
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
