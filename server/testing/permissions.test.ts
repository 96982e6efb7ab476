// Calls every operation of the contract as every kind of caller, over HTTP with the whole server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Access, isStaffAccess, grantsAccess } from '#contract/access.ts'
import { createAccessToken } from '#contract/access-tokens.ts'
import { type ErrorCode, errors } from '#contract/errors.ts'
import { getRequiredScope, tokenScopes, type TokenScope } from '#contract/token-scopes.ts'
import { listOwnerErrorCodes } from '../platform/http/openapi/operation-responses.ts'
import { findContractEndpoints, type NamedEndpoint } from './contract-endpoints.ts'
import { createTestApp, type TestResponse, type Caller, type TestApp } from './test-app.ts'

const people = ['nobody', 'banned', 'free', 'premium', 'creator', 'editor', 'admin'] as const
type Who = (typeof people)[number]
const staff = ['creator', 'editor', 'admin'] as const

/** The error for a caller without access. Null if the caller has access. */
type Refusal = 'unauthenticated' | 'forbidden' | null

function getRefusal(who: Who, access: Access): Refusal {
  if (access === 'anyone') return null
  if (who === 'nobody' || who === 'banned') return 'unauthenticated'
  const role = who === 'free' || who === 'premium' ? 'member' : who
  return grantsAccess(role, access) ? null : 'forbidden'
}

/** Operations that are open according to the contract, but whose access depends on the rest of the request. */
const exceptions: Record<string, Access> = {
  // Without Stripe's signature, the body is a simulated event, which only admins may send.
  receiveBillingEvent: 'admin',
  // Open only for tracks on the landing page, which this track is not.
  streamPreview: 'member',
}

/** These operations end the caller's session, so each call needs its own. */
const endSessions = new Set(['signOut', 'endAllSessions', 'endSession'])

/** Error codes that any operation may return for invalid input, after access was granted. */
const codesForInvalidInput: ErrorCode[] = ['invalid_input', 'not_found']

const possibleCodes = (endpoint: NamedEndpoint['endpoint']) => [
  ...codesForInvalidInput,
  ...(endpoint.errors ?? []),
  ...listOwnerErrorCodes(endpoint),
]

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
    creator: await app.makePerson({ role: 'creator' }),
    editor: await app.makePerson({ role: 'editor' }),
    admin: await app.makePerson({ role: 'admin' }),
  }
})
afterAll(() => app.close())

test('finds the operations of the contract', () => {
  expect(endpoints.length).toBeGreaterThan(70)
  const addresses = endpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  expect(new Set(addresses).size).toBe(addresses.length)
})

test.each(endpoints)('$name is registered', ({ endpoint }) => {
  const { method, path: url } = endpoint
  expect(app.app.hasRoute({ method, url })).toBe(true)
})

describe.each(people)('access for %s', (who) => {
  test.each(endpoints)('$name', async (operation) => {
    const { name, endpoint } = operation
    const response = await callWithoutInput(operation, who)
    const refusal = getRefusal(who, exceptions[name] ?? endpoint.access)
    if (refusal) {
      expect([response.code, response.status]).toEqual([refusal, errors[refusal][0]])
    } else if (response.code === undefined) {
      expect(response.status).toBeLessThan(400)
    } else {
      expect(['unauthenticated', 'forbidden']).not.toContain(response.code)
      expect(possibleCodes(endpoint)).toContain(response.code)
      expect(response.status).toBeLessThan(500)
    }
  })
})

/** Calls an operation with unknown ids and without a body. That is enough to test access, and changes nothing. */
async function callWithoutInput(
  { name, endpoint }: NamedEndpoint,
  who: Who,
): Promise<TestResponse> {
  const path = endpoint.path.replaceAll(/:\w+/g, '0191a0c0-0000-7000-8000-00000000dead')
  const caller = callers[who]
  const isOwnSession = endSessions.has(name) && who !== 'nobody' && who !== 'banned'
  const calling = isOwnSession && caller.email ? await app.signIn(caller.email) : caller
  const response = await calling.send(endpoint.method, path, {
    ...(endpoint.body && { body: {} }),
  })
  if (isOwnSession && caller.email)
    callers[who] = { ...caller, ...(await app.signIn(caller.email)) }
  return response
}

describe.each(staff)('access for a token of the role %s', (who) => {
  describe.each(tokenScopes)('with the scope %s', (scope) => {
    let token: string
    beforeAll(async () => {
      const person = await app.signIn(callers[who].email ?? '')
      const { body } = await person.call(createAccessToken, {
        body: { name: scope, scopes: [scope] },
      })
      token = body.data.token
    })
    test.each(endpoints)('$name', async ({ endpoint }) => {
      const path = endpoint.path.replaceAll(/:\w+/g, '0191a0c0-0000-7000-8000-00000000dead')
      const response = await app.nobody.send(endpoint.method, path, {
        headers: { authorization: `Bearer ${token}` },
        ...(endpoint.body && { body: {} }),
      })
      const refusal = getTokenRefusal(endpoint, scope, who)
      if (refusal) expect([response.code, response.status]).toEqual([refusal, errors[refusal][0]])
      else if (response.code === undefined) expect(response.status).toBeLessThan(400)
      else expect(possibleCodes(endpoint)).toContain(response.code)
    })
  })
})

/** Sign-in operations ignore tokens, so a caller with only a token counts as a visitor. */
function getTokenRefusal(
  endpoint: NamedEndpoint['endpoint'],
  scope: TokenScope,
  who: (typeof staff)[number],
): ErrorCode | null {
  if (/^\/api\/(?:auth|sessions)(?:\/|$)/.test(endpoint.path)) {
    return getRefusal('nobody', endpoint.access)
  }
  const needed = getRequiredScope(endpoint)
  if (needed === null) return 'token_refused'
  if (needed !== scope) return 'token_scope'
  return isStaffAccess(endpoint.access) ? getRefusal(who, endpoint.access) : null
}

test('a member’s token cannot have the scope admin', async () => {
  const member = await app.signIn(callers.free.email ?? '')
  const response = await member.call(createAccessToken, { body: { name: 'x', scopes: ['admin'] } })
  expect(response.code).toBe('forbidden')
})
