// Reads the owner's setting for the audience of new playlists.
import type { Audience } from '#contract/fields/availability.ts'
import type { Handle } from '../../platform/db/database.ts'

export async function readDefaultAudience(handle: Handle): Promise<Audience> {
  const { default_audience } = await handle.query
    .selectFrom('settings')
    .select('default_audience')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return default_audience
}
