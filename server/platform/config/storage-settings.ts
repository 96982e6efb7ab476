// Reads the settings of storage, delivery and backups.
import { createPrivateKey } from 'node:crypto'
import { readBackupOptions } from './backup-options.ts'
import type { S3Account } from './backup-place.ts'
import type { CdnOptions } from './cdn-address.ts'
import { ConfigError, integer, oneOf, text, url, type Environment } from './read-setting.ts'
import type { S3Options } from './s3-options.ts'

export function storageSettings(
  env: Environment,
  dataDir: string,
  { hasSecret, isShared }: { hasSecret: boolean; isShared: boolean },
) {
  const account = s3Account(env)
  const s3 = s3Options(env, account)
  if (s3 && isShared && !hasSecret) {
    throw new ConfigError(
      'DATABASE_URL and S3_BUCKET make this one of several instances: set the same SECRET for all of them.',
    )
  }
  const s3Delivery = oneOf(env, 'S3_DELIVERY', ['redirect', 'proxy']) ?? 'redirect'
  const cdn = cdnOptions(env)
  if (cdn && (s3 === null || s3Delivery === 'proxy')) {
    throw new ConfigError(
      'CDN_URL needs S3_BUCKET, and S3_DELIVERY=redirect, which is the default.',
    )
  }
  return {
    s3,
    s3Account: account,
    ...backupOptions(env, { account, s3, dataDir }),
    s3Delivery,
    s3Upload: oneOf(env, 'S3_UPLOAD', ['direct', 'proxy']) ?? 'direct',
    cdn,
  }
}

function s3Options(env: Environment, account: S3Account | null): S3Options | null {
  const bucket = text(env, 'S3_BUCKET')
  if (bucket === null) return null
  if (account === null) {
    throw new ConfigError('S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.')
  }
  return { bucket, ...account }
}

function s3Account(env: Environment): S3Account | null {
  const accessKeyId = text(env, 'S3_ACCESS_KEY_ID')
  const secretAccessKey = text(env, 'S3_SECRET_ACCESS_KEY')
  if (accessKeyId === null || secretAccessKey === null) return null
  return {
    region: text(env, 'S3_REGION') ?? 'us-east-1',
    endpoint: url(env, 'S3_ENDPOINT', ['http:', 'https:']),
    publicEndpoint: url(env, 'S3_PUBLIC_ENDPOINT', ['http:', 'https:']),
    accessKeyId,
    secretAccessKey,
  }
}

function backupOptions(
  env: Environment,
  facts: { account: S3Account | null; s3: S3Options | null; dataDir: string },
) {
  const options = readBackupOptions({
    to: text(env, 'BACKUP_TO'),
    schedule: text(env, 'BACKUP_SCHEDULE'),
    keep: integer(env, 'BACKUP_KEEP', 14, 1, 10_000),
    passphrase: text(env, 'BACKUP_PASSPHRASE'),
    ...facts,
  })
  if (typeof options === 'string') throw new ConfigError(options)
  return options
}

/** Reads the settings of the CDN. It verifies signatures itself, so it needs a secret or a key pair. */
function cdnOptions(env: Environment): CdnOptions | null {
  const address = url(env, 'CDN_URL', ['http:', 'https:'])
  if (address === null) return null
  const keyPairId = text(env, 'CDN_KEY_PAIR_ID')
  const privateKey = text(env, 'CDN_PRIVATE_KEY')
  const secret = text(env, 'CDN_SECRET')
  const base = { url: address.replace(/\/$/, '') }
  if (secret !== null && keyPairId === null && privateKey === null) {
    return { ...base, signing: { kind: 'hmac', secret } }
  }
  if (secret === null && keyPairId !== null && privateKey !== null) {
    return { ...base, signing: { kind: 'signed-url', keyPairId, privateKey: parsePem(privateKey) } }
  }
  throw new ConfigError(
    'CDN_URL needs a signing key: CDN_KEY_PAIR_ID and CDN_PRIVATE_KEY, or CDN_SECRET.',
  )
}

/** Accepts PEM, or PEM encoded as base64, which fits into one line of any environment file. */
function parsePem(key: string): string {
  const pem = key.startsWith('-----') ? key : Buffer.from(key, 'base64').toString()
  try {
    createPrivateKey(pem)
    return pem
  } catch {
    throw new ConfigError(
      'CDN_PRIVATE_KEY must be a private key as PEM, or as base64 of the PEM text.',
    )
  }
}
