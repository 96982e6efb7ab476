import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findPublicSetting, readConfig, refusePublicDemo } from './config.ts'
import { ConfigError } from './read-setting.ts'

test('defaults to loopback, the demo, and everything in ./data', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    demo: true,
    databaseUrl: null,
    publicUrl: 'http://127.0.0.1:3000',
    brandName: 'Velour',
    artistName: 'Velour',
  })
})

test.each([
  [{ HOST: '0.0.0.0' }, 'HOST=0.0.0.0'],
  [{ HOST: '::' }, 'HOST=::'],
  [{ HOST: '192.168.1.5' }, 'HOST=192.168.1.5'],
  [{ HOST: 'music.example.com' }, 'HOST=music.example.com'],
  [{ PUBLIC_URL: 'https://music.example.com' }, 'PUBLIC_URL=https://music.example.com'],
  [{ PUBLIC_URL: 'http://192.168.1.5:3000' }, 'PUBLIC_URL=http://192.168.1.5:3000'],
  [{ PUBLIC_URL: 'http://localhost.example.com' }, 'PUBLIC_URL=http://localhost.example.com'],
  [{ TRUST_PROXY: '127.0.0.1' }, 'TRUST_PROXY=127.0.0.1'],
])('%o makes the service public, so the demo must be off', (env, setting) => {
  const config = readConfig(env)
  expect(findPublicSetting(config)).toBe(setting)
  expect(() => refusePublicDemo(config)).toThrow(ConfigError)
  expect(() => refusePublicDemo(config)).toThrow(`${setting} makes this service public`)
  expect(() => refusePublicDemo(config)).toThrow(/Set DEMO=off/)
  expect(() => refusePublicDemo(readConfig({ ...env, DEMO: 'off' }))).not.toThrow()
})

test.each([
  {},
  { HOST: '::1' },
  { HOST: '127.0.0.2' },
  { HOST: 'localhost' },
  { PUBLIC_URL: 'http://localhost:3000' },
  { PUBLIC_URL: 'http://velour.localhost:3000' },
  { PUBLIC_URL: 'http://[::1]:3000' },
])('%o is reachable from this machine only, so the demo may be on', (env) => {
  const config = readConfig(env)
  expect(findPublicSetting(config)).toBeNull()
  expect(() => refusePublicDemo(config)).not.toThrow()
})

test('puts an IPv6 host in brackets in the URL of the service', () => {
  expect(readConfig({ HOST: '::1' }).publicUrl).toBe('http://[::1]:3000')
})

const store = { S3_BUCKET: 'velour', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
const cdnKey = {
  CDN_URL: 'https://cdn.example.com',
  CDN_KEY_PAIR_ID: 'K1',
  CDN_PRIVATE_KEY: 'no key',
}
const secret = 'a-secret-of-at-least-32-characters'

test.each<[Record<string, string>, RegExp]>([
  [{ ADMIN_EMAIL: 'a@example.com' }, /belong together/],
  [{ ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD: 'short' }, /8 characters/],
  [{ ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD: 'velour-demo' }, /choose another/],
  [{ PORT: '70000' }, /PORT must be a whole number/],
  [{ PORT: 'three' }, /PORT must be a whole number/],
  [{ DEMO: 'maybe' }, /"on" or "off"/],
  [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must be an address/],
  [{ DATABASE_OWNER_URL: 'postgres://owner@db/velour' }, /needs DATABASE_URL/],
  [{ PUBLIC_URL: 'example.com' }, /PUBLIC_URL must be an address/],
  [{ SECRET: 'too short' }, /32 characters/],
  [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of/],
  [{ ROLE: 'web' }, /ROLE=web needs DATABASE_URL/],
  [{ ROLE: 'worker' }, /ROLE=worker needs DATABASE_URL/],
  [{ ROLE: 'both' }, /ROLE must be one of web, worker, all/],
  [{ DATABASE_REPLICA_URL: 'postgres://app@db/velour' }, /needs DATABASE_URL/],
  [{ S3_BUCKET: 'velour' }, /needs S3_ACCESS_KEY_ID/],
  [{ ...store, DATABASE_URL: 'postgres://app@db/velour' }, /set the same SECRET for all/],
  [{ CDN_URL: 'https://cdn.example.com', CDN_SECRET: 'secret' }, /needs S3_BUCKET/],
  [{ ...store, CDN_URL: 'https://cdn.example.com' }, /needs a signing key/],
  [{ ...store, ...cdnKey, CDN_SECRET: 'secret' }, /needs a signing key/],
  [{ ...store, ...cdnKey }, /must be a private key/],
  [{ METRICS_TOKEN: 'too short' }, /16 characters/],
  [{ SECRET: secret, SECRET_PREVIOUS: secret }, /set SECRET to a different key/],
])('refuses the settings %o', (env, message) => {
  expect(() => readConfig(env)).toThrow(message)
  expect(() => readConfig(env)).toThrow(ConfigError)
})

test('treats empty settings as unset, and removes trailing slashes from URLs', () => {
  const config = readConfig({
    DATABASE_URL: '  ',
    PUBLIC_URL: 'https://music.example.com/',
    TRUST_PROXY: '10.0.0.1, 10.0.0.2',
  })
  expect(config).toMatchObject({
    databaseUrl: null,
    publicUrl: 'https://music.example.com',
    trustProxy: ['10.0.0.1', '10.0.0.2'],
  })
})

test.each([
  ['https://music.example.com', 'Velour <no-reply@music.example.com>'],
  ['http://127.0.0.1:3000', 'Velour <no-reply@velour.test>'],
  ['http://localhost:3000', 'Velour <no-reply@velour.test>'],
  ['http://[::1]:3000', 'Velour <no-reply@velour.test>'],
])('a service at %s sends emails as %s', (publicUrl, sender) => {
  expect(readConfig({ PUBLIC_URL: publicUrl }).mailFrom).toBe(sender)
  expect(readConfig({ PUBLIC_URL: publicUrl, MAIL_FROM: 'me@here.test' }).mailFrom).toBe(
    'me@here.test',
  )
})

const s3Keys = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'hidden' }

