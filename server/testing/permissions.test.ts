// Every operation of the contract × every kind of caller, over HTTP against the whole server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAccessToken } from '#contract/access-tokens.ts'
import type { Access } from '#contract/endpoint.ts'
import { type ErrorCode, errors } from '#contract/errors.ts'
import { scopeFor, tokenScopes, type TokenScope } from '#contract/token-scopes.ts'
import { findContractEndpoints, type NamedEndpoint } from './contract-endpoints.ts'
import { createTestApp, type Answer, type Caller, type TestApp } from './test-app.ts'

const people = ['nobody', 'free', 'premium', 'banned', 'admin'] as const
type Who = (typeof people)[number]

/** The error that refuses a caller; null if access is granted. */
type Refusal = 'unauthenticated' | 'forbidden' | null

const byAccess: Record<Access, Record<Who, Refusal>> = {
  anyone: { nobody: null, free: null, premium: null, banned: null, admin: null },
  member: {
    nobody: 'unauthenticated',
    free: null,
    premium: null,
    banned: 'unauthenticated',
    admin: null,
  },
  admin: {
    nobody: 'unauthenticated',
    free: 'forbidden',
    premium: 'forbidden',
    banned: 'unauthenticated',
    admin: null,
  },
}

/** Open by the contract; access depends on the rest of the request. */
const exceptions: Record<string, Record<Who, Refusal>> = {
  // Unsigned it is a simulated event, which only admins may send.
  receiveBillingEvent: byAccess.admin,
  // Open for the tracks of the landing page; this is not one of them.
  streamPreview: byAccess.member,
}

/** These end the session of the call, so each of them gets its own. */
const endSessions = new Set(['signOut', 'endAllSessions', 'endSession'])

/** Codes that any operation may return to permitted callers with made-up input. */
const answersToNonsense: ErrorCode[] = ['invalid_input', 'not_found']

const endpoints = await findContractEndpoints()
let app: TestApp
let callers: Record<Who, Caller & { email?: string }>

beforeAll(async () => {
  app = await createTestApp()
  callers = {
    nobody: app.nobody,
    free: await app.makePerson(),
    premium: await app.makePerson({ tier: 'premium' }),
    banned: await app.makePerson({ banned: true }),
    admin: await app.makePerson({ role: 'admin' }),
  }
})
afterAll(() => app.close())

test('finds the contract', () => {
  expect(endpoints.length).toBeGreaterThan(70)
  const addresses = endpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  expect(new Set(addresses).size).toBe(addresses.length)
})

test.each(endpoints)('$name is registered', ({ endpoint }) => {
  const { method, path: url } = endpoint
  expect(app.app.hasRoute({ method, url })).toBe(true)
})

describe.each(people)('access of %s', (who) => {
  test.each(endpoints)('$name', async (operation) => {
    const { name, endpoint } = operation
    const answer = await knock(operation, who)
    const refusal = (exceptions[name] ?? byAccess[endpoint.access])[who]
    if (refusal) {
      expect([answer.code, answer.status]).toEqual([refusal, errors[refusal][0]])
    } else if (answer.code === undefined) {
      expect(answer.status).toBeLessThan(400)
    } else {
      expect(['unauthenticated', 'forbidden']).not.toContain(answer.code)
      expect([...answersToNonsense, ...(endpoint.errors ?? [])]).toContain(answer.code)
      expect(answer.status).toBeLessThan(500)
    }
  })
})

/** Calls with unknown ids and no body: enough to test access, without changing anything. */
async function knock({ name, endpoint }: NamedEndpoint, who: Who): Promise<Answer> {
  const path = endpoint.path.replaceAll(/:\w+/g, '0191a0c0-0000-7000-8000-00000000dead')
  const caller = callers[who]
  const isOwnSession = endSessions.has(name) && who !== 'nobody' && who !== 'banned'
  const calling = isOwnSession && caller.email ? await app.signIn(caller.email) : caller
  const answer = await calling.send(endpoint.method, path, {
    ...(endpoint.body && { body: {} }),
  })
  if (isOwnSession && caller.email)
    callers[who] = { ...caller, ...(await app.signIn(caller.email)) }
  return answer
}

describe.each(tokenScopes)('access of an admin’s token with the scope %s', (scope) => {
  let token: string
  beforeAll(async () => {
    const admin = await app.signIn(callers.admin.email ?? '')
    const { body } = await admin.call(createAccessToken, { body: { name: scope, scopes: [scope] } })
    token = body.data.token
  })
  test.each(endpoints)('$name', async ({ endpoint }) => {
    const path = endpoint.path.replaceAll(/:\w+/g, '0191a0c0-0000-7000-8000-00000000dead')
    const answer = await app.nobody.send(endpoint.method, path, {
      headers: { authorization: `Bearer ${token}` },
      ...(endpoint.body && { body: {} }),
    })
    const refusal = refusalOfToken(endpoint, scope)
    if (refusal) expect([answer.code, answer.status]).toEqual([refusal, errors[refusal][0]])
    else if (answer.code === undefined) expect(answer.status).toBeLessThan(400)
    else expect([...answersToNonsense, ...(endpoint.errors ?? [])]).toContain(answer.code)
  })
})

/** Sign-in operations ignore tokens, so a caller with only a token counts as a visitor. */
function refusalOfToken(endpoint: NamedEndpoint['endpoint'], scope: TokenScope): ErrorCode | null {
  if (/^\/api\/(?:auth|sessions)(?:\/|$)/.test(endpoint.path)) {
    return byAccess[endpoint.access].nobody
  }
  const needed = scopeFor(endpoint)
  if (needed === null) return 'token_refused'
  return needed === scope ? null : 'token_scope'
}

test('a member’s token cannot have the scope admin', async () => {
  const member = await app.signIn(callers.free.email ?? '')
  const answer = await member.call(createAccessToken, { body: { name: 'x', scopes: ['admin'] } })
  expect(answer.code).toBe('forbidden')
})
