// Lists and ends a person's sessions. The database notifies all instances when a session is deleted.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type { endSession, listSessions, Session } from '#contract/sessions.ts'
import { transaction, type Database, type Transaction } from '../db/database.ts'
import { AppError } from '../http/app-error.ts'
import type { MemberContext } from '../http/context.ts'

export async function listOwnSessions(ctx: MemberContext): Promise<Output<typeof listSessions>> {
  return { data: await listSessionsOf(ctx, ctx.actor.user_id) }
}

/** Newest first; the session of the request is marked. */
export async function listSessionsOf(ctx: MemberContext, userId: string): Promise<Session[]> {
  const rows = await ctx.db.query
    .selectFrom('sessions')
    .select(['id', 'created_at', 'updated_at', 'expires_at', 'ip_address', 'user_agent'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', ctx.now().toISOString())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, is_current: row.id === ctx.actor.session_id }))
}

export async function endOwnSession(
  ctx: MemberContext,
  { params }: ParsedInput<typeof endSession>,
): Promise<void> {
  const result = await ctx.db.query
    .deleteFrom('sessions')
    .where('id', '=', params.id)
    .where('user_id', '=', ctx.actor.user_id)
    .executeTakeFirst()
  if (result.numDeletedRows === 0n) throw new AppError('not_found')
}

export async function endAllOwnSessions(ctx: MemberContext): Promise<void> {
  await transaction(ctx.db, (trx) => endAllSessionsOf(trx, ctx.actor.user_id))
}

/** Signs a person out on every device and instance. */
export async function endAllSessionsOf(trx: Transaction, userId: string): Promise<void> {
  await trx.query.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/** Deletes expired sessions and mail tokens. */
export async function deleteExpiredSessions(db: Database, now: Date): Promise<void> {
  await db.query.deleteFrom('sessions').where('expires_at', '<=', now.toISOString()).execute()
  await db.query.deleteFrom('verifications').where('expires_at', '<=', now.toISOString()).execute()
}
