// Re-encrypts the secrets in the database at startup after SECRET was changed, so that the old SECRET can be removed.
// Can run at any time and on any number of instances: values that cannot be decrypted are never overwritten.
import type { FastifyBaseLogger } from 'fastify'
import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { sql } from 'kysely'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'

interface ResealServices {
  db: Database
  secretBox: SecretBox
  secrets: readonly [string, ...string[]]
  log: FastifyBaseLogger
}

/** All columns that a `SecretBox` encrypts. Each of the tables has a column `id`. */
export const sealedColumns = [
  ['settings', 'stripe_webhook_secret'],
  ['stripe_connection', 'key_sealed'],
  ['mail_settings', 'password_sealed'],
  ['bounce_settings', 'password_sealed'],
  ['kept_mails', 'sealed_mail'],
  ['device_keys', 'key_sealed'],
  ['webhook_endpoints', 'secret_sealed'],
  ['webhook_endpoints', 'old_secret_sealed'],
  ['push_keys', 'private_key_sealed'],
  ['gifts', 'code_sealed'],
  ['imports', 'server_login_sealed'],
] as const

export async function resealAll(services: ResealServices): Promise<void> {
  const { db, log } = services
  const count = await transaction(db, async (trx) => {
    for (const [table, column] of sealedColumns) {
      await resealColumn(trx, services, { table, column })
    }
    return resealTwoFactors(trx, services)
  })
  log.info(
    { two_factors: count },
    'data encrypted with SECRET_PREVIOUS was re-encrypted with SECRET',
  )
}

async function resealColumn(
  trx: Transaction,
  { secretBox }: ResealServices,
  { table, column }: { table: string; column: string },
): Promise<void> {
  const [from, sealed] = [sql.table(table), sql.ref(column)]
  const { rows } = await sql<{ id: string | number; old: string }>`
    select id, ${sealed} as old from ${from} where ${sealed} is not null order by id for update`.execute(
    trx.query,
  )
  for (const { id, old } of rows) {
    const resealed = secretBox.reseal(old)
    if (resealed === null) continue
    await sql`update ${from} set ${sealed} = ${resealed} where id = ${id}`.execute(trx.query)
  }
}

/** Re-encrypts second factors, which have better-auth's format: `$ba$1$` and the ciphertext. */
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

/**
 * Re-encrypts one value. Returns it unchanged if it is encrypted with the current SECRET, or if no SECRET decrypts it.
 */
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
    // Try the next SECRET: the encryption is authenticated, so decrypting with a wrong one fails.
    return null
  }
}
