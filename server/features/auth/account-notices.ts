// Records account events in the audit trail and emails the account's owner, so that owners notice changes they did not
// make. A change is kept even if its email cannot be queued.
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { describeDevice } from '#contract/describe-device.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Branding } from '../settings/branding.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import type { Actor, Context } from '../../platform/operations/context.ts'
import type { MailQueue } from '../../platform/mail/mail-queue.ts'
import { resetAddress } from '../../platform/mail/refused-addresses.ts'
import {
  newDeviceMail,
  passwordChangedMail,
  passwordGuessedMail,
  twoFactorChangedMail,
  type Mail,
} from '../../platform/mail/mail-texts.ts'
import { welcomeMail } from '../../platform/mail/member-mails.ts'
import { createLimitedKey } from '../../platform/limits/limit-keys.ts'
import { createSharedStore } from '../../platform/limits/limit-store.ts'
import { isWithinLimit } from '../../platform/limits/rate-limit.ts'
import { innerLimits } from './inner-limits.ts'
import { confirmAddressByReset } from './remove-two-factor.ts'

export interface AccountNotices {
  /** Called after the last step of a sign-in. */
  signedIn: (ctx: Context, userId: string, userAgent: string | null) => Promise<void>
  /** Called once the address of a new account is confirmed. */
  welcome: (email: string) => Promise<void>
  /** Called after a person set a new password with the link from a reset email. */
  passwordReset: (userId: string, email: string, address: string) => Promise<void>
  twoFactorChanged: (ctx: Context, actor: Actor, isOn: boolean) => Promise<void>
  /**
   * Called after wrong passwords for one account from many addresses. `link` opens the page that sets a new password.
   */
  passwordGuessed: (email: string, link: string) => Promise<void>
  /** Emails the owner. The caller writes the audit entry. */
  twoFactorRemovedByAdmin: (email: string) => Promise<void>
}

export function createAccountNotices(services: {
  config: Pick<Config, 'publicUrl'>
  branding: () => Pick<Branding, 'brand_name'>
  db: Database
  mails: Pick<MailQueue, 'send'>
  log: FastifyBaseLogger
  now: () => Date
}): AccountNotices {
  const { config, branding, db, log, now } = services
  const site = () => ({ publicUrl: config.publicUrl, brandName: branding().brand_name })
  const send = (mail: Mail) =>
    services.mails
      .send(mail)
      .catch((err: unknown) =>
        log.error({ err, subject: mail.subject }, 'a notice email could not be enqueued'),
      )

  return {
    async signedIn(ctx, userId, userAgent) {
      const device = describeDevice(userAgent).name
      const newTo = await transaction(ctx.db, (trx) => recordSignIn(ctx, trx, userId, device))
      if (newTo === null) return
      await send(newDeviceMail(newTo, site(), { device, address: ctx.ip, at: ctx.now() }))
    },
    async welcome(email) {
      // A new confirmation proves that the address works, so clear earlier bounces.
      await resetAddress(db, { email })
      const once = createLimitedKey(innerLimits.welcomeMail, email)
      const isFirst = await isWithinLimit(createSharedStore(db), once).catch(() => false)
      if (isFirst) await send(welcomeMail(email, site()))
    },
    async passwordReset(userId, email, ip) {
      const isFactorRemoved = await transaction(db, async (trx) => {
        const isRemoved = await confirmAddressByReset(trx, userId, now())
        await writeAudit({ actor: { user_id: userId }, ip }, trx, {
          action: 'update',
          entity: 'user',
          entity_id: userId,
          after: { password: 'changed', ...(isRemoved && { two_factor: 'off' }) },
        })
        return isRemoved
      })
      await send(passwordChangedMail(email, site()))
      if (isFactorRemoved) await send(twoFactorChangedMail(email, site(), 'removed by a reset'))
    },
    async twoFactorChanged(ctx, actor, isOn) {
      await transaction(ctx.db, (trx) =>
        writeAudit({ actor, ip: ctx.ip }, trx, {
          action: 'update',
          entity: 'user',
          entity_id: actor.user_id,
          before: { two_factor: isOn ? 'off' : 'on' },
          after: { two_factor: isOn ? 'on' : 'off' },
        }),
      )
      await send(twoFactorChangedMail(actor.email, site(), isOn ? 'on' : 'off'))
    },
    async passwordGuessed(email, link) {
      await send(passwordGuessedMail(email, site(), link))
    },
    async twoFactorRemovedByAdmin(email) {
      await send(twoFactorChangedMail(email, site(), 'removed by an admin'))
    },
  }
}

/**
 * Returns the person's email address if this device is new for the account, otherwise null. The account's first device
 * does not count as new.
 */
async function recordSignIn(
  ctx: Context,
  trx: Transaction,
  userId: string,
  device: string,
): Promise<string | null> {
  const person = await trx.query
    .selectFrom('profiles as p')
    .innerJoin('user_roles as r', 'r.user_id', 'p.id')
    .select(['p.email', 'r.role'])
    .where('p.id', '=', userId)
    .executeTakeFirst()
  // The account was deleted during the sign-in.
  if (!person) return null
  if (person.role === 'admin') {
    await writeAudit({ actor: { user_id: userId }, ip: ctx.ip }, trx, {
      action: 'sign_in',
      entity: 'user',
      entity_id: userId,
      after: { device },
    })
  }
  const known = await trx.query
    .selectFrom('known_devices')
    .select('name')
    .where('user_id', '=', userId)
    .execute()
  await trx.query
    .insertInto('known_devices')
    .values({ user_id: userId, name: device })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'name']).doUpdateSet({ seen_at: sql<string>`now()` }),
    )
    .execute()
  return known.length > 0 && !known.some(({ name }) => name === device) ? person.email : null
}
