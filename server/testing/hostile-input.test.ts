// Calls every operation of the contract with every field missing, of the wrong type, and malicious. Input that the
// contract refuses must return 400 and change nothing in the database. Accepted input must never cause an internal
// error, and the operation must declare every error that it returns.
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errors, type ErrorCode } from '#contract/errors.ts'
import { findContractEndpoints, type NamedEndpoint } from './contract-endpoints.ts'
import {
  hostileValues,
  generateMutations,
  generateSamples,
  type Json,
} from './fuzz/schema-samples.ts'
import { startFakeStripe, type FakeStripe } from './stripe/fake-stripe.ts'
import {
  createTestApp,
  type TestResponse,
  type Caller,
  type Person,
  type TestApp,
} from './test-app.ts'

/** Error codes that any operation may return for generated input. */
const commonErrorCodes: ErrorCode[] = [
  'invalid_input',
  'not_found',
  'payload_too_large',
  'unsupported_content_type',
  'rate_limited',
]

/** Excluded, because Stripe defines its body. It has a test of its own with signed events. */
const ownTests = new Set(['receiveBillingEvent'])
/** Paths of operations that may end the caller's session, so that each call needs its own. */
const mayEndSession = /^\/api\/(?:auth|sessions|profile)/

const operations = (await findContractEndpoints()).filter(({ name }) => !ownTests.has(name))
let app: TestApp
let stripe: FakeStripe
let admin: Person
let known: Record<string, string | null>

