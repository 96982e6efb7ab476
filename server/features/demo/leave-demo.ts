// Switches the demo off permanently: closes its accounts and deletes their generated plays, likes and playlists. Used
// by the back office and by `npm run close-demo`.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/admin/service/admin-demo.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { lockByName, lockNames } from '../../platform/db/advisory-locks.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { createUser, type NewUser } from '../auth/create-user.ts'
import { hashNewPassword } from '../auth/new-password.ts'
import { parseEmail } from '../auth/parse-email.ts'
import { leftDemoStep, type SettingsCache } from '../settings/settings-cache.ts'
import { deleteDemoActivity } from './demo-activity.ts'
import { closeDemoAccounts, findOwnAdmins, prepareClosing } from './demo-passwords.ts'

export interface LeaveDemoServices {
  settings: SettingsCache
  /** Returns the demo's progress. Null if the demo is off. */
  demoProgress: () => object | null
}

export async function getDemo(
  services: LeaveDemoServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.getDemo>> {
  return { is_on: services.demoProgress() !== null, own_admins: await findOwnAdmins(ctx.db) }
}

export async function leaveDemo(
  services: LeaveDemoServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.leaveDemo>,
): Promise<Output<typeof contract.leaveDemo>> {
  if (services.demoProgress() === null) throw new AppError('demo_off')
  const owner = body.owner && (await readOwner(body.owner))
  // Verify and hash passwords before the transaction, because both are slow.
  const closing = await prepareClosing(ctx.db)
  const closed = await transaction(ctx.db, async (trx) => {
    if (!(await markDemoLeft(trx, ctx.now()))) throw new AppError('demo_off')
    if (owner) {
      const entity_id = await createUser(trx, owner)
      const after = { role: 'admin' }
      await writeAudit(ctx, trx, { action: 'create', entity: 'user', entity_id, after })
    }
    const emails = await closeDemoAccounts(trx, closing)
    const remainingAdmins = (await findOwnAdmins(trx)).filter((email) => !emails.includes(email))
    if (remainingAdmins.length === 0) throw new AppError('demo_needs_owner')
    await deleteDemoActivity(trx)
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: 'demo',
      after: { demo: 'left', closed_accounts: emails },
    })
    return emails
  })
  await services.settings.reload()
  return { closed }
}

/** Used by `npm run close-demo`. Also closes the accounts of a demo that was switched off earlier. */
export async function closeDemo(db: Database, now: Date): Promise<string[]> {
  const closing = await prepareClosing(db)
  return transaction(db, async (trx) => {
    await markDemoLeft(trx, now)
    return closeDemoAccounts(trx, closing)
  })
}

async function readOwner({
  email,
  password,
}: NonNullable<ParsedInput<typeof contract.leaveDemo>['body']['owner']>): Promise<NewUser> {
  const role = 'admin'
  return { email: parseEmail(email), passwordHash: await hashNewPassword(password, role), role }
}

/**
 * Records that the demo was switched off. Returns false if it already was. Running instances then stop the demo, and
 * later starts do not start it again.
 */
async function markDemoLeft(trx: Transaction, now: Date): Promise<boolean> {
  await lockByName(trx, lockNames.demo())
  const marked = await trx.query
    .insertInto('demo_steps')
    .values({ step: leftDemoStep, done_at: now.toISOString() })
    .onConflict((conflict) => conflict.column('step').doNothing())
    .executeTakeFirst()
  await notify(trx, 'settings')
  return marked.numInsertedOrUpdatedRows === 1n
}
