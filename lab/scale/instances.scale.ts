// Tests three instances and two workers of one service: a change that one instance makes takes effect at the others
// within seconds.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, clusterAdmin, startCluster } from '../cluster/cluster.ts'
import { anonymousRequestsPerMinute } from '#server/platform/limits/anonymous-traffic.ts'
import { queryAt } from '#server/platform/db/with-client.ts'
import { recordEvents } from '#server/testing/record-events.ts'
import { buildCookieHeader, createApiClient, publishTrack } from '../../e2e/harness/api-client.ts'
import { makeWav } from '../../e2e/harness/make-wav.ts'

interface SentResponse {
  status: number
  code: string | undefined
  body: Record<string, unknown>
  headers: Headers
}
interface Person {
  id: string
  email: string
  cookie: string
}

/** The time within which a change at one instance must take effect at the others. */
const maxDelayMs = 2_000
const password = 'a-good-long-password'
let cluster: Cluster
/** URLs of the three instances. */
let one: string
let two: string
let three: string
let admin: Person
let trackId: string
let people = 0

beforeAll(async () => {
  cluster = await startCluster({
    workers: 2,
    settings: (given) => ({ ...given, S3_DELIVERY: 'proxy' }),
  })
  const urls = cluster.instances.map(({ port }) => `http://127.0.0.1:${port}`)
  ;[one, two, three] = urls as [string, string, string]
  admin = { id: '', email: clusterAdmin.email, cookie: '' }
  admin.cookie = await signIn(one, clusterAdmin.email, clusterAdmin.password)
  const owner = createApiClient(cluster.address)
  await owner.signIn(clusterAdmin)
  await owner.send('POST', '/api/admin-categories', { category: 'focus', display_name: 'Focus' })
  const track = await publishTrack(owner, makeWav(60, 330), { title: 'Shared', category: 'focus' })
  trackId = track.id
}, 240_000)

afterAll(() => cluster?.stop(), 60_000)

async function send(
  url: string,
  who: { cookie: string } | null,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<SentResponse> {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(who && { cookie: who.cookie }),
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  })
  const text = await response.text()
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as SentResponse['body']
  const code = (body['error'] as { code: string } | undefined)?.code
  return { status: response.status, code, body, headers: response.headers }
}

async function signIn(url: string, email: string, secret = password): Promise<string> {
  const answer = await send(url, null, 'POST', '/api/auth/sign-in/email', {
    body: { email, password: secret },
  })
  if (answer.status !== 200) throw new Error(`Signing in returned ${answer.status}`)
  return buildCookieHeader(answer)
}

/** Creates an account with the first instance, and signs in with the second. */
async function makePerson(tier: 'free' | 'premium' = 'free'): Promise<Person> {
  const email = `somebody-${++people}@example.com`
  const { status, body } = await send(one, admin, 'POST', '/api/admin-users', {
    body: { email, password },
  })
  expect(status).toBeLessThan(300)
  const id = body['id'] as string
  if (tier === 'premium') await setTier(id, tier)
  return { id, email, cookie: await signIn(two, email) }
}

async function setTier(id: string, subscription_tier: 'free' | 'premium'): Promise<void> {
  const path = `/api/admin-users/${id}/subscription`
  const { status } = await send(one, admin, 'PATCH', path, { body: { subscription_tier } })
  expect(status).toBe(200)
}

const everywhere = () => [one, two, three]

/** Polls every instance until the condition is true for all. Returns how long that took, in milliseconds. */
async function untilEverywhere(isSo: (url: string) => Promise<boolean>): Promise<number> {
  const startedAt = performance.now()
  for (const url of everywhere()) {
    await expect.poll(() => isSo(url), { interval: 20, timeout: 5_000 }).toBe(true)
  }
  return performance.now() - startedAt
}

function query(sql: string, values: unknown[] = []): Promise<unknown[]> {
  const { database } = cluster
  return queryAt(database.superuser(database.primary), sql, values)
}

test('a session starts and ends at all instances', async () => {
  const person = await makePerson()
  const isSignedIn = async (url: string) =>
    (await send(url, person, 'GET', '/api/profile')).body['data'] !== null
  expect(await untilEverywhere(isSignedIn)).toBeLessThan(maxDelayMs)
  await send(three, person, 'POST', '/api/auth/sign-out', { body: {} })
  expect(await untilEverywhere(async (url) => !(await isSignedIn(url)))).toBeLessThan(maxDelayMs)
})

test('a ban ends sessions and event streams at all instances', async () => {
  const person = await makePerson()
  const streams = await Promise.all(everywhere().map((url) => listen(url, person)))
  for (const url of everywhere()) {
    expect((await send(url, person, 'GET', '/api/tracks')).status).toBe(200)
  }
  expect((await send(one, admin, 'POST', `/api/admin-users/${person.id}/ban`)).status).toBe(200)
  expect(
    await untilEverywhere(
      async (url) => (await send(url, person, 'GET', '/api/tracks')).status === 401,
    ),
  ).toBeLessThan(maxDelayMs)
  const ends = Promise.all(streams.map(({ ended }) => ended))
  expect(await Promise.race([ends, sleep(maxDelayMs, 'late')])).not.toBe('late')
})