beforeAll(async () => {
  stripe = await startFakeStripe()
  // If the server accepted this key, it would send later requests to Stripe.
  stripe.accounts.revoked.add('sk_test_12345')
  app = await createTestApp({ stripeApiUrl: stripe.url })
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(async () => {
  await app.close()
  await stripe.close()
})

/** Creates rows to which valid input can refer, so that it is fully processed. */
async function makeRows() {
  const { query } = app.services.db
  const person = await app.makePerson()
  const { id: category_id } = await query
    .insertInto('category_metadata')
    .values({ category: `mood-${person.id}`, display_name: 'Mood' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: genre_id } = await query
    .insertInto('genres')
    .values({ name: `Genre ${person.id}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: track_id } = await query
    .insertInto('tracks')
    .values({ title: 'Track', artist: 'Artist', processing_status: 'ready' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: playlist_id } = await query
    .insertInto('playlists')
    .values({ title: 'Curated', is_curated: true, created_by: admin.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: release_id } = await query
    .insertInto('releases')
    .values({ kind: 'album', title: 'Release', slug: `release-${person.id}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: upload_id } = await query
    .insertInto('uploads')
    .values({
      user_id: admin.id,
      bucket: 'audio',
      path: `uploads/audio/${person.id}/song.wav`,
      filename: 'song.wav',
      mime: 'audio/wav',
      token_hash: person.id,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: artist_id } = await query
    .insertInto('artists')
    .values({ name: `Artist ${person.id}`, slug: `artist-${person.id}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: import_id } = await query
    .insertInto('imports')
    .values({ name: 'songs.zip', status: 'done', ip_address: '127.0.0.1' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: webhook_id } = await query
    .insertInto('webhook_endpoints')
    .values({
      url: 'https://hooks.example/',
      event_types: ['member.joined'],
      secret_sealed: app.services.secretBox.seal('whsec_AAAA'),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const event = { type: 'webhook.test', data: '{}' }
  const { id: event_id } = await query
    .insertInto('webhook_events')
    .values(event)
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: delivery_id } = await query
    .insertInto('webhook_deliveries')
    .values({ endpoint_id: webhook_id, event_id, state: 'failed', next_attempt_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: invitation_id } = await query
    .insertInto('invitations')
    .values({ email: `guest-${person.id}@velour.test`, expires_at: '2099-01-01T00:00:00Z' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: announcement_id } = await query
    .insertInto('announcements')
    .values({ subject: 'News', body: 'Words' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: review_id } = await query
    .insertInto('reviews')
    .values({ kind: 'track', item_id: track_id, title: 'Track', owner_id: admin.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: spot_id } = await query
    .insertInto('spots')
    .values({ kind: 'card', title: 'Tour' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const at = new Date().toISOString()
  const { id: thread_id } = await query
    .insertInto('support_threads')
    .values({
      user_id: admin.id,
      subject: 'Hello',
      waiting_since: at,
      last_message_at: at,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await query
    .insertInto('support_messages')
    .values({ thread_id, is_answer: false, text: 'Hello', created_at: at })
    .execute()
  const { id: gift_id } = await query
    .insertInto('gifts')
    .values({ months: 1, amount_cents: 999, currency: 'usd', from_name: 'Ada' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: referral_id } = await query
    .insertInto('referrals')
    .values({ address_hash: 'a'.repeat(64), months: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const webhooks = { webhook_id, endpoint_id: webhook_id, delivery_id }
  const catalogue = { artist_id, category_id, genre_id, track_id, playlist_id, release_id }
  return {
    user_id: person.id,
    ...catalogue,
    ...webhooks,
    upload_id,
    import_id,
    invitation_id,
    review_id,
    announcement_id,
    spot_id,
    thread_id,
    gift_id,
    referral_id,
  }
}

/** For paths with the parameter `id`, the row to which it refers. */
const rowOfPath: [RegExp, string][] = [
  [/^\/api\/admin-users/, 'user_id'],
  [/^\/api\/admin-categories/, 'category_id'],
  [/^\/api\/admin-genres/, 'genre_id'],
  [/^\/api\/(?:admin-)?artists/, 'artist_id'],
  [/playlists/, 'playlist_id'],
  [/releases/, 'release_id'],
  [/tracks/, 'track_id'],
  [/^\/api\/uploads/, 'upload_id'],
  [/^\/api\/admin-imports/, 'import_id'],
  [/^\/api\/admin-invitations/, 'invitation_id'],
  [/^\/api\/admin-announcements/, 'announcement_id'],
  [/^\/api\/admin-suspended-addresses/, 'user_id'],
  [/^\/api\/(?:admin|own)-reviews/, 'review_id'],
  [/^\/api\/(?:admin-)?spot/, 'spot_id'],
  [/^\/api\/(?:admin-)?support/, 'thread_id'],
  [/^\/api\/admin-gifts/, 'gift_id'],
  [/^\/api\/admin-referrals/, 'referral_id'],
  [/^\/api\/admin-webhooks/, 'webhook_id'],
  [/^\/api\/admin-webhook-deliveries/, 'delivery_id'],
]

beforeAll(async () => {
  known = await makeRows()
})

function knownFor({ endpoint }: NamedEndpoint): Record<string, string | null> {
  const row = rowOfPath.find(([path]) => path.test(endpoint.path))?.[1]
  // Values without pictures, so that valid input is fully processed.
  const without = {
    month: '2026-10',
    cover_path: null,
    avatar_path: null,
    logo_path: null,
    icon_path: null,
  }
  const mail: Record<string, string> = endpoint.path.startsWith('/api/admin-mail/')
    ? { kind: 'receipt' }
    : {}
  return {
    ...known,
    ...without,
    ...mail,
    feature: 'song_path',
    ...(row && { id: known[row] ?? '' }),
  }
}

function buildUrl(operation: NamedEndpoint): string {
  const values = knownFor(operation)
  return operation.endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? 'x')
}

/** Returns the caller of an operation. If the call may end the session, a new person. */
async function getCaller({ endpoint }: NamedEndpoint): Promise<Caller> {
  return mayEndSession.test(endpoint.path) ? app.makePerson({ role: 'admin' }) : admin
}

describe('hostile bodies', () => {
  test.each(operations.filter(({ endpoint }) => endpoint.body))('of $name', async (operation) => {
    const { endpoint } = operation
    const schema = endpoint.body ?? z.unknown()
    const caller = await getCaller(operation)
    const samples = generateSamples(schema, knownFor(operation))
    for (const sample of samples) {
      expect(z.safeParse(schema, sample).error, 'the sample is one').toBeUndefined()
    }
    const bodies = samples.flatMap(generateMutations)
    const send = (body: Json) =>
      caller.send(endpoint.method, buildUrl(operation), {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
    const before = await fingerprint()
    const refused = bodies.filter((body) => hasNul(body) || !z.safeParse(schema, body).success)
    for (const body of refused) {
      const response = await send(body)
      const description = `${shorten(body)} → ${shorten(response.body)}`
      expect(commonErrorCodes, description).toContain(response.code)
    }
    expect(await fingerprint(), 'what is refused changes nothing').toEqual(before)
    for (const body of bodies) {
      if (!refused.includes(body)) expectDeclared(operation, await send(body), body)
    }
  })

  test.each(operations.filter(({ endpoint }) => endpoint.body))(
    'refuses invalid JSON, and JSON other than an object, for $name',
    async (operation) => {
      const { method } = operation.endpoint
      const caller = await getCaller(operation)
      for (const body of ['', '{', '[]', 'null', '1', '"x"', '{"__proto__":{"a":1}}', '\u0000']) {
        const response = await caller.send(method, buildUrl(operation), {
          body,
          headers: { 'content-type': 'application/json' },
        })
        expect(response.code, body).toBe('invalid_input')
      }
      const other = await caller.send(method, buildUrl(operation), {
        body: '<a/>',
        headers: { 'content-type': 'application/xml' },
      })
      expect([other.status, other.code]).toEqual([415, 'unsupported_content_type'])
    },
  )
})

const hostileTexts = hostileValues
  .filter((value) => typeof value !== 'object')
  .map((value) => String(value).slice(0, 4000))

test.each(operations.filter(({ endpoint }) => endpoint.query))(
  'handles hostile queries of $name',
  async (operation) => {
    const { endpoint } = operation
    const names = Object.keys((endpoint.query as unknown as { shape: object }).shape)
    for (const name of [...names, 'unknown']) {
      const queries = hostileTexts.map((word) => `${name}=${encode(word)}`)
      for (const query of [...queries, `${name}=a&${name}=b`, `${name}[]=a`, `${name}=%`]) {
        const response = await admin.send(endpoint.method, `${buildUrl(operation)}?${query}`)
        expectDeclared(operation, response, query)
        expect(response.status).toBeLessThan(500)
      }
    }
  },
)

test.each(operations.filter(({ endpoint }) => endpoint.path.includes(':')))(
  'handles hostile paths of $name',
  async (operation) => {
    const { method, path, body } = operation.endpoint
    const caller = await getCaller(operation)
    const before = await fingerprint()
    for (const word of [...hostileTexts, '%', '%00', '%ff', '0191A0C0']) {
      const isRaw = word.startsWith('%')
      const address = path.replaceAll(/:\w+/g, () => (isRaw ? word : encode(word) || '%20'))
      const response = await caller.send(method, address, { ...(body && { body: {} }) })
      expectDeclared(operation, response, word)
    }
    expect(await fingerprint()).toEqual(before)
  },
)

function expectDeclared({ endpoint }: NamedEndpoint, response: TestResponse, input: unknown): void {
  const description = `${shorten(input)} → ${response.status} ${shorten(response.body)}`
  expect(response.status, description).toBeLessThan(500)
  if (response.code === undefined) return
  expect(
    [...commonErrorCodes, 'method_not_allowed', ...(endpoint.errors ?? [])],
    description,
  ).toContain(response.code)
  expect(response.status).toBe(errors[response.code as ErrorCode][0])
}

/** Returns a hash of every table, without values that change with time or with sessions. */
async function fingerprint(): Promise<Record<string, string>> {
  const { query } = app.services.db
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'
    and tablename not in ('sessions', 'rate_limits', 'verifications', 'instances')`.execute(query)
  const prints = rows.map(async ({ name }) => {
    const { rows: found } = await sql<{ print: string }>`
      select md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as print
      from ${sql.table(name)} t`.execute(query)
    return [name, found[0]?.print ?? ''] as const
  })
  return Object.fromEntries(await Promise.all(prints))
}

function hasNul(body: Json): boolean {
  return JSON.stringify(body).includes('\\u0000')
}

/** Replaces lone surrogates, which cannot be encoded in a URL. */
function encode(word: string): string {
  return encodeURIComponent(word.toWellFormed())
}

function shorten(value: unknown): string {
  return (JSON.stringify(value) ?? '').slice(0, 200)
}
