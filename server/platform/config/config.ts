// The only module that reads the environment. Invalid combinations end the start with one sentence.
import { createPrivateKey } from 'node:crypto'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { demoPassword } from '#contract/demo.ts'
import { readBackupOptions, type BackupOptions } from './backup-options.ts'
import type { S3Account } from './backup-place.ts'
import { splitHosts } from './database-hosts.ts'
import { OperatorError } from './operator-error.ts'
import type { CdnOptions } from './cdn-address.ts'
import type { S3Options } from './s3-options.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

export interface TracerOptions {
  /** The collector's address; spans go to `/v1/traces` below it. */
  endpoint: string
  headers: Record<string, string>
  serviceName: string
}

export interface Config {
  host: string
  port: number
  /** What this process does: answer requests, work off jobs, or both. */
  role: 'web' | 'worker' | 'all'
  /** The commit of the code, from VELOUR_COMMIT; null: not set. */
  commit: string | null
  /** Everything that Velour keeps: database, audio, pictures, outbox. */
  dataDir: string
  /** An own PostgreSQL ≥ 15; null: the embedded one. */
  databaseUrl: string | null
  /** The role there that owns the tables; null: the one of `databaseUrl`. */
  databaseOwnerUrl: string | null
  /** A standby of that PostgreSQL, which some lists are read from; null: all come from where writes go. */
  databaseReplicaUrl: string | null
  databasePoolSize: number
  /** Address that people type; decides cookies and links in mails. */
  publicUrl: string
  demo: boolean
  adminEmail: string | null
  adminPassword: string | null
  brandName: string
  artistName: string
  contactEmail: string
  smtpUrl: string | null
  mailFrom: string
  /** Who gets mails about alerts; null: the admins. */
  alertMailTo: string[] | null
  /** Gets the same as JSON; null: nobody does. */
  alertWebhook: string | null
  requireEmailVerification: boolean
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  trustProxy: string[] | false
  ffmpegPath: string | null
  /** Audio and pictures in an S3-compatible store; null: in files below `dataDir`. */
  s3: S3Options | null
  /** Address and keys of the store, also for backups; null: no keys are set. */
  s3Account: S3Account | null
  /** Where backups go by themselves; null: nowhere. */
  backup: BackupOptions | null
  /** Encrypts backups; null: they are not encrypted. */
  backupPassphrase: string | null
  /** How whole tracks leave an S3 store: by a short-lived address of the store itself, or through this server. */
  s3Delivery: 'redirect' | 'proxy'
  /** How parts of uploads come to an S3 store: straight from browsers, or through this server. */
  s3Upload: 'direct' | 'proxy'
  /** A CDN in front of the store, which listeners are sent to instead of it. */
  cdn: CdnOptions | null
  /** Switches purchases on; null: 'Coming Soon'. */
  stripeSecretKey: string | null
  /** Where Stripe's API is, when it is not Stripe's own. */
  stripeApiUrl: string | null
  /** What a Prometheus shows to read /metrics; null: there is no such address. */
  metricsToken: string | null
  /** The OpenTelemetry collector that gets traces; null: none are made. */
  traces: TracerOptions | null
  /** Null: quiet at a terminal, `info` for whoever collects the log. */
  logLevel: LogLevel | null
  /** Signs cookies and tokens; null: generated once and kept in the data folder. */
  secret: string | null
  /** The one before it, while it is being changed: opens what it sealed, signs nothing. */
  previousSecret: string | null
  /** The database's key is lost: start with another one, although nothing that it sealed can be opened. */
  acceptNewSecret: boolean
  /** Start with a storage that does not carry the database's installation id. */
  acceptNewStorage: boolean
}

/** Thrown for a setting that cannot work; its message is all that the person at the terminal needs. */
export class ConfigError extends OperatorError {}

/** Of a service whose owner named none. */
export const defaultContactEmail = 'hello@velour.test'

type Environment = Record<string, string | undefined>

