// Admin operations on users. Each change writes an audit entry in the same transaction and notifies the person's
// sessions on every instance immediately.
import type * as adminUsersContract from '#contract/admin/admin-users.ts'
import type { AuditAction } from '#contract/audit-names.ts'
import type * as adminPeopleContract from '#contract/admin/admin-people.ts'
import type { AdminUser } from '#contract/admin/admin-users.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { getTierStatus } from '#contract/plans.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Auth } from '../auth/auth.ts'
import * as bans from '../auth/ban-account.ts'
import { createUser, setRole } from '../auth/create-user.ts'
import { hashNewPassword } from '../auth/new-password.ts'
import { parseEmail } from '../auth/parse-email.ts'
import { setPlan } from '../billing/set-plan.ts'
import { enqueueBanPause, changePlanAtStripe } from '../billing/stripe-steering.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { erasePerson } from './erase-person.ts'
import { lockPerson } from './lock-person.ts'
import { lockAdmins, requireAnAdmin } from './require-an-admin.ts'
import { findUser } from './user-query.ts'
import type { StripeAccess } from '../billing/stripe-client.ts'

export async function createAdminUser(
  ctx: MemberContext,
  { body }: ParsedInput<typeof adminUsersContract.createAdminUser>,
): Promise<Output<typeof adminUsersContract.createAdminUser>> {
  const email = parseEmail(body.email)
  const passwordHash = await hashNewPassword(body.password, body.role)
  const { display_name = '', role } = body
  return transaction(ctx.db, async (trx) => {
    const id = await createUser(trx, { email, passwordHash, display_name, role })
    const user = await findUser(trx, id)
    await writeAudit(ctx, trx, {
      action: 'create',
      entity: 'user',
      entity_id: id,
      after: toAuditFields(user),
    })
    return user
  })
}

export function updateUser(
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof adminUsersContract.updateUser>,
): Promise<Output<typeof adminUsersContract.updateUser>> {
  return changeUser(ctx, params.id, 'update', async (trx) => {
    await trx.query
      .updateTable('profiles')
      .set({ display_name: body.display_name, updated_at: ctx.now().toISOString() })
      .where('id', '=', params.id)
      .execute()
  })
}

/** Sets a person's role. The role 'banned' bans the person. Any other role is stored and lifts a ban. */
export async function updateUserRole(
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof adminUsersContract.updateUserRole>,
): Promise<Output<typeof adminUsersContract.updateUserRole>> {
  const { role } = body
  refuseOwnAccount(ctx, params.id)
  return changeRights(ctx, params.id, role === 'banned' ? 'ban' : 'update', async (trx, before) => {
    if (role === 'banned') {
      await banPerson(ctx, trx, params.id)
    } else {
      if (before.role === 'banned') await bans.unbanAccount(trx, params.id, ctx.now())
      await setRole(trx, params.id, role)
    }
  })
}

/**
 * Sets a person's plan. If `subscription_status` is absent, the tier determines the status. If Stripe bills the plan,
 * changes the subscription at Stripe first.
 */
export async function updateUserSubscription(
  services: { stripe: StripeAccess },
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof adminUsersContract.updateUserSubscription>,
): Promise<Output<typeof adminUsersContract.updateUserSubscription>> {
  const { subscription_tier, subscription_status = getTierStatus(subscription_tier) } = body
  const plan = { user_id: params.id, tier: subscription_tier, status: subscription_status }
  const stripeChange = await changePlanAtStripe(services, ctx.db, plan)
  return changeUser(ctx, params.id, 'update', async (trx) => {
    await stripeChange.settle(trx)
    await setPlan(trx, ctx.now(), plan)
  })
}

async function banPerson(ctx: MemberContext, trx: Transaction, id: string): Promise<void> {
  await bans.banAccount(trx, id, ctx.now())
  await enqueueBanPause(trx, [id])
}

export async function banUser(
  ctx: MemberContext,
  { params }: ParsedInput<typeof adminUsersContract.banUser>,
): Promise<Output<typeof adminUsersContract.banUser>> {
  refuseOwnAccount(ctx, params.id)
  return changeRights(ctx, params.id, 'ban', async (trx) => {
    await banPerson(ctx, trx, params.id)
  })
}

