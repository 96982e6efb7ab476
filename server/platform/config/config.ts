// The only module that reads the environment. An invalid combination ends the start with a short error message.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { demoPassword } from '#contract/demo.ts'
import type { BackupOptions } from './backup-options.ts'
import type { S3Account } from './backup-place.ts'
import type { CdnOptions } from './cdn-address.ts'
import {
  addresses,
  ConfigError,
  databaseAddress,
  flag,
  integer,
  list,
  oneOf,
  text,
  url,
  type Environment,
} from './read-setting.ts'
import type { S3Options } from './s3-options.ts'
import { storageSettings } from './storage-settings.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

export interface TracerOptions {
  /** Base URL of the collector. Spans are sent to `/v1/traces` below it. */
  endpoint: string
  headers: Record<string, string>
  serviceName: string
}

export interface Config {
  host: string
  port: number
  /** What this process does: serve requests, run jobs, or both. */
  role: 'web' | 'worker' | 'all'
  /** The commit of the code, from VELOUR_COMMIT. Null if it is not set. */
  commit: string | null
  /** The folder for all data: database, audio, pictures, outbox. */
  dataDir: string
  /** URL of an external PostgreSQL ≥ 15. Null if the embedded one is used. */
  databaseUrl: string | null
  /** Database URL for the role that owns the tables. Null if `databaseUrl` has that role. */
  databaseOwnerUrl: string | null
  /** URL of a standby of the external PostgreSQL, which answers some lists. Null if all reads go to the primary. */
  databaseReplicaUrl: string | null
  databasePoolSize: number
  /** Public URL of the service. Used for cookies and for links in emails. */
  publicUrl: string
  demo: boolean
  adminEmail: string | null
  adminPassword: string | null
  brandName: string
  artistName: string
  contactEmail: string
  smtpUrl: string | null
  mailFrom: string
  /** False if `mailFrom` was derived from the service's name and public URL. */
  isMailFromSet: boolean
  /** URL of the mailbox that receives bounces: `imaps://user:password@host/folder`. */
  bounceMailboxUrl: string | null
  /**
   * The envelope sender of all emails. If null, the bounce address entered by the owner is used, otherwise the
   * sender's address.
   */
  bounceAddress: string | null
  /** DNS servers for the check of the sender's domain. Null to use those of the system. */
  dnsServers: string[] | null
  /** Recipients of alert emails. Null for all admins. */
  alertMailTo: string[] | null
  /** URL that receives alerts as JSON. Null if there is none. */
  alertWebhook: string | null
  /** Webhooks may be sent to loopback and private addresses. */
  webhooksToPrivateAddresses: boolean
  /** Imports may read servers at loopback and private addresses, also without TLS. */
  importsFromPrivateAddresses: boolean
  requireEmailVerification: boolean
  /** Addresses of proxies whose X-Forwarded-For is trusted. */
  trustProxy: string[] | false
  ffmpegPath: string | null
  /** S3-compatible store for audio and pictures. Null if they are files below `dataDir`. */
  s3: S3Options | null
  /** Endpoint and keys of the S3-compatible store, also used for backups. Null if no keys are set. */
  s3Account: S3Account | null
  /** Target and schedule of automatic backups. Null if none are made. */
  backup: BackupOptions | null
  /** Passphrase that encrypts backups. Null if they are not encrypted. */
  backupPassphrase: string | null
  /**
   * How full tracks are delivered from an S3 store: by a redirect to a short-lived URL of the store, or through this
   * server.
   */
  s3Delivery: 'redirect' | 'proxy'
  /** How parts of uploads are sent to an S3 store: directly by browsers, or through this server. */
  s3Upload: 'direct' | 'proxy'
  /** A CDN in front of the object store. If set, listeners are redirected to the CDN instead of the store. */
  cdn: CdnOptions | null
  /** Stripe's API key, which enables purchases. If null, the app shows 'Coming Soon'. */
  stripeSecretKey: string | null
  /** Base URL of Stripe's API, if it is not the default. */
  stripeApiUrl: string | null
  /** Bearer token for /metrics. If null, /metrics returns 404. */
  metricsToken: string | null
  /** The OpenTelemetry collector for traces. Null if traces are not recorded. */
  traces: TracerOptions | null
  /** Null for the default: `warn` if the output is a terminal, otherwise `info`. */
  logLevel: LogLevel | null
  /** Signs cookies and tokens. If null, a secret is generated and stored in the data folder. */
  secret: string | null
  /** The previous secret, during a rotation. Used to decrypt existing data, never to sign. */
  previousSecret: string | null
  /**
   * Start although the secret is not the one with which the database was encrypted. What was encrypted with the lost
   * secret can't be decrypted.
   */
  acceptNewSecret: boolean
  /** Start although the storage does not contain the installation id of the database. */
  acceptNewStorage: boolean
}

