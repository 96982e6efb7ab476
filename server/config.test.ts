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

test.each([
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
