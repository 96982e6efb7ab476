// Creates the account for an invitation and signs the person in. The link was sent by email, so the address counts as
// confirmed.
import type * as contract from '#contract/invitations.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { getTierStatus } from '#contract/plans.ts'
import { authLimits } from '#contract/rate-limit.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { createSharedStore } from '../../platform/limits/limit-store.ts'
import { consumeRateLimit } from '../../platform/limits/rate-limit.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Context } from '../../platform/operations/context.ts'
import type { AccountNotices } from './account-notices.ts'
import type { Exchange } from './auth-exchange.ts'
import { createUser } from './create-user.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { findInvitation } from './invitation-token.ts'
import { hashNewPassword } from './new-password.ts'
import { recordSignUpConsent } from './sign-up-consent.ts'
import { recordReferral } from './sign-up-page.ts'

type Found = Awaited<ReturnType<typeof findInvitation>>

export async function openInvitation(
  { ctx, byAddress }: Exchange,
  { body }: ParsedInput<typeof contract.openInvitation>,
): Promise<Output<typeof contract.openInvitation>> {
  await consumeRateLimit(createSharedStore(ctx.db), byAddress(authLimits.mailTokenAddress))
  const { email, display_name, role } = await findInvitation(ctx.db, body.token, ctx.now())
  return { email, display_name, role }
}

export async function acceptInvitation(
  { notices }: { notices: AccountNotices },
  exchange: Exchange,
  { body }: ParsedInput<typeof contract.acceptInvitation>,
): Promise<Output<typeof contract.acceptInvitation>> {
  const { ctx, byAddress, call, isAbout } = exchange
  await consumeRateLimit(createSharedStore(ctx.db), byAddress(authLimits.mailTokenAddress))
  const { email, role } = await findInvitation(ctx.db, body.token, ctx.now())
  isAbout(email)
  // Hash the password before the transaction, because hashing is slow.
  const passwordHash = await hashNewPassword(body.password, role)
  await transaction(ctx.db, async (trx) => {
    const invitation = await consumeInvitation(ctx, trx, body.token)
    const display_name = body.name ?? invitation.display_name
    await createInvited(ctx, trx, { ...invitation, display_name }, passwordHash)
    await recordReferral(trx, email, body.referral_code)
  })
  await notices.welcome(email)
  const result = await call('/sign-in/email', { email, password: body.password })
  await finishSignIn(exchange, notices, result)
  return { status: true }
}

/** Deletes the invitation. The row lock serializes concurrent requests: the second one finds no invitation. */
async function consumeInvitation(ctx: Context, trx: Transaction, token: string): Promise<Found> {
  const found = await findInvitation(trx, token, ctx.now())
  if (found.role !== 'member' && found.invited_by !== null) {
    // The sender may have been demoted since. Only an admin may grant a role.
    await trx.query
      .selectFrom('user_roles as r')
      .innerJoin('profiles as p', 'p.id', 'r.user_id')
      .select('r.user_id')
      .where('r.user_id', '=', found.invited_by)
      .forShare()
      .execute()
    await findInvitation(trx, token, ctx.now())
  }
  const { numDeletedRows } = await trx.query
    .deleteFrom('invitations')
    .where('id', '=', found.id)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw new AppError('invitation_invalid')
  return found
}

async function createInvited(
  ctx: Context,
  trx: Transaction,
  invitation: Found,
  passwordHash: string,
): Promise<void> {
  const { email, display_name, role, subscription_tier } = invitation
  const subscription_status = getTierStatus(subscription_tier)
  const plan = { subscription_tier, subscription_status }
  const id = await createUser(trx, { email, passwordHash, display_name, role, ...plan })
  await recordSignUpConsent(trx, email)
  await writeAudit({ actor: { user_id: id }, ip: ctx.ip }, trx, {
    action: 'create',
    entity: 'user',
    entity_id: id,
    after: { role, ...plan, invitation_id: invitation.id, invited_by: invitation.invited_by },
  })
}
