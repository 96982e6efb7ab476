// The key pair that identifies this service to push services (VAPID, RFC 8292). The key pair is generated when it is
// first needed. The private key is stored encrypted.
import { createECDH, createPrivateKey, sign } from 'node:crypto'
import { lockByName, lockNames } from '../../platform/db/advisory-locks.ts'
import { transaction, type Database, type Handle } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'

export interface PushKeyPair {
  /** The public key: an uncompressed point on the curve P-256, in base64url. */
  publicKey: string
  /** The private key, in base64url. */
  privateKey: string
}

/**
 * Returns the key pair, and generates it if there is none. A browser's subscription works only with the public key that
 * it was created with. If SECRET was lost, a new key pair is generated and all subscriptions are deleted.
 */
export async function readPushKeys(
  db: Database,
  secretBox: Pick<SecretBox, 'seal' | 'open'>,
): Promise<PushKeyPair> {
  const known = await findKeys(db, secretBox)
  if (known) return known
  return transaction(db, async (trx) => {
    await lockByName(trx, lockNames.pushKeys())
    const made = await findKeys(trx, secretBox)
    if (made) return made
    const pair = createECDH('prime256v1')
    const publicKey = pair.generateKeys('base64url')
    const privateKey = pair.getPrivateKey('base64url')
    const values = { public_key: publicKey, private_key_sealed: secretBox.seal(privateKey) }
    await trx.query.deleteFrom('push_subscriptions').execute()
    await trx.query
      .insertInto('push_keys')
      .values(values)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute()
    return { publicKey, privateKey }
  })
}

async function findKeys(
  handle: Handle,
  secretBox: Pick<SecretBox, 'open'>,
): Promise<PushKeyPair | null> {
  const row = await handle.query
    .selectFrom('push_keys')
    .select(['public_key', 'private_key_sealed'])
    .executeTakeFirst()
  const privateKey = row && secretBox.open(row.private_key_sealed)
  return privateKey ? { publicKey: row.public_key, privateKey } : null
}

/** How long an authorization is valid. Push services accept at most one day (RFC 8292 §2). */
const validSeconds = 12 * 3600

/** Returns the `authorization` header for a push service (RFC 8292 §3). `subject` is the owner's contact address. */
export function authorizePush(
  { publicKey, privateKey }: PushKeyPair,
  { endpoint, subject, now }: { endpoint: string; subject: string; now: Date },
): string {
  const point = Buffer.from(publicKey, 'base64url')
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: privateKey,
    },
  })
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1000) + validSeconds,
    sub: subject,
  }
  const unsigned = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(unsigned), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${unsigned}.${signature.toString('base64url')}, k=${publicKey}`
}
