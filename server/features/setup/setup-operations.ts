// Creates the first admin with the code that the server prints when it starts, and sets the service's name.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/setup.ts'
import { writeAuditEntries } from '../../platform/audit/write-audit.ts'
import { lockFirstAdmin } from '../../platform/db/advisory-locks.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Context } from '../../platform/operations/context.ts'
import { createUser } from '../auth/create-user.ts'
import { hashNewPassword } from '../auth/new-password.ts'
import { parseEmail } from '../auth/parse-email.ts'
import { readBrandingRow } from '../settings/branding.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { hasAdmin } from './owner-check.ts'
import type { SetupCode } from './setup-code.ts'

export interface SetupServices {
  settings: SettingsCache
  setupCode: SetupCode
}

export async function openSetup(
  { setupCode }: SetupServices,
  ctx: Context,
  { body }: ParsedInput<typeof contract.openSetup>,
): Promise<Output<typeof contract.openSetup>> {
  if (await hasAdmin(ctx.db)) throw new AppError('setup_done')
  if (!setupCode.matches(body.code)) throw new AppError('setup_code_invalid')
  return { status: true }
}

export async function createFirstAdmin(
  services: SetupServices,
  ctx: Context,
  { body }: ParsedInput<typeof contract.createFirstAdmin>,
): Promise<Output<typeof contract.createFirstAdmin>> {
  if (await hasAdmin(ctx.db)) throw new AppError('setup_done')
  if (!services.setupCode.matches(body.code)) throw new AppError('setup_code_invalid')
  const email = parseEmail(body.email)
  // Hash the password before the transaction, because hashing is slow.
  const passwordHash = await hashNewPassword(body.password, 'admin')
  await transaction(ctx.db, async (trx) => {
    await lockFirstAdmin(trx)
    if (await hasAdmin(trx)) throw new AppError('setup_done')
    const id = await createUser(trx, { email, passwordHash, role: 'admin' })
    const before = await nameService(ctx, trx, id, body.brand_name)
    await writeAuditEntries({ actor: { user_id: id }, ip: ctx.ip }, trx, [
      { action: 'create', entity: 'user', entity_id: id, after: { role: 'admin' } },
      {
        action: 'update',
        entity: 'settings',
        entity_id: 'branding',
        before: { brand_name: before },
        after: { brand_name: body.brand_name },
      },
    ])
    // Makes open pages hide the instructions for creating an admin.
    await notify(trx, 'settings')
  })
  await services.settings.reload()
  return { status: true }
}

/** Sets the service's name. Returns the previous one, or null if it was the default. */
async function nameService(
  ctx: Context,
  trx: Transaction,
  adminId: string,
  brand_name: string,
): Promise<string | null> {
  const before = await readBrandingRow(trx, { lock: true })
  const changed_at = ctx.now().toISOString()
  await trx.query
    .updateTable('branding')
    .set({ brand_name, changed_by: adminId, changed_at, updated_at: changed_at })
    .where('id', '=', 1)
    .execute()
  return before.brand_name
}
