// Refuses a save that is based on an older version than the stored one. The error names the person who changed it.
import type { Transaction } from '../db/database.ts'
import { AppError } from '../operations/app-error.ts'
import type { MemberContext } from '../operations/context.ts'

/** Columns of a versioned row. Triggers set `version`, and operations set the other two. */
export interface VersionColumns {
  version: number
  changed_by: string | null
  changed_at: string | null
}

/** The author and time of a change. Every update of a versioned row sets them in the same statement. */
export function changedBy(ctx: MemberContext) {
  return { changed_by: ctx.actor.user_id, changed_at: ctx.now().toISOString() }
}

/**
 * Throws `changed_meanwhile` unless `readVersion` is the version of the locked row. Undefined skips the check.
 * `current` returns the current state as it appears in the response.
 */
export async function refuseStale(
  trx: Transaction,
  row: VersionColumns,
  readVersion: number | undefined,
  current: () => Promise<unknown>,
  details: { id?: string } = {},
): Promise<void> {
  if (readVersion === undefined || readVersion === row.version) return
  const person = row.changed_by
    ? await trx.query
        .selectFrom('profiles')
        .select(['id', 'display_name', 'email'])
        .where('id', '=', row.changed_by)
        .executeTakeFirst()
    : undefined
  throw new AppError('changed_meanwhile', {
    details: {
      ...details,
      changed_by: person ? { id: person.id, name: person.display_name || person.email } : null,
      changed_at: row.changed_at,
      current: await current(),
    },
  })
}
