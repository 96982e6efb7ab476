// Calls every operation at `/api/v1/…` and at `/api/…` and compares the responses.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccessToken } from '#contract/access-tokens.ts'
import { findContractEndpoints, type NamedEndpoint } from '../../testing/contract-endpoints.ts'
import {
  createTestApp,
  type TestResponse,
  type Caller,
  type TestApp,
} from '../../testing/test-app.ts'

const who = ['nobody', 'free', 'admin', 'token'] as const

const operations = await findContractEndpoints()
let app: TestApp
let callers: Record<(typeof who)[number], { caller: Caller; headers?: Record<string, string> }>

beforeAll(async () => {
  app = await createTestApp()
  const admin = await app.makePerson({ role: 'admin' })
  const { body } = await admin.call(createAccessToken, { body: { name: 'x', scopes: ['read'] } })
  callers = {
    nobody: { caller: app.nobody },
    free: { caller: await app.makePerson() },
    admin: { caller: admin },
    token: { caller: app.nobody, headers: { authorization: `Bearer ${body.data.token}` } },
  }
})
afterAll(() => app.close())

/** Skipped, because they would end the session that the request to the other URL needs. */
const endsSession = new Set(['signOut', 'endAllSessions', 'endSession'])

async function callOperation(
  { endpoint }: NamedEndpoint,
  prefix: string,
  by: (typeof who)[number],
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const path = endpoint.path
    .replaceAll(/:\w+/g, '0191a0c0-0000-7000-8000-00000000dead')
    .replace('/api/', prefix)
  const { caller, headers: own } = callers[by]
  return caller.send(endpoint.method, path, {
    headers: { ...own, ...headers },
    ...(endpoint.body && { body: {} }),
  })
}

/** The parts of a response that must be equal for equal requests. */
function comparable({ status, code, headers }: TestResponse) {
  const names = ['content-type', 'cache-control', 'content-security-policy', 'ratelimit-policy']
  return { status, code, headers: names.map((name) => headers.get(name)) }
}

describe.each(who)('as %s', (by) => {
  const each = operations.filter(({ name }) => by === 'nobody' || !endsSession.has(name))
  test.each(each)('$name', async (operation) => {
    const plain = await callOperation(operation, '/api/', by)
    const versioned = await callOperation(operation, '/api/v1/', by)
    expect(comparable(versioned)).toEqual(comparable(plain))
  })
})

test.each(operations.filter(({ endpoint }) => endpoint.method !== 'GET'))(
  'refuses $name from other sites',
  async (operation) => {
    const origin = { origin: 'https://evil.example' }
    const plain = await callOperation(operation, '/api/', 'nobody', origin)
    const versioned = await callOperation(operation, '/api/v1/', 'nobody', origin)
    expect(comparable(versioned)).toEqual(comparable(plain))
  },
)

test('both URLs share one rate limit', async () => {
  const member = await app.makePerson()
  const left = async (path: string) => {
    const body = { bucket: 'covers', filename: 'a.png', mime: 'image/png', size: 10 }
    const response = await member.send('POST', path, { body })
    return Number(response.headers.get('ratelimit-remaining'))
  }
  const first = await left('/api/upload-signed-url')
  expect(await left('/api/v1/upload-signed-url')).toBe(first - 1)
})

test('maintenance mode closes both URLs', async () => {
  const { db, settings } = app.services
  await db.query.updateTable('settings').set({ maintenance_mode: true }).execute()
  await settings.reload()
  const versioned = await callers.free.caller.send('GET', '/api/v1/tracks')
  expect([versioned.status, versioned.code]).toEqual([503, 'maintenance'])
  await db.query.updateTable('settings').set({ maintenance_mode: false }).execute()
  await settings.reload()
})

test('does not rewrite other URLs', async () => {
  expect((await app.nobody.send('GET', '/api/v1')).code).toBe('not_found')
  expect((await app.nobody.send('GET', '/api/v2/site')).code).toBe('not_found')
})
