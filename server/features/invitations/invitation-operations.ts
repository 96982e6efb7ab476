// Lists, sends, resends and revokes invitations to create an account. The audit log records roles and plans, but no
// addresses.
import { sql } from 'kysely'
import { resendMinutes } from '#contract/admin/admin-invitations.ts'
import type * as contract from '#contract/admin/admin-invitations.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { isVoid } from '../auth/invitation-token.ts'
import { parseEmail } from '../auth/parse-email.ts'
import { selectInvitations, readInvitation } from './invitation-query.ts'
import { invitationEnd, sendInvitation, type InvitationServices } from './send-invitation.ts'

/** For how many days an expired invitation stays listed, so that an admin can resend it. */
const keptDays = 30
const dayMs = 24 * 3_600_000

export async function listInvitations(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listInvitations>,
): Promise<Output<typeof contract.listInvitations>> {
  const { page, page_size } = query
  const { total } = await ctx.db.query
    .selectFrom('invitations as i')
    .select(sql<number>`count(*)`.as('total'))
    .where(hasNoAccount)
    .executeTakeFirstOrThrow()
  const data = await selectInvitations(ctx.db, ctx.now())
    .where(hasNoAccount)
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return { data, pagination: paginate(query, total) }
}

/** Whether no account has the invitation's address. A person with an account needs no invitation. */
const hasNoAccount = sql<boolean>`not exists (select from profiles p where p.email = i.email)`

export async function createInvitation(
  services: InvitationServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createInvitation>,
): Promise<Output<typeof contract.createInvitation>> {
  const email = parseEmail(body.email)
  const { display_name = '', role, subscription_tier } = body
  return transaction(ctx.db, async (trx) => {
    await requireNoAccount(trx, email)
    const invited_by = ctx.actor.user_id
    const values = { display_name, role, subscription_tier, invited_by }
    const now = ctx.now().toISOString()
    // If an invitation to this address has expired, replace it.
    const row = await trx.query
      .insertInto('invitations')
      .values({ email, ...values, expires_at: invitationEnd(ctx.now()), created_at: now })
      .onConflict((conflict) =>
        conflict
          .column('email')
          .doUpdateSet({ ...values, created_at: now })
          .where('invitations.expires_at', '<=', now),
      )
      .returning(['id', 'email', 'subscription_tier', 'invited_by'])
      .executeTakeFirst()
    if (!row) throw new AppError('invitation_exists')
    await sendInvitation(services, trx, row)
    await writeAudit(ctx, trx, {
      action: 'create',
      entity: 'invitation',
      entity_id: row.id,
      after: { role, subscription_tier },
    })
    return readInvitation(trx, row.id, ctx.now())
  })
}

export async function resendInvitation(
  services: InvitationServices,
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.resendInvitation>,
): Promise<Output<typeof contract.resendInvitation>> {
  return transaction(ctx.db, async (trx) => {
    const row = await lockInvitation(trx, params.id)
    if (row.is_void) throw new AppError('invitation_void')
    await requireNoAccount(trx, row.email)
    const nextAt = row.sent_at === null ? 0 : Date.parse(row.sent_at) + resendMinutes * 60_000
    if (ctx.now().getTime() < nextAt) throw new AppError('invitation_just_sent')
    await sendInvitation(services, trx, row)
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'invitation',
      entity_id: row.id,
      after: { mail: 'sent' },
    })
    return readInvitation(trx, row.id, ctx.now())
  })
}

export async function revokeInvitation(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.revokeInvitation>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const { role, subscription_tier } = await lockInvitation(trx, params.id)
    await trx.query.deleteFrom('invitations').where('id', '=', params.id).execute()
    await writeAudit(ctx, trx, {
      action: 'delete',
      entity: 'invitation',
      entity_id: params.id,
      before: { role, subscription_tier },
    })
  })
}

/**
 * Deletes invitations that expired long ago, and expired invitations whose address now has an account. Called by the
 * sweep.
 */
export async function deleteOldInvitations(handle: Handle, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * dayMs).toISOString()
  await sql`
    delete from invitations i
     where i.expires_at < ${before}
        or (i.expires_at <= ${now.toISOString()} and not ${hasNoAccount})`.execute(handle.query)
}

/** Locks and returns an invitation. Throws `not_found`. */
async function lockInvitation(trx: Transaction, id: string) {
  const row = await trx.query
    .selectFrom('invitations as i')
    .select(['i.id', 'i.email', 'i.role', 'i.subscription_tier', 'i.invited_by', 'i.sent_at'])
    .select(isVoid.as('is_void'))
    .where('i.id', '=', id)
    .forUpdate('i')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

async function requireNoAccount(handle: Handle, email: string): Promise<void> {
  const account = await handle.query
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (account) throw new AppError('email_exists')
}