/** Reads and checks the environment. Throws a ConfigError. */
export function readConfig(env: Environment): Config {
  const host = text(env, 'HOST') ?? '127.0.0.1'
  const port = integer(env, 'PORT', 3000, 0, 65_535)
  const demo = flag(env, 'DEMO', true)
  const publicUrl =
    url(env, 'PUBLIC_URL', ['http:', 'https:']) ?? `http://${linkHost(host)}:${port}`
  const adminEmail = text(env, 'ADMIN_EMAIL')?.toLowerCase() ?? null
  const adminPassword = text(env, 'ADMIN_PASSWORD')
  if ((adminEmail === null) !== (adminPassword === null)) {
    throw new ConfigError('ADMIN_EMAIL and ADMIN_PASSWORD belong together: set both or neither.')
  }
  if (adminPassword !== null && adminPassword.length < 8) {
    throw new ConfigError('ADMIN_PASSWORD needs at least 8 characters.')
  }
  if (adminPassword === demoPassword) {
    throw new ConfigError('ADMIN_PASSWORD is the public password of the demo: choose another one.')
  }
  const secret = text(env, 'SECRET')
  if (secret !== null && secret.length < 32) {
    throw new ConfigError('SECRET needs at least 32 characters.')
  }
  const previousSecret = text(env, 'SECRET_PREVIOUS')
  if (previousSecret !== null && (secret === null || secret === previousSecret)) {
    throw new ConfigError('SECRET_PREVIOUS is what SECRET was before: set SECRET to another one.')
  }
  const stripeSecretKey = text(env, 'STRIPE_SECRET_KEY')
  if (stripeSecretKey !== null && !/^[sr]k_/.test(stripeSecretKey)) {
    throw new ConfigError('STRIPE_SECRET_KEY must be a secret key: it starts with sk_ or rk_.')
  }
  const databaseUrl = databaseAddress(env, 'DATABASE_URL')
  const databaseOwnerUrl = databaseAddress(env, 'DATABASE_OWNER_URL')
  if (databaseOwnerUrl !== null && databaseUrl === null) {
    throw new ConfigError('DATABASE_OWNER_URL needs DATABASE_URL, which the server works with.')
  }
  const databaseReplicaUrl = databaseAddress(env, 'DATABASE_REPLICA_URL')
  if (databaseReplicaUrl !== null && databaseUrl === null) {
    throw new ConfigError('DATABASE_REPLICA_URL needs DATABASE_URL, whose writes it follows.')
  }
  const role = oneOf(env, 'ROLE', ['web', 'worker', 'all']) ?? 'all'
  if (role !== 'all' && databaseUrl === null) {
    throw new ConfigError(
      `ROLE=${role} needs DATABASE_URL: the embedded database belongs to one process.`,
    )
  }
  const account = s3Account(env)
  const s3 = s3Options(env, account)
  if (s3 && databaseUrl && secret === null) {
    throw new ConfigError(
      'DATABASE_URL and S3_BUCKET make this one of several instances: set SECRET, the same for all of them.',
    )
  }
  const s3Delivery = oneOf(env, 'S3_DELIVERY', ['redirect', 'proxy']) ?? 'redirect'
  const cdn = cdnOptions(env)
  if (cdn && (s3 === null || s3Delivery === 'proxy')) {
    throw new ConfigError(
      'CDN_URL needs S3_BUCKET, and S3_DELIVERY=redirect, which is the default.',
    )
  }
  const metricsToken = text(env, 'METRICS_TOKEN')
  if (metricsToken !== null && metricsToken.length < 16) {
    throw new ConfigError('METRICS_TOKEN needs at least 16 characters.')
  }
  const brandName = text(env, 'BRAND_NAME') ?? 'Velour'
  const dataDir = resolve(
    text(env, 'DATA_DIR') ?? fileURLToPath(new URL('../../../data', import.meta.url)),
  )
  return {
    host,
    port,
    role,
    commit: commitName(env),
    dataDir,
    databaseUrl,
    databaseOwnerUrl,
    databaseReplicaUrl,
    databasePoolSize: integer(env, 'DATABASE_POOL_SIZE', 16, 4, 200),
    publicUrl: publicUrl.replace(/\/$/, ''),
    demo,
    adminEmail,
    adminPassword,
    brandName,
    artistName: text(env, 'ARTIST_NAME') ?? brandName,
    contactEmail: text(env, 'CONTACT_EMAIL') ?? defaultContactEmail,
    smtpUrl: url(env, 'SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: text(env, 'MAIL_FROM') ?? `${brandName} <no-reply@${mailDomain(publicUrl)}>`,
    alertMailTo: addresses(env, 'ALERT_MAIL_TO'),
    alertWebhook: url(env, 'ALERT_WEBHOOK', ['http:', 'https:']),
    requireEmailVerification: flag(env, 'REQUIRE_EMAIL_VERIFICATION', false),
    trustProxy: list(env, 'TRUST_PROXY'),
    ffmpegPath: text(env, 'FFMPEG_PATH'),
    s3,
    s3Account: account,
    ...backupOptions(env, { account, s3, dataDir }),
    s3Delivery,
    s3Upload: oneOf(env, 'S3_UPLOAD', ['direct', 'proxy']) ?? 'direct',
    cdn,
    stripeSecretKey,
    stripeApiUrl: url(env, 'STRIPE_API_URL', ['http:', 'https:']),
    metricsToken,
    traces: tracesOptions(env),
    logLevel: oneOf(env, 'LOG_LEVEL', logLevels),
    secret,
    previousSecret,
    acceptNewSecret: flag(env, 'ACCEPT_NEW_SECRET', false),
    acceptNewStorage: flag(env, 'ACCEPT_NEW_STORAGE', false),
  }
}

/** Set when a copy is built without its repository, such as a container image. */
function commitName(env: Environment): string | null {
  const value = text(env, 'VELOUR_COMMIT')
  if (value === null || /^[0-9a-f]{7,64}$/i.test(value)) return value
  throw new ConfigError('VELOUR_COMMIT must be the hash of a commit: 7 to 64 hexadecimal digits.')
}

/** Of a sender that nobody has named. Mail servers refuse a domain that cannot exist, such as `.test`. */
function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return /^[\d.]+$|^\[|^localhost$/.test(hostname) ? 'velour.test' : hostname
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
): Pick<Config, 'backup' | 'backupPassphrase'> {
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

/** Who fetches from it is checked by the CDN itself, so it has to share a secret with us. */
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
    return { ...base, signing: { kind: 'signed-url', keyPairId, privateKey: pemOf(privateKey) } }
  }
  throw new ConfigError(
    'CDN_URL needs what its addresses are signed with: CDN_KEY_PAIR_ID and CDN_PRIVATE_KEY, or CDN_SECRET.',
  )
}

