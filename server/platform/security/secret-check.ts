// A known text, encrypted with SECRET and stored in the database. With another SECRET, the server refuses to start
// instead of signing everyone out and losing encrypted data.
import type { Config } from '../config/config.ts'
import { ConfigError } from '../config/read-setting.ts'
import { transaction, type Database } from '../db/database.ts'
import type { Log } from '../process/log.ts'
import { findSecrets, loadOrCreateSecrets } from './secret.ts'
import { createSecretBox, type SecretBox } from './secret-box.ts'

const knownText = 'velour'

type SecretConfig = Pick<Config, 'secret' | 'previousSecret' | 'dataDir' | 'acceptNewSecret'>

/**
 * Returns the SecretBox of the database. The first start stores the encrypted known text. Throws a ConfigError if
 * SECRET is not the one of the database.
 */
export async function openSecrets(
  db: Database,
  config: SecretConfig,
  log: Log,
): Promise<{ secrets: [string, ...string[]]; secretBox: SecretBox }> {
  return transaction(db, async (trx) => {
    const { secret_check } = await trx.query
      .selectFrom('installation')
      .select('secret_check')
      .forUpdate()
      .executeTakeFirstOrThrow()
    const isBound = secret_check !== '' && !config.acceptNewSecret
    const secrets = isBound ? await findSecrets(config) : await loadOrCreateSecrets(config)
    const secretBox = secrets && createSecretBox(secrets)
    const fits = secretBox !== null && fitsCheck(secretBox, secret_check)
    if (!secrets || !secretBox || (isBound && !fits)) {
      throw new ConfigError(otherSecret(config, secrets !== null))
    }
    const check = fits ? secretBox.reseal(secret_check) : sealCheck(secretBox)
    if (check !== null)
      await trx.query.updateTable('installation').set('secret_check', check).execute()
    if (!fits && secret_check !== '') {
      log.warn(
        {},
        'ACCEPT_NEW_SECRET: data encrypted with the lost SECRET can no longer be decrypted',
      )
    }
    return { secrets, secretBox }
  })
}

/**
 * Throws a ConfigError if SECRET is not the one of the database. Changes nothing. Returns false if the database
 * stores no known text yet.
 */
export async function checkSecret(db: Database, config: SecretConfig): Promise<boolean> {
  const { secret_check } = await db.query
    .selectFrom('installation')
    .select('secret_check')
    .executeTakeFirstOrThrow()
  if (secret_check === '') return false
  const secrets = await findSecrets(config)
  if (secrets === null || !fitsCheck(createSecretBox(secrets), secret_check)) {
    throw new ConfigError(otherSecret(config, secrets !== null))
  }
  return true
}

const sealCheck = (secretBox: SecretBox): string => secretBox.seal(knownText)

/** Whether the stored text was encrypted with this secret. */
export const isKeyOf = (check: string, secret: string): boolean =>
  fitsCheck(createSecretBox([secret]), check)

const fitsCheck = (secretBox: SecretBox, check: string): boolean =>
  secretBox.open(check) === knownText

function otherSecret({ secret, dataDir }: SecretConfig, isThere: boolean): string {
  const what = secret === null ? `The key in ${dataDir}/secret` : 'SECRET'
  return (
    `${what} is ${isThere ? 'not' : 'missing. It must be'} the key that this database was used with: set SECRET to that key, ` +
    'or set SECRET_PREVIOUS to it to change the key. If it is lost, start once with ACCEPT_NEW_SECRET=on, which signs everyone out and loses what it encrypted.'
  )
}