/** Contact address that is shown until the owner sets one. */
export const defaultContactEmail = 'hello@velour.test'

/** Reads and checks the environment. Throws a ConfigError. */
export function readConfig(env: Environment): Config {
  const host = text(env, 'HOST') ?? '127.0.0.1'
  const port = integer(env, 'PORT', 3000, 0, 65_535)
  const publicUrl =
    url(env, 'PUBLIC_URL', ['http:', 'https:']) ?? `http://${linkHost(host)}:${port}`
  const secrets = secretSettings(env)
  const database = databaseSettings(env)
  const dataDir = resolve(
    text(env, 'DATA_DIR') ?? fileURLToPath(new URL('../../../data', import.meta.url)),
  )
  return {
    host,
    port,
    commit: commitName(env),
    dataDir,
    ...database,
    publicUrl: publicUrl.replace(/\/$/, ''),
    demo: flag(env, 'DEMO', true),
    ...adminAccount(env),
    ...identity(env, publicUrl),
    smtpUrl: url(env, 'SMTP_URL', ['smtp:', 'smtps:']),
    ...bounceSettings(env),
    dnsServers: list(env, 'DNS_SERVERS') || null,
    alertMailTo: addresses(env, 'ALERT_MAIL_TO'),
    alertWebhook: url(env, 'ALERT_WEBHOOK', ['http:', 'https:']),
    webhooksToPrivateAddresses: flag(env, 'WEBHOOKS_TO_PRIVATE_ADDRESSES', false),
    importsFromPrivateAddresses: flag(env, 'IMPORTS_FROM_PRIVATE_ADDRESSES', false),
    requireEmailVerification: flag(env, 'REQUIRE_EMAIL_VERIFICATION', false),
    trustProxy: list(env, 'TRUST_PROXY'),
    ffmpegPath: text(env, 'FFMPEG_PATH'),
    ...storageSettings(env, dataDir, {
      hasSecret: secrets.secret !== null,
      isShared: database.databaseUrl !== null,
    }),
    stripeSecretKey: stripeKey(env),
    stripeApiUrl: url(env, 'STRIPE_API_URL', ['http:', 'https:']),
    metricsToken: metricsToken(env),
    traces: tracesOptions(env),
    logLevel: oneOf(env, 'LOG_LEVEL', logLevels),
    ...secrets,
    acceptNewSecret: flag(env, 'ACCEPT_NEW_SECRET', false),
    acceptNewStorage: flag(env, 'ACCEPT_NEW_STORAGE', false),
  }
}

function adminAccount(env: Environment) {
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
  return { adminEmail, adminPassword }
}

function identity(env: Environment, publicUrl: string) {
  const brandName = text(env, 'BRAND_NAME') ?? 'Velour'
  return {
    brandName,
    artistName: text(env, 'ARTIST_NAME') ?? brandName,
    contactEmail: text(env, 'CONTACT_EMAIL') ?? defaultContactEmail,
    isMailFromSet: text(env, 'MAIL_FROM') !== null,
    mailFrom: text(env, 'MAIL_FROM') ?? `${brandName} <no-reply@${mailDomain(publicUrl)}>`,
  }
}

function bounceSettings(env: Environment) {
  const bounceMailboxUrl = url(env, 'BOUNCE_MAILBOX_URL', ['imap:', 'imaps:'])
  if (bounceMailboxUrl !== null && !isMailboxUrl(bounceMailboxUrl)) {
    throw new ConfigError('BOUNCE_MAILBOX_URL must look like imaps://user:password@host/INBOX.')
  }
  const bounceAddress = text(env, 'BOUNCE_ADDRESS')
  if (bounceAddress !== null && !/^[^\s@<>",;]+@[^\s@<>",;]+$/.test(bounceAddress)) {
    throw new ConfigError('BOUNCE_ADDRESS must be one address, as in bounces@example.com.')
  }
  return { bounceMailboxUrl, bounceAddress }
}