export function unbanUser(
  ctx: MemberContext,
  { params }: ParsedInput<typeof adminUsersContract.unbanUser>,
): Promise<Output<typeof adminUsersContract.unbanUser>> {
  return changeUser(ctx, params.id, 'unban', async (trx) => {
    await bans.unbanAccount(trx, params.id, ctx.now())
  })
}

/** Emails the person a link to set a new password. The person stays signed in until then. */
export async function resetUserPassword(
  { auth }: { auth: Auth },
  ctx: MemberContext,
  { params }: ParsedInput<typeof adminUsersContract.resetUserPassword>,
): Promise<void> {
  const user = await findUser(ctx.db, params.id)
  await auth.requestPasswordReset(user.email)
  await transaction(ctx.db, (trx) =>
    writeAudit(ctx, trx, {
      action: 'update',
      entity: 'user',
      entity_id: params.id,
      after: { password_reset: 'sent' },
    }),
  )
}

export function dismissDeletionRequest(
  ctx: MemberContext,
  { params }: ParsedInput<typeof adminPeopleContract.dismissDeletionRequest>,
): Promise<Output<typeof adminPeopleContract.dismissDeletionRequest>> {
  return changeUser(ctx, params.id, 'update', async (trx) => {
    await trx.query
      .updateTable('profiles')
      .set({ deletion_requested_at: null, updated_at: ctx.now().toISOString() })
      .where('id', '=', params.id)
      .execute()
  })
}

/** Deletes the person and all their data. The audit log keeps only ids, no names or addresses. */
export async function deleteUser(
  ctx: MemberContext,
  { params }: ParsedInput<typeof adminUsersContract.deleteUser>,
): Promise<void> {
  refuseOwnAccount(ctx, params.id)
  await transaction(ctx.db, async (trx) => {
    await lockAdmins(trx)
    await lockPerson(trx, params.id)
    await erasePerson(trx, params.id)
    await requireAnAdmin(trx)
    await writeAudit(ctx, trx, { action: 'delete', entity: 'user', entity_id: params.id })
    await notify(trx, 'sessions', params.id)
  })
}

type Change = (trx: Transaction, before: AdminUser) => Promise<void>

/** Makes a change that may remove an admin's rights. Throws `last_admin` if no admin would be left. */
function changeRights(
  ctx: MemberContext,
  id: string,
  action: AuditAction,
  change: Change,
): Promise<AdminUser> {
  const keepAnAdmin: Change = async (trx, before) => {
    await change(trx, before)
    await requireAnAdmin(trx)
  }
  return changeUser(ctx, id, action, keepAnAdmin, lockAdmins)
}

/**
 * Locks a person, makes the change and writes the audit entry in one transaction. `lockFirst` runs before the person is
 * locked.
 */
async function changeUser(
  ctx: MemberContext,
  id: string,
  action: AuditAction,
  change: Change,
  lockFirst?: (trx: Transaction) => Promise<void>,
): Promise<AdminUser> {
  return transaction(ctx.db, async (trx) => {
    await lockFirst?.(trx)
    await lockPerson(trx, id)
    const before = await findUser(trx, id)
    await change(trx, before)
    const after = await findUser(trx, id)
    await writeAudit(ctx, trx, {
      action,
      entity: 'user',
      entity_id: id,
      before: toAuditFields(before),
      after: toAuditFields(after),
    })
    await notify(trx, 'sessions', id)
    return after
  })
}

/**
 * Throws `own_account` for the admin's own account, to prevent admins from locking themselves out. Another admin can
 * make the change.
 */
function refuseOwnAccount(ctx: MemberContext, id: string): void {
  if (id.toLowerCase() === ctx.actor.user_id) throw new AppError('own_account')
}

/**
 * Returns the fields that the audit entry stores. Omits the name and the address, so that neither remains after the
 * account is deleted.
 */
function toAuditFields(user: AdminUser) {
  const { role, subscription_tier, subscription_status, deletion_requested_at } = user
  return { role, subscription_tier, subscription_status, deletion_requested_at }
}
