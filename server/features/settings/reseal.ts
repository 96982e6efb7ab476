// Re-encrypts the database's secrets at startup after SECRET was changed, so that the old one can be removed. Safe at
// any time and on any number of instances: nothing that cannot be decrypted is overwritten.
import type { FastifyBaseLogger } from 'fastify'
import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import { readStripeConnection } from './stripe-connection.ts'

interface ResealServices {
  db: Database
  secretBox: SecretBox
  secrets: readonly [string, ...string[]]
  log: FastifyBaseLogger
}

export async function resealAll(services: ResealServices): Promise<void> {
  const { db, log } = services
  const count = await transaction(db, async (trx) => {
    await resealSettings(trx, services)
    await resealDeviceKeys(trx, services)
    await resealWebhooks(trx, services)
    await resealPushKeys(trx, services)
    await resealGifts(trx, services)
    await resealImports(trx, services)
    await resealMails(trx, services)
    await resealStripeKey(trx, services)
    return resealTwoFactors(trx, services)
  })
  log.info(
    { two_factors: count },
    'data encrypted with SECRET_PREVIOUS was re-encrypted with SECRET',
  )
}

async function resealSettings(trx: Transaction, { secretBox }: ResealServices): Promise<void> {
  const row = await trx.query
    .selectFrom('settings')
    .select('stripe_webhook_secret')
    .forUpdate()
    .executeTakeFirstOrThrow()
  const stripe_webhook_secret = secretBox.reseal(row.stripe_webhook_secret)
  if (stripe_webhook_secret === null) return
  await trx.query.updateTable('settings').set({ stripe_webhook_secret }).execute()
}

async function resealDeviceKeys(trx: Transaction, { secretBox }: ResealServices): Promise<void> {
  const rows = await trx.query
    .selectFrom('device_keys')
    .select(['id', 'key_sealed'])
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id, key_sealed: old } of rows) {
    const key_sealed = secretBox.reseal(old)
    if (key_sealed === null) continue
    await trx.query.updateTable('device_keys').set({ key_sealed }).where('id', '=', id).execute()
  }
}

async function resealWebhooks(trx: Transaction, { secretBox }: ResealServices): Promise<void> {
  const rows = await trx.query
    .selectFrom('webhook_endpoints')
    .select(['id', 'secret_sealed', 'old_secret_sealed'])
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id, secret_sealed, old_secret_sealed } of rows) {
    const resealed = {
      secret_sealed: secretBox.reseal(secret_sealed) ?? secret_sealed,
      old_secret_sealed:
        old_secret_sealed && (secretBox.reseal(old_secret_sealed) ?? old_secret_sealed),
    }
    await trx.query.updateTable('webhook_endpoints').set(resealed).where('id', '=', id).execute()
  }
}

async function resealPushKeys(trx: Transaction, { secretBox }: ResealServices): Promise<void> {
  const row = await trx.query
    .selectFrom('push_keys')
    .select('private_key_sealed')
    .forUpdate()
    .executeTakeFirst()
  const private_key_sealed = row ? secretBox.reseal(row.private_key_sealed) : null
  if (private_key_sealed === null) return
  await trx.query.updateTable('push_keys').set({ private_key_sealed }).execute()
}

async function resealGifts(trx: Transaction, { secretBox }: ResealServices): Promise<void> {
  const rows = await trx.query
    .selectFrom('gifts')
    .select(['id', 'code_sealed'])
    .where('redeemed_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id, code_sealed: old } of rows) {
    const code_sealed = old && secretBox.reseal(old)
    if (!code_sealed) continue
    await trx.query.updateTable('gifts').set({ code_sealed }).where('id', '=', id).execute()
  }
}

async function resealImports(trx: Transaction, { secretBox }: ResealServices): Promise<void> {
  const rows = await trx.query
    .selectFrom('imports')
    .select(['id', 'server_login_sealed'])
    .where('server_login_sealed', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id, server_login_sealed: old } of rows) {
    const server_login_sealed = secretBox.reseal(old ?? '')
    if (server_login_sealed === null) continue
    await trx.query
      .updateTable('imports')
      .set({ server_login_sealed })
      .where('id', '=', id)
      .execute()
  }
}

/** The passwords of the mail server and of the mailbox for bounces, and mails that wait. */
async function resealMails(trx: Transaction, { secretBox }: ResealServices): Promise<void> {
  const { password_sealed: old } = await trx.query
    .selectFrom('mail_settings')
    .select('password_sealed')
    .forUpdate()
    .executeTakeFirstOrThrow()
  const password_sealed = secretBox.reseal(old)
  if (password_sealed !== null) {
    await trx.query.updateTable('mail_settings').set({ password_sealed }).execute()
  }
  const bounces = await trx.query
    .selectFrom('bounce_settings')
    .select('password_sealed')
    .forUpdate()
    .executeTakeFirstOrThrow()
  const resealed = secretBox.reseal(bounces.password_sealed)
  if (resealed !== null) {
    await trx.query.updateTable('bounce_settings').set({ password_sealed: resealed }).execute()
  }
  const kept = await trx.query
    .selectFrom('kept_mails')
    .select(['id', 'sealed_mail'])
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id, sealed_mail: sealed } of kept) {
    const sealed_mail = secretBox.reseal(sealed)
    if (sealed_mail === null) continue
    await trx.query.updateTable('kept_mails').set({ sealed_mail }).where('id', '=', id).execute()
  }
}

async function resealStripeKey(trx: Transaction, { secretBox }: ResealServices): Promise<void> {
  const row = await readStripeConnection(trx, { lock: true })
  const key_sealed = secretBox.reseal(row.key_sealed)
  if (key_sealed === null) return
  await trx.query.updateTable('stripe_connection').set({ key_sealed }).execute()
}

/** better-auth's format: `$ba$1$` and the ciphertext. */
async function resealTwoFactors(trx: Transaction, services: ResealServices): Promise<number> {
  const rows = await trx.query
    .selectFrom('two_factors')
    .select(['id', 'secret', 'backup_codes'])
    .forUpdate()
    .execute()
  let count = 0
  for (const { id, ...sealed } of rows) {
    const secret = await resealOne(services.secrets, sealed.secret)
    const backup_codes = await resealOne(services.secrets, sealed.backup_codes)
    if (secret === sealed.secret && backup_codes === sealed.backup_codes) continue
    await trx.query
      .updateTable('two_factors')
      .set({ secret, backup_codes })
      .where('id', '=', id)
      .execute()
    count += 1
  }
  return count
}

/** Returned unchanged if it is encrypted with the current secret, or if no secret decrypts it. */
async function resealOne(
  [current, ...previous]: readonly [string, ...string[]],
  sealed: string,
): Promise<string> {
  if ((await openWith(current, sealed)) !== null) return sealed
  for (const secret of previous) {
    const data = await openWith(secret, sealed)
    const key = { keys: new Map([[1, current]]), currentVersion: 1 }
    if (data !== null) return symmetricEncrypt({ key, data })
  }
  return sealed
}

async function openWith(key: string, sealed: string): Promise<string | null> {
  const data = parseEnvelope(sealed)?.ciphertext ?? sealed
  try {
    return await symmetricDecrypt({ key, data })
  } catch {
    // Authenticated encryption: text encrypted with another key fails to decrypt.
    return null
  }
}