test('a setting changed at one instance takes effect at all of them', async () => {
  const read = async (url: string) => (await send(url, null, 'GET', '/api/site')).body
  const { body } = await send(one, admin, 'GET', '/api/admin-settings')
  const save = async (changes: Record<string, unknown>) => {
    // Leave out the setting that requires a confirmation, and two fields that are not settings: the timestamp and the
    // masked secret.
    const {
      updated_at: _,
      stripe_webhook_secret: __,
      admins_need_two_factor: ___,
      ...settings
    } = body
    const answer = await send(one, admin, 'POST', '/api/admin-settings', {
      body: { action: 'update', settings: { ...settings, ...changes } },
    })
    expect(answer.status).toBe(200)
  }
  const person = await makePerson()
  await save({ maintenance_mode: true })
  expect(
    await untilEverywhere(async (url) => (await read(url))['maintenance_mode'] === true),
  ).toBeLessThan(maxDelayMs)
  expect(
    await untilEverywhere(
      async (url) => (await send(url, person, 'GET', '/api/tracks')).code === 'maintenance',
    ),
  ).toBeLessThan(maxDelayMs)
  // Send through the proxy. It must not stop using instances because they return 503 during maintenance.
  for (let i = 0; i < 12; i++) {
    expect((await send(cluster.address, person, 'GET', '/api/tracks')).code).toBe('maintenance')
  }
  expect((await send(cluster.address, admin, 'GET', '/api/tracks')).status).toBe(200)
  await save({ maintenance_mode: false })
  expect(
    await untilEverywhere(
      async (url) => (await send(url, person, 'GET', '/api/tracks')).status === 200,
    ),
  ).toBeLessThan(maxDelayMs)
})

test('sign-in attempts count towards one rate limit at all instances', async () => {
  const person = await makePerson()
  const guess = async (url: string) =>
    send(url, null, 'POST', '/api/auth/sign-in/email', {
      body: { email: person.email, password: 'not-the-password' },
    })
  const statuses = []
  for (let i = 0; i < 9; i++) statuses.push((await guess(everywhere()[i % 3]!)).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429])
})

test('requests of a visitor count towards one rate limit at all instances', async () => {
  // The address that the proxy would forward. No other test uses it.
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  let answered = 0
  let refused: SentResponse | null = null
  for (let i = 0; i < anonymousRequestsPerMinute * 1.5; i++) {
    const answer = await send(everywhere()[i % 3]!, null, 'GET', '/api/site', { headers })
    if (answer.status === 200) answered++
    else refused = answer
  }
  expect(refused).toMatchObject({ status: 429, code: 'rate_limited' })
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answered).toBeGreaterThanOrEqual(anonymousRequestsPerMinute)
  // Each instance may exceed the limit by a twentieth, and some requests are sent at the same time.
  expect(answered).toBeLessThanOrEqual(anonymousRequestsPerMinute * (1 + 3 / 20) + 10)
  console.log(`visitors: ${answered} of ${anonymousRequestsPerMinute * 1.5} requests answered`)
})

test('the limit of devices that play applies to all instances together', async () => {
  const person = await makePerson()
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()]
  const start = (url: string, player: string) =>
    send(url, person, 'POST', `/api/players/${player}/start`)
  const play = (url: string, player: string) =>
    send(url, person, 'GET', `/api/tracks/${trackId}/preview?player=${player}`, {
      headers: { range: 'bytes=0-9' },
    })
  expect((await start(one, first)).status).toBe(204)
  for (const url of everywhere()) expect((await play(url, first)).status).toBe(206)
  const events = await listen(three, person)
  expect((await start(two, second)).status).toBe(204)
  expect(
    await untilEverywhere(async (url) => (await play(url, first)).code === 'playing_elsewhere'),
  ).toBeLessThan(maxDelayMs)
  await expect.poll(() => events.heard).toContainEqual({ topic: 'playing', id: first })
  for (const url of everywhere()) expect((await play(url, second)).status).toBe(206)
  // Many players start at the same time at all instances. Only one of them may get a place.
  const crowd = Array.from({ length: 12 }, () => crypto.randomUUID())
  await Promise.all(crowd.map((player, index) => start(everywhere()[index % 3]!, player)))
  const live = await query('select from players where user_id = $1 and displaced_at is null', [
    person.id,
  ])
  expect(live).toHaveLength(1)
  events.stop()
})