/** As it is, or in one line as base64, which every kind of environment can hold. */
function pemOf(key: string): string {
  const pem = key.startsWith('-----') ? key : Buffer.from(key, 'base64').toString()
  try {
    createPrivateKey(pem)
    return pem
  } catch {
    throw new ConfigError('CDN_PRIVATE_KEY must be a private key in PEM, or that as base64.')
  }
}

/** The names that OpenTelemetry gives them. */
function tracesOptions(env: Environment): TracerOptions | null {
  const endpoint = url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])
  if (endpoint === null) return null
  const pairs = list(env, 'OTEL_EXPORTER_OTLP_HEADERS') || []
  const headers = pairs.map((pair) => {
    const [, name, value] = /^([\w-]+)=(.*)$/.exec(pair) ?? []
    if (name && value !== undefined) return [name.toLowerCase(), decodeURIComponent(value)] as const
    throw new ConfigError('OTEL_EXPORTER_OTLP_HEADERS must look like name=value,name=value.')
  })
  const serviceName = text(env, 'OTEL_SERVICE_NAME') ?? 'velour'
  return { endpoint, headers: Object.fromEntries(headers), serviceName }
}

/** A host name or address, as HOST or a URL has it. */
export function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)
}

/** The setting by which strangers can reach the service, such as `HOST=0.0.0.0`; null: only this machine can. */
export function findPublicSetting(
  config: Pick<Config, 'host' | 'publicUrl' | 'trustProxy'>,
): string | null {
  const { host, publicUrl, trustProxy } = config
  if (!isLoopback(host)) return `HOST=${host}`
  if (!isLoopback(new URL(publicUrl).hostname)) return `PUBLIC_URL=${publicUrl}`
  if (trustProxy !== false) return `TRUST_PROXY=${trustProxy.join(',')}`
  return null
}

/** Throws a ConfigError where strangers could sign in with the demo's password. For the server; tools may run anyway. */
export function refusePublicDemo(config: Config): void {
  const setting = config.demo ? findPublicSetting(config) : null
  if (setting === null) return
  throw new ConfigError(
    `${setting} makes this service public, but the demo with its known password is on. ` +
      'Set DEMO=off, and ADMIN_EMAIL and ADMIN_PASSWORD for the first admin.',
  )
}

function linkHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function text(env: Environment, name: string): string | null {
  const value = env[name]?.trim()
  return value ? value : null
}

function integer(env: Environment, name: string, fallback: number, min: number, max: number) {
  const value = text(env, name)
  if (value === null) return fallback
  const number = Number(value)
  if (!Number.isInteger(number) || number < min || number > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`)
  }
  return number
}

function flag(env: Environment, name: string, fallback: boolean): boolean {
  const value = text(env, name)?.toLowerCase()
  if (value === undefined) return fallback
  if (['on', 'true', 'yes', '1'].includes(value)) return true
  if (['off', 'false', 'no', '0'].includes(value)) return false
  throw new ConfigError(`${name} must be "on" or "off", not "${value}".`)
}

function url(env: Environment, name: string, protocols: string[]): string | null {
  const value = text(env, name)
  if (value === null) return null
  const parsed = URL.canParse(value) ? new URL(value) : null
  if (!parsed || !protocols.includes(parsed.protocol)) {
    throw new ConfigError(
      `${name} must be an address that starts with ${protocols.join(' or ')}//.`,
    )
  }
  return value
}

/** May name several servers of one cluster: `postgres://…@one:5432,two:5432/name`. */
function databaseAddress(env: Environment, name: string): string | null {
  const value = text(env, name)
  if (value === null) return null
  const isAddress = (): boolean => {
    try {
      return splitHosts(value).every(({ protocol }) => /^postgres(?:ql)?:$/.test(protocol))
    } catch {
      return false
    }
  }
  if (isAddress()) return value
  throw new ConfigError(`${name} must be an address that starts with postgres:// or postgresql://.`)
}

function list(env: Environment, name: string): string[] | false {
  const value = text(env, name)
  if (value === null) return false
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

function addresses(env: Environment, name: string): string[] | null {
  const found = list(env, name) || null
  if (found?.every((address) => /^[^@\s]+@[^@\s]+$/.test(address)) ?? true) return found
  throw new ConfigError(`${name} must be e-mail addresses, with commas between them.`)
}

function oneOf<const T extends string>(
  env: Environment,
  name: string,
  choices: readonly T[],
): T | null {
  const value = text(env, name)
  if (value === null) return null
  const found = choices.find((choice) => choice === value)
  if (!found) throw new ConfigError(`${name} must be one of ${choices.join(', ')}.`)
  return found
}
