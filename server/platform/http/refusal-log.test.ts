// Tests the log lines of refusals by the whole server, and the filter in docs/operations.md that matches them.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { hashAccount } from './refusal-log.ts'

let app: TestApp
let member: Person
const lines: string[] = []

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  app = await createTestApp({}, { log })
  member = await app.makePerson()
})
afterAll(() => app.close())
beforeEach(() => void lines.splice(0))

const refusals = () =>
  lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event === 'refused')
    .map(({ level, code, address, account, method, route }) => {
      return { level, code, address, account, method, route }
    })

const signIn = (email: string, password: string) =>
  app.nobody.send('POST', '/api/auth/sign-in/email', { body: { email, password } })

const line = (code: string, method: string, route: string | null, email: string | null) => ({
  level: pino.levels.values.warn,
  code,
  address: '127.0.0.1',
  account: email === null ? null : hashAccount(email),
  method,
  route,
})

test('logs each wrong password with the address and the hashed account, even for unknown accounts', async () => {
  await signIn('Nobody@example.com', 'a wrong password')
  await signIn(member.email, 'a wrong password')
  const route = '/api/auth/sign-in/email'
  expect(refusals()).toEqual([
    line('invalid_credentials', 'POST', route, 'nobody@example.com'),
    line('invalid_credentials', 'POST', route, member.email),
  ])
  expect(lines.join()).not.toMatch(/@|a wrong password/)
})

test('logs attempts beyond a limit', async () => {
  for (let i = 0; i < 7; i++) await signIn('often@example.com', 'a wrong password')
  const codes = refusals().map(({ code }) => code)
  expect(codes.slice(-2)).toEqual(['rate_limited', 'rate_limited'])
  expect(codes).toHaveLength(7)
})

test('logs a wrong second factor, a guessed link, a foreign origin and a forbidden request', async () => {
  await member.send('POST', '/api/auth/two-factor/enable', { body: { password: 'not it' } })
  await app.nobody.send('POST', '/api/auth/reset-password', {
    body: { token: 'guessed', newPassword: 'a brand new password' },
  })
  await member.send('POST', '/api/playlists', {
    body: { title: 'Mine' },
    headers: { origin: 'https://evil.example' },
  })
  await member.send('GET', '/api/admin-users?q=secret')
  expect(refusals()).toEqual([
    line('password_wrong', 'POST', '/api/auth/two-factor/enable', member.email),
    line('reset_token_invalid', 'POST', '/api/auth/reset-password', null),
    line('foreign_origin', 'POST', '/api/playlists', null),
    line('forbidden', 'GET', '/api/admin-users', member.email),
  ])
})

test('does not log invalid input, unknown resources, missing sessions or successes', async () => {
  await app.nobody.send('GET', '/api/tracks')
  await member.send('GET', '/api/tracks/0191a0c0-0000-7000-8000-00000000dead')
  await member.send('POST', '/api/playlists', { body: {} })
  await app.signIn(member.email)
  expect(refusals()).toEqual([])
})

test('the filter of docs/operations.md matches these lines and no others', async () => {
  const docs = await readFile(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
  const failregex = /^failregex = (.+)$/m.exec(docs)?.[1] ?? ''
  const filter = new RegExp(failregex.replace('<HOST>', '(?<host>[\\d.:a-f]+)'))
  await signIn('filter@example.com', 'a wrong password')
  const [found] = lines.filter((one) => one.includes('invalid_credentials'))
  expect(filter.exec(found ?? '')?.groups?.host).toBe('127.0.0.1')
  // Users must not be able to write text into the log that gets an IP address banned.
  const forged = '"event":"refused","code":"invalid_credentials","address":"203.0.113.7"'
  await member.send('GET', `/api/admin-users?q=${encodeURIComponent(forged)}`)
  app.services.log.warn({ title: forged }, forged)
  expect(lines.filter((one) => one.includes('203.0.113.7') && filter.test(one))).toEqual([])
})
