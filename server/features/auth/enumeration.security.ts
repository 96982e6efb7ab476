// Without signing in, nobody can find out whether an address has an account, or whether that account is confirmed,
// banned or protected by a second factor. The responses for all of these are identical byte for byte, and their timings
// are indistinguishable.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transaction } from '../../platform/db/database.ts'
import { median, shuffle, compareMedians } from '../../testing/compare-medians.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import {
  createAuthTestApp,
  type TestResponse,
  type AuthTestApp,
} from '../../testing/auth-test-app.ts'
import { banAccount } from './ban-account.ts'

const rounds = 30
const kinds = ['nobody', 'a member', 'unconfirmed', 'banned', 'with a second factor'] as const
type Kind = (typeof kinds)[number]

let database: TestDatabase
/** A site configured as in production. */
let site: AuthTestApp
/** A site without the minimum response time, so that timing differences are visible. */
let bare: AuthTestApp

beforeAll(async () => {
  database = await createTestDatabase()
  site = await createAuthTestApp({ ...database, requireEmailVerification: true })
  bare = await createAuthTestApp({ ...database, requireEmailVerification: true, minResponseMs: 0 })
})
afterAll(async () => {
  await site.close()
  await bare.close()
  await database.drop()
})

let made = 0

/** Returns an unused address of the given kind of account. */
async function makeAddress(kind: Kind): Promise<string> {
  const email = `person-${String(++made).padStart(6, '0')}@example.com`
  if (kind === 'nobody') return email
  const id = await site.addMember(email)
  const change = site.db.query.updateTable('profiles').where('id', '=', id)
  if (kind === 'unconfirmed') await change.set({ email_verified: false }).execute()
  if (kind === 'with a second factor') await change.set({ two_factor_enabled: true }).execute()
  if (kind === 'banned') await transaction(site.db, (trx) => banAccount(trx, id, new Date()))
  return email
}

interface Attempt {
  url: string
  body: (email: string) => object
}

const attempts: Record<string, Attempt> = {
  'signing in': {
    url: '/api/auth/sign-in/email',
    body: (email) => ({ email, password: 'not the password' }),
  },
  'signing up': {
    url: '/api/auth/sign-up/email',
    body: (email) => ({ email, password: 'some long password', name: 'Somebody' }),
  },
  'a forgotten password': {
    url: '/api/auth/request-password-reset',
    body: (email) => ({ email, redirectTo: '/auth' }),
  },
}

/** Everything that a client can see in a response, except its timing. */
function serializeResponse({ status, body, headers, cookies }: TestResponse): string {
  const { date: _, 'x-request-id': __, ...others } = headers
  return JSON.stringify({ status, body, others, cookies })
}

/** Creates all accounts before measuring, so that work triggered by their creation does not affect the timings. */
async function makePeople(): Promise<Record<Kind, string[]>> {
  const people = emptyLists<string>()
  for (let round = 0; round <= rounds; round++) {
    for (const kind of kinds) people[kind].push(await makeAddress(kind))
  }
  return people
}

function emptyLists<T>(): Record<Kind, T[]> {
  return {
    nobody: [],
    'a member': [],
    unconfirmed: [],
    banned: [],
    'with a second factor': [],
  }
}

let attemptCount = 0

async function measure(app: AuthTestApp, { url, body }: Attempt) {
  const times = emptyLists<number>()
  const seen = new Set<string>()
  const people = await makePeople()
  // The first round is a warm-up and is not measured.
  for (let round = 0; round <= rounds; round++) {
    for (const kind of shuffle([...kinds])) {
      const email = people[kind][round] ?? ''
      // Use a different network address each time, to stay below the rate limits.
      const from = ++attemptCount
      const remoteAddress = `198.51.${from >> 8}.${from & 255}`
      const start = performance.now()
      const answer = await app.send({ url, body: body(email), remoteAddress })
      if (round > 0) times[kind].push(performance.now() - start)
      seen.add(serializeResponse(answer))
    }
  }
  return { times, seen }
}

describe.each(Object.entries(attempts))('%s', (_name, attempt) => {
  test('returns the same response after the same time for every kind of account', async () => {
    const { times, seen } = await measure(site, attempt)
    expect([...seen]).toHaveLength(1)
    for (const kind of kinds) {
      const { medians, probability } = compareMedians(times[kind], times.nobody)
      // A difference helps an attacker only if it is both measurable and statistically significant.
      const isDistinguishable = Math.abs(medians) > 0.5 && probability < 0.001
      const report = `${kind}: ${medians.toFixed(2)} ms, by chance ${probability}`
      expect(isDistinguishable ? report : null).toBeNull()
    }
  })
})

test('a sign-in computes one password hash for every kind of account', async () => {
  const { times } = await measure(bare, attempts['signing in']!)
  for (const kind of kinds) {
    expect(median(times[kind]) / median(times.nobody), kind).toBeGreaterThan(0.75)
    expect(median(times[kind]) / median(times.nobody), kind).toBeLessThan(1.33)
  }
})
