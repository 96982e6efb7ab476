// Checks whether the service has an admin. Until it has one, every visitor sees how to create the first admin.
import type { Database, Handle } from '../../platform/db/database.ts'

export async function hasAdmin(handle: Handle): Promise<boolean> {
  const admin = await handle.query
    .selectFrom('user_roles')
    .select('user_id')
    .where('role', '=', 'admin')
    .limit(1)
    .executeTakeFirst()
  return admin !== undefined
}

/** The last admin cannot be removed, so the database is not queried again once an admin was found. */
export function createOwnerCheck(db: Database): () => Promise<boolean> {
  let isFound = false
  return async () => {
    isFound ||= await hasAdmin(db)
    return isFound
  }
}
