import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('nothing set: loopback, demo on, everything in ./data', () => {
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

test('a public address needs the demo off', () => {
  for (const HOST of ['0.0.0.0', '::', '192.168.1.5', 'music.example.com']) {
    expect(() => readConfig({ HOST })).toThrow(/DEMO=off/)
    expect(readConfig({ HOST, DEMO: 'off' })).toMatchObject({ host: HOST, demo: false })
  }
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
  [{ ...store, DATABASE_URL: 'postgres://app@db/velour' }, /set SECRET, the same for all/],
  [{ CDN_URL: 'https://cdn.example.com', CDN_SECRET: 'secret' }, /needs S3_BUCKET/],
  [{ ...store, CDN_URL: 'https://cdn.example.com' }, /what its addresses are signed with/],
  [{ ...store, ...cdnKey, CDN_SECRET: 'secret' }, /what its addresses are signed with/],
  [{ ...store, ...cdnKey }, /must be a private key/],
  [{ METRICS_TOKEN: 'too short' }, /16 characters/],
  [{ SECRET: secret, SECRET_PREVIOUS: secret }, /set SECRET to another one/],
])('%o cannot work', (env, message) => {
  expect(() => readConfig(env)).toThrow(message)
  expect(() => readConfig(env)).toThrow(ConfigError)
})

test('empty settings count as not set, and addresses lose their last slash', () => {
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
])('mails from %s are sent by %s', (publicUrl, sender) => {
  expect(readConfig({ PUBLIC_URL: publicUrl }).mailFrom).toBe(sender)
  expect(readConfig({ PUBLIC_URL: publicUrl, MAIL_FROM: 'me@here.test' }).mailFrom).toBe(
    'me@here.test',
  )
})

test('.env.example and the README name just the settings that are read', async () => {
  const read = new Set<string>()
  // Those that open the way to others.
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

  const pages = ['.env.example', 'README.md'].map((name) => new URL(`../${name}`, import.meta.url))
  const [example = '', readme = ''] = await Promise.all(pages.map((page) => readFile(page, 'utf8')))
  const offered = [...example.matchAll(/^#([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name)
  expect(offered.toSorted()).toEqual([...read].toSorted())
  const rows = readme.split('\n').filter((line) => /^\| `[A-Z]/.test(line))
  const told = rows.flatMap((row) => row.split('|')[1]!.match(/[A-Z][A-Z0-9_]+/g) ?? [])
  expect(told.length).toBeGreaterThan(10)
  expect(told.filter((name) => !read.has(name))).toEqual([])
})
