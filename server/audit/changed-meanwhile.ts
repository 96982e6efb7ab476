// Refuses a save that was made from an older version than the stored one, and says who changed it.
import type { Transaction } from '../db/database.ts'
import { AppError } from '../http/app-error.ts'
import type { MemberContext } from '../http/context.ts'

/** The columns of a versioned table that triggers leave to the operation. */
export interface VersionColumns {
  version: number
  changed_by: string | null
  changed_at: string | null
}

/** Set with every change of a versioned row, in the same statement. */
export function changedBy(ctx: MemberContext) {
  return { changed_by: ctx.actor.user_id, changed_at: ctx.now().toISOString() }
}

/**
 * Throws `changed_meanwhile` unless `readVersion` is the version of the locked row. Undefined: the caller does not ask.
 * `current` reads the thing as the caller would get it.
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