test('reads the backup target: a folder with a nightly schedule, or a prefix in a bucket', () => {
  expect(readConfig({}).backup).toBeNull()
  expect(readConfig({ BACKUP_TO: '/mnt/backup' }).backup).toEqual({
    place: { kind: 'folder', folder: '/mnt/backup' },
    schedule: '0 3 * * *',
    keep: 14,
  })
  const off = { BACKUP_SCHEDULE: 'off', BACKUP_KEEP: '3' }
  const bucket = readConfig({ ...s3Keys, ...off, BACKUP_TO: 's3://safe/velour/one/' }).backup
  expect(bucket).toMatchObject({
    place: { kind: 's3', s3: { bucket: 'safe', prefix: 'velour/one/', accessKeyId: 'key' } },
    schedule: null,
    keep: 3,
  })
  const hourly = { BACKUP_TO: '/mnt/backup', BACKUP_SCHEDULE: '30 2 * * 1' }
  expect(readConfig(hourly).backup?.schedule).toBe('30 2 * * 1')
})

test.each([
  [{ BACKUP_TO: '/mnt/b', BACKUP_SCHEDULE: 'nightly' }, 'BACKUP_SCHEDULE must be daily, hourly'],
  [{ BACKUP_TO: '/mnt/b', BACKUP_SCHEDULE: '99 2 * * *' }, 'BACKUP_SCHEDULE must be'],
  [{ BACKUP_TO: '/mnt/b', BACKUP_KEEP: '0' }, 'BACKUP_KEEP must be a whole number from 1'],
  [{ BACKUP_PASSPHRASE: 'short' }, 'BACKUP_PASSPHRASE needs at least 12 characters'],
  [{ BACKUP_TO: 's3://safe' }, 'needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY'],
  [{ ...s3Keys, BACKUP_TO: 's3:/safe' }, 'look like s3://bucket/prefix'],
  [
    { ...s3Keys, S3_BUCKET: 'music', BACKUP_TO: 's3://music/b' },
    'is the bucket that holds the music',
  ],
  [{ DATA_DIR: '/var/lib/velour', BACKUP_TO: '/var/lib/velour/b' }, 'is inside DATA_DIR'],
])('refuses the backup settings %o', (env, message) => {
  expect(() => readConfig(env)).toThrow(message)
})

test('finds exactly the settings of .env.example and the README', async () => {
  const read = new Set<string>()
  // Each of these settings allows access from other machines.
  const given: Record<string, string> = {
    S3_BUCKET: 'velour',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
    CDN_URL: 'https://audio.example.com',
    CDN_SECRET: 'secret',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  }
  const note = (_: object, name: string) => {
    read.add(name)
    return given[name]
  }
  readConfig(new Proxy<Record<string, string>>({}, { get: note }))

  const pages = ['.env.example', 'README.md'].map(
    (name) => new URL(`../../../${name}`, import.meta.url),
  )
  const [example = '', readme = ''] = await Promise.all(pages.map((page) => readFile(page, 'utf8')))
  const offered = [...example.matchAll(/^#([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name)
  expect(offered.toSorted()).toEqual([...read].toSorted())
  const rows = readme.split('\n').filter((line) => /^\| `[A-Z]/.test(line))
  const documented = rows.flatMap((row) => row.split('|')[1]!.match(/[A-Z][A-Z0-9_]+/g) ?? [])
  expect(documented.length).toBeGreaterThan(10)
  expect(documented.filter((name) => !read.has(name))).toEqual([])
})

test('accepts one or several addresses in ALERT_MAIL_TO and nothing else', () => {
  expect(readConfig({}).alertMailTo).toBeNull()
  expect(readConfig({ ALERT_MAIL_TO: 'a@ops.example, b@ops.example' }).alertMailTo).toEqual([
    'a@ops.example',
    'b@ops.example',
  ])
  expect(() => readConfig({ ALERT_MAIL_TO: 'the owner' })).toThrow(/ALERT_MAIL_TO must be email/)
  expect(() => readConfig({ ALERT_WEBHOOK: 'chat' })).toThrow(/ALERT_WEBHOOK must be an address/)
})