test('a change at one instance is sent to event streams of all instances', async () => {
  const person = await makePerson()
  const streams = await Promise.all(everywhere().map((url) => listen(url, person)))
  const body = { category: 'calm', display_name: 'Calm' }
  expect((await send(two, admin, 'POST', '/api/admin-categories', { body })).status).toBeLessThan(
    300,
  )
  for (const { heard } of streams) {
    await expect
      .poll(() => heard.map(({ topic }) => topic), { timeout: maxDelayMs })
      .toContain('categories')
  }
  for (const { stop } of streams) stop()
})

test('cached lists and permissions are invalidated at all instances', async () => {
  const person = await makePerson('premium')
  const path = `/api/tracks/${trackId}/stream`
  const stream = async (url: string) =>
    send(url, person, 'GET', path, { headers: { range: 'bytes=0-9' } })
  const lists = async (url: string) => {
    const { body } = await send(url, person, 'GET', '/api/tracks')
    return (body['data'] as { id: string; is_liked: boolean }[]).find(({ id }) => id === trackId)
  }
  expect(await untilEverywhere(async (url) => (await stream(url)).status === 206)).toBeLessThan(
    maxDelayMs,
  )
  expect(await untilEverywhere(async (url) => (await lists(url))?.is_liked === false)).toBeLessThan(
    maxDelayMs,
  )
  await send(two, person, 'PUT', `/api/tracks/${trackId}/like`)
  expect(await untilEverywhere(async (url) => (await lists(url))?.is_liked === true)).toBeLessThan(
    maxDelayMs,
  )
  await setTier(person.id, 'free')
  expect(
    await untilEverywhere(async (url) => (await stream(url)).code === 'premium_required'),
  ).toBeLessThan(maxDelayMs)
  await setTier(person.id, 'premium')
  expect(await untilEverywhere(async (url) => (await stream(url)).status === 206)).toBeLessThan(
    maxDelayMs,
  )
  await send(one, admin, 'POST', `/api/admin-tracks/${trackId}/unpublish`)
  expect(await untilEverywhere(async (url) => (await stream(url)).status === 404)).toBeLessThan(
    maxDelayMs,
  )
  expect(await untilEverywhere(async (url) => (await lists(url)) === undefined)).toBeLessThan(
    maxDelayMs,
  )
  await send(one, admin, 'POST', `/api/admin-tracks/${trackId}/publish`)
  expect(await untilEverywhere(async (url) => (await lists(url)) !== undefined)).toBeLessThan(
    maxDelayMs,
  )
})

test('an instance that lost its event connection bypasses its cache', async () => {
  const person = await makePerson('premium')
  const stream = async (url: string) =>
    send(url, person, 'GET', `/api/tracks/${trackId}/stream`, { headers: { range: 'bytes=0-9' } })
  expect(await untilEverywhere(async (url) => (await stream(url)).status === 206)).toBeLessThan(
    maxDelayMs,
  )
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'velour-listener'`,
  )
  await setTier(person.id, 'free')
  expect(
    await untilEverywhere(async (url) => (await stream(url)).code === 'premium_required'),
  ).toBeLessThan(maxDelayMs)
})

test('every job runs once, and both workers run jobs', { timeout: 240_000 }, async () => {
  const owner = createApiClient(cluster.address)
  await owner.signIn(clusterAdmin)
  const before = jobsDone().length
  await Promise.all(
    Array.from({ length: 4 }, (_, index) =>
      publishTrack(owner, makeWav(15, 300 + 20 * index), { title: `Job ${index}` }),
    ),
  )
  // Request emails for several people at all instances.
  const mailed = await Promise.all(Array.from({ length: 6 }, () => makePerson()))
  for (const [index, { email }] of mailed.entries()) {
    const url = everywhere()[index % 3]!
    await send(url, null, 'POST', '/api/auth/request-password-reset', { body: { email } })
  }
  await expect.poll(() => mails().length, { timeout: 20_000 }).toBe(mailed.length)
  const done = jobsDone().slice(before)
  const ids = done.map(({ job_id }) => job_id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(done.filter(({ job }) => job === 'process-track')).toHaveLength(4)
  expect(done.filter(({ job }) => job === 'send-mail')).toHaveLength(mailed.length)
  expect(new Set(done.map(({ worker }) => worker)).size).toBe(2)
})

function jobsDone(): { job: string; job_id: string; worker: string }[] {
  return cluster.workers.flatMap(({ name }) =>
    readFileSync(join(cluster.folder, 'logs', `${name}.log`), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"job done"'))
      .map((line) => ({ ...JSON.parse(line), worker: name })),
  )
}

function mails(): string[] {
  return cluster.workers.flatMap(({ name }) =>
    readdirSync(join(cluster.folder, name, 'outbox')).filter((file) => file.endsWith('.eml')),
  )
}

/** Opens an event stream with one instance. */
async function listen(url: string, { cookie }: Person) {
  const { response, events: heard, ...stream } = await recordEvents(url, cookie)
  expect(response.status).toBe(200)
  return { heard, ...stream }
}
