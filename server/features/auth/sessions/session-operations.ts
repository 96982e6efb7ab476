// Lists and ends a person's sessions. A database trigger notifies all instances when a session is deleted.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { adminSessionSeconds, type Session } from '#contract/sessions.ts'
import type * as contract from '#contract/sessions.ts'
import { transaction, type Database, type Transaction } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import { isPastAdminLimit } from './session-check.ts'

export async function listSessions(
  ctx: MemberContext,
): Promise<Output<typeof contract.listSessions>> {
  return { data: await listSessionsOf(ctx, ctx.actor.user_id) }
}

/** A person's sessions, newest first. The session of the request is marked. */
export async function listSessionsOf(ctx: MemberContext, userId: string): Promise<Session[]> {
  const rows = await ctx.db.query
    .selectFrom('sessions as s')
    .innerJoin('user_roles as r', 'r.user_id', 's.user_id')
    .select(['s.id', 's.created_at', 's.updated_at', 's.ip_address', 's.user_agent'])
    .select(endOfSession.as('expires_at'))
    .where('s.user_id', '=', userId)
    .where('s.expires_at', '>', ctx.now().toISOString())
    .where(isPastAdminLimit, '=', false)
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, is_current: row.id === ctx.actor.session_id }))
}

const endOfSession = sql<string>`
  case when r.role = 'admin'
    then least(s.expires_at, s.created_at + make_interval(secs => ${adminSessionSeconds}))
    else s.expires_at end`

export async function endSession(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.endSession>,
): Promise<void> {
  const result = await ctx.db.query
    .deleteFrom('sessions')
    .where('id', '=', params.id)
    .where('user_id', '=', ctx.actor.user_id)
    .executeTakeFirst()
  if (result.numDeletedRows === 0n) throw new AppError('not_found')
}

export async function endAllSessions(ctx: MemberContext): Promise<void> {
  await transaction(ctx.db, (trx) => endAllSessionsOf(trx, ctx.actor.user_id))
}

/** Signs a person out on every device and instance. */
export async function endAllSessionsOf(trx: Transaction, userId: string): Promise<void> {
  await trx.query.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

/** Deletes expired sessions and email tokens. `now` is the database's time. */
export async function deleteExpiredSessions(db: Database, now: Date): Promise<void> {
  await db.query.deleteFrom('sessions').where('expires_at', '<=', now.toISOString()).execute()
  await sql`
    delete from sessions s using user_roles r
     where r.user_id = s.user_id and ${isPastAdminLimit}`.execute(db.query)
  await db.query.deleteFrom('verifications').where('expires_at', '<=', now.toISOString()).execute()
}