function isMailboxUrl(value: string): boolean {
  const { username, password, pathname } = new URL(value)
  try {
    return decodeURIComponent(username + password + pathname) !== '' && username !== ''
  } catch {
    // The URL contains an incomplete escape sequence.
    return false
  }
}

function secretSettings(env: Environment) {
  const secret = text(env, 'SECRET')
  if (secret !== null && secret.length < 32) {
    throw new ConfigError('SECRET needs at least 32 characters.')
  }
  const previousSecret = text(env, 'SECRET_PREVIOUS')
  if (previousSecret !== null && (secret === null || secret === previousSecret)) {
    throw new ConfigError(
      'SECRET_PREVIOUS is the key that SECRET replaces: set SECRET to a different key.',
    )
  }
  return { secret, previousSecret }
}

function stripeKey(env: Environment): string | null {
  const key = text(env, 'STRIPE_SECRET_KEY')
  if (key === null || /^[sr]k_/.test(key)) return key
  throw new ConfigError('STRIPE_SECRET_KEY must be a secret key: it starts with sk_ or rk_.')
}

function metricsToken(env: Environment): string | null {
  const token = text(env, 'METRICS_TOKEN')
  if (token === null || token.length >= 16) return token
  throw new ConfigError('METRICS_TOKEN needs at least 16 characters.')
}

function databaseSettings(env: Environment) {
  const databaseUrl = databaseAddress(env, 'DATABASE_URL')
  const databaseOwnerUrl = databaseAddress(env, 'DATABASE_OWNER_URL')
  if (databaseOwnerUrl !== null && databaseUrl === null) {
    throw new ConfigError(
      'DATABASE_OWNER_URL needs DATABASE_URL, the address that the server uses.',
    )
  }
  const databaseReplicaUrl = databaseAddress(env, 'DATABASE_REPLICA_URL')
  if (databaseReplicaUrl !== null && databaseUrl === null) {
    throw new ConfigError(
      'DATABASE_REPLICA_URL needs DATABASE_URL, the primary that it replicates.',
    )
  }
  const role = oneOf(env, 'ROLE', ['web', 'worker', 'all']) ?? 'all'
  if (role !== 'all' && databaseUrl === null) {
    throw new ConfigError(
      `ROLE=${role} needs DATABASE_URL: the embedded database belongs to one process.`,
    )
  }
  const databasePoolSize = integer(env, 'DATABASE_POOL_SIZE', 16, 4, 200)
  return { role, databaseUrl, databaseOwnerUrl, databaseReplicaUrl, databasePoolSize }
}

/** The commit from VELOUR_COMMIT, which is set for copies without a repository, such as container images. */
function commitName(env: Environment): string | null {
  const value = text(env, 'VELOUR_COMMIT')
  if (value === null || /^[0-9a-f]{7,64}$/i.test(value)) return value
  throw new ConfigError('VELOUR_COMMIT must be the hash of a commit: 7 to 64 hexadecimal digits.')
}

/** Domain of the default sender address. Mail servers refuse domains that cannot exist, such as `.test`. */
function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return /^[\d.]+$|^\[|^localhost$/.test(hostname) ? 'velour.test' : hostname
}

/** Reads the settings for traces, which have the variable names that OpenTelemetry defines. */
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

/** Whether a host can only be reached from this machine. `host` is a host name or address, as in HOST or in a URL. */
export function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)
}

/**
 * The setting that makes the service reachable from other machines, such as `HOST=0.0.0.0`. Null if it is reachable
 * only from this machine.
 */
export function findPublicSetting(
  config: Pick<Config, 'host' | 'publicUrl' | 'trustProxy'>,
): string | null {
  const { host, publicUrl, trustProxy } = config
  if (!isLoopback(host)) return `HOST=${host}`
  if (!isLoopback(new URL(publicUrl).hostname)) return `PUBLIC_URL=${publicUrl}`
  if (trustProxy !== false) return `TRUST_PROXY=${trustProxy.join(',')}`
  return null
}

/**
 * Throws a ConfigError if the demo accounts, whose password is public, would be reachable from other machines. Called
 * only by the server, so that command-line tools can still run.
 */
export function refusePublicDemo(config: Config): void {
  const setting = config.demo ? findPublicSetting(config) : null
  if (setting === null) return
  throw new ConfigError(
    `${setting} makes this service public, but the demo, whose password is public, is on. ` +
      'Set DEMO=off. A start without an admin prints a link that creates one.',
  )
}

function linkHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
