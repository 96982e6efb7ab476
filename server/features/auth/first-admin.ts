// Creates the first admin from ADMIN_EMAIL and ADMIN_PASSWORD. Never changes an existing account: its owner may have
// changed the password since, or may have been demoted on purpose.
import type { Config } from '../../platform/config/config.ts'
import { ConfigError } from '../../platform/config/read-setting.ts'
import { lockFirstAdmin } from '../../platform/db/advisory-locks.ts'
import { transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { createUser } from './create-user.ts'
import { hashNewPassword } from './new-password.ts'
import { parseEmail } from './parse-email.ts'

/** Creates the account unless one with this address exists. Safe when several instances start concurrently. */
export async function ensureFirstAdmin(
  services: Pick<PlatformServices, 'db' | 'log'>,
  config: Pick<Config, 'adminEmail' | 'adminPassword'>,
): Promise<void> {
  if (config.adminEmail === null || config.adminPassword === null) return
  const email = parseEmail(config.adminEmail)
  const { db, log } = services
  const known = await db.query
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (known) return
  const passwordHash = await hashAdminPassword(config.adminPassword)
  const isNew = await transaction(db, async (trx) => {
    await lockFirstAdmin(trx)
    const meanwhile = await trx.query
      .selectFrom('profiles')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst()
    if (meanwhile) return false
    await createUser(trx, { email, passwordHash, role: 'admin', display_name: 'Admin' })
    // Makes open pages hide the notice that the site has no owner, also on other instances.
    await notify(trx, 'settings')
    return true
  })
  if (isNew) log.info({ email }, 'created the first admin account')
}

/**
 * Throws a ConfigError if the password is too weak. Called only for new accounts, because existing ones keep their
 * password.
 */
async function hashAdminPassword(password: string): Promise<string> {
  try {
    return await hashNewPassword(password, 'admin')
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    throw new ConfigError(`ADMIN_PASSWORD: ${cause.message}`)
  }
}
