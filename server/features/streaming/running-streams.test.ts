// Slow downloads of whole files that are still running when the person's right to the stream ends.
import { randomUUID } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createRelease, publishRelease, updateRelease } from '#contract/admin/admin-releases.ts'
import { unpublishTrack, updateAdminTrack } from '#contract/admin/admin-tracks.ts'
import { banUser, updateUserSubscription } from '#contract/admin/admin-users.ts'
import { startPlaying } from '#contract/playing.ts'
import { updateProfile } from '#contract/profiles.ts'
import { endAllSessions } from '#contract/sessions.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { createRunningStreams } from './running-streams.ts'
import { putRenditions } from '../../testing/put-renditions.ts'

/** Larger than the kernel's buffer for a connection whose client does not read. */
const fileBytes = 32 * 1024 * 1024

let app: TestApp
let admin: Person
let trackId: string

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  const { db } = app.services
  const { id } = await db.query
    .insertInto('tracks')
    .values({ title: 'A', artist: 'B', is_published: true, processing_status: 'ready' })
    .returning('id')
    .executeTakeFirstOrThrow()
  trackId = id
  const file = Buffer.alloc(fileBytes)
  await putRenditions(app.services, id, { high: file, preview: file }, 60)
})
afterAll(() => app.close())

/** Starts a request, and does not read the body until `readOn` is called. */
async function openSlowly(
  person: Person,
  part: 'stream' | 'preview' = 'stream',
  query = '',
  id = trackId,
) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const url = `${app.url}/api/tracks/${id}/${part}${query}`
    get(url, { headers: { cookie: person.cookie } }, resolve).on('error', reject)
  })
  expect(response.statusCode).toBe(200)
  const { promise, resolve } = Promise.withResolvers<number>()
  let received = 0
  response.on('error', () => {})
  response.on('close', () => resolve(received))
  return {
    /** Reads the rest of the body. Resolves to the total number of received bytes. */
    readOn() {
      response.on('data', (bytes: Buffer) => (received += bytes.length))
      return promise
    },
  }
}

const countRunning = () => app.services.files.stats().activeResponses
const params = ({ id }: Person) => ({ params: { id } })

test.each([
  ['a ban', 'stream', (person: Person) => admin.call(banUser, params(person))],
  ['signing out everywhere', 'stream', (person: Person) => person.call(endAllSessions, {})],
  ['signing out everywhere', 'preview', (person: Person) => person.call(endAllSessions, {})],
  [
    'the end of Premium',
    'stream',
    (person: Person) =>
      admin.call(updateUserSubscription, {
        ...params(person),
        body: { subscription_tier: 'free' },
      }),
  ],
] as const)('%s closes a running %s', async (_what, part, end) => {
  const person = await app.makePerson({ tier: 'premium' })
  const stream = await openSlowly(person, part)
  expect((await end(person)).code).toBeUndefined()
  await expect.poll(countRunning).toBe(0)
  expect(await stream.readOn()).toBeLessThan(fileBytes)
})

/** Creates a release whose only track has no preview, so that free members get the full track. */
async function makeOpenRelease() {
  const { db } = app.services
  const { id } = await db.query
    .insertInto('tracks')
    .values({ title: 'Open', artist: 'B', is_published: true, processing_status: 'ready' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const file = Buffer.alloc(fileBytes)
  await putRenditions(app.services, id, { standard: file, high: file }, 60)
  const body = { title: 'Open', tracks: [{ track_id: id }] }
  const release = (await admin.call(createRelease, { body })).body
  await admin.call(publishRelease, { params: { id: release.id }, body: {} })
  return { track_id: id, release_id: release.id }
}

test.each([
  [
    'a track becomes Premium only',
    ({ track_id }) =>
      admin.call(updateAdminTrack, { params: { id: track_id }, body: { audience: 'premium' } }),
  ],
  ['a track is hidden', ({ track_id }) => admin.call(unpublishTrack, { params: { id: track_id } })],
  [
    'its release becomes Premium only',
    ({ release_id }) =>
      admin.call(updateRelease, { params: { id: release_id }, body: { audience: 'premium' } }),
  ],
  [
    'its release gets early access',
    ({ release_id }) =>
      admin.call(updateRelease, { params: { id: release_id }, body: { early_access_days: 3 } }),
  ],
] satisfies [
  string,
  (
    openRelease: Awaited<ReturnType<typeof makeOpenRelease>>,
  ) => Promise<{ code?: string | undefined }>,
][])('closes the running stream of a free member, and no other, when %s', async (_what, change) => {
  const openRelease = await makeOpenRelease()
  const [free, premium] = [
    await app.makePerson({ tier: 'free' }),
    await app.makePerson({ tier: 'premium' }),
  ]
  const [mine, other] = [
    await openSlowly(free, 'stream', '', openRelease.track_id),
    await openSlowly(premium, 'stream', ''),
  ]
  expect((await change(openRelease)).code).toBeUndefined()
  await expect.poll(countRunning, { timeout: 5000 }).toBe(1)
  expect(await mine.readOn()).toBeLessThan(fileBytes)
  expect(await other.readOn()).toBe(fileBytes)
})

test('the stream of a Premium member continues when its track is restricted', async () => {
  const { track_id, release_id } = await makeOpenRelease()
  const premium = await app.makePerson({ tier: 'premium' })
  const stream = await openSlowly(premium, 'stream', '', track_id)
  await admin.call(updateRelease, { params: { id: release_id }, body: { audience: 'premium' } })
  expect(await stream.readOn()).toBe(fileBytes)
})

test.each([
  ['without a player', ''],
  ['of a player that never started', `?player=${randomUUID()}`],
])('starting another player closes a running stream %s', async (_what, query) => {
  const person = await app.makePerson({ tier: 'free' })
  const stream = await openSlowly(person, 'preview', query)
  await person.call(startPlaying, { params: { player_id: randomUUID() } })
  // The stream is closed immediately, not only when its place is renewed after ten seconds.
  await expect.poll(countRunning, { timeout: 5000 }).toBe(0)
  expect(await stream.readOn()).toBeLessThan(fileBytes)
})

test('starting another player closes only streams of the players that it displaces', async () => {
  const person = await app.makePerson({ tier: 'premium' })
  const stream = await openSlowly(person)
  await person.call(startPlaying, { params: { player_id: randomUUID() } })
  expect(await stream.readOn()).toBe(fileBytes)
})

test('a change of a profile that revokes no right closes no stream', async () => {
  const person = await app.makePerson({ tier: 'premium' })
  const stream = await openSlowly(person)
  await person.call(updateProfile, { body: { display_name: 'Another' } })
  expect(await stream.readOn()).toBe(fileBytes)
})

test.each([
  ['free', 'preview', '', 4],
  ['premium', 'stream', '', 4],
  ['premium', 'stream', '?keep=true', 4],
] as const)(
  'a %s account that requests twenty whole files gets only the streams of one player: %s%s',
  async (tier, part, query, maxConcurrent) => {
    const person = await app.makePerson({ tier })
    const url = `${app.url}/api/tracks/${trackId}/${part}${query}`
    const abort = new AbortController()
    const ask = () => fetch(url, { headers: { cookie: person.cookie }, signal: abort.signal })
    const results = await Promise.all(Array.from({ length: 20 }, ask))
    const refused = results.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(20 - maxConcurrent)
    expect(await refused[0]!.json()).toMatchObject({ error: { code: 'too_many_streams' } })
    expect(refused[0]!.headers.get('retry-after')).toBe('2')
    // Other accounts are not affected, and another request is accepted as soon as a response ends.
    const other = await openSlowly(await app.makePerson({ tier }), part)
    expect(await other.readOn()).toBe(fileBytes)
    abort.abort()
    await expect.poll(countRunning).toBe(0)
    expect(await (await openSlowly(person, part)).readOn()).toBe(fileBytes)
  },
)

test('sends four responses at a time to each of three players of a Premium account, and none to a fourth player', async () => {
  const person = await app.makePerson({ tier: 'premium' })
  const abort = new AbortController()
  // Keep references to the responses: fetch closes the connection of a garbage-collected response.
  const responses: Response[] = []
  const players = [1, 2, 3].map(() => randomUUID())
  for (const player_id of players) await person.call(startPlaying, { params: { player_id } })
  for (const player of [...players, randomUUID()]) {
    for (let i = 0; i < 5; i++) {
      const url = `${app.url}/api/tracks/${trackId}/stream?player=${player}`
      responses.push(await fetch(url, { headers: { cookie: person.cookie }, signal: abort.signal }))
    }
  }
  const player = [200, 200, 200, 200, 429]
  expect(responses.map(({ status }) => status)).toEqual([
    ...player,
    ...player,
    ...player,
    429,
    429,
    429,
    429,
    429,
  ])
  abort.abort()
  await expect.poll(countRunning).toBe(0)
})

test("renews a player's place while its stream runs, and closes the stream once the place is lost", async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const streams = createRunningStreams({
      bus: { on: () => () => {}, onMissed: () => () => {} },
      findActor: async () => null,
      log: { warn: () => {} },
    })
    const destroy = vi.fn<() => void>()
    const keepPlace = vi.fn<() => Promise<void>>().mockResolvedValue()
    const end = Promise.withResolvers<void>()
    const ids = { user_id: 'ada', track_id: 'song', player_id: 'ada' }
    const stream = { ...ids, maxConcurrent: 4, checkRight: async () => {} }
    const request = {} as FastifyRequest
    const reply = { raw: { destroy } } as unknown as FastifyReply
    const sending = streams.run({ request, reply, ...stream, keepPlace }, () => end.promise)
    await vi.advanceTimersByTimeAsync(35_000)
    expect(keepPlace).toHaveBeenCalledTimes(3)
    expect(destroy).not.toHaveBeenCalled()
    keepPlace.mockRejectedValue(new AppError('playing_elsewhere'))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(destroy).toHaveBeenCalledOnce()
    end.resolve()
    await sending
    await vi.advanceTimersByTimeAsync(60_000)
    expect(keepPlace).toHaveBeenCalledTimes(4)
  } finally {
    vi.useRealTimers()
  }
})

test('does not close a stream that is still waiting for its place when its player is displaced', async () => {
  const onPlayers: ((id: string) => unknown)[] = []
  const streams = createRunningStreams({
    bus: {
      on: (topic, handle) => {
        if (topic === 'players') onPlayers.push(handle)
        return () => {}
      },
      onMissed: () => () => {},
    },
    findActor: async () => null,
    log: { warn: () => {} },
  })
  const destroy = vi.fn<() => void>()
  const place = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const ids = { user_id: 'ada', track_id: 'song', player_id: 'tab' }
  const stream = { ...ids, maxConcurrent: 4, checkRight: async () => {} }
  const request = {} as FastifyRequest
  const reply = { raw: { destroy } } as unknown as FastifyReply
  const takePlace = () => place.promise
  const sending = streams.run({ request, reply, ...stream, takePlace }, () => end.promise)
  const displace = () => Promise.all(onPlayers.map((handle) => handle('ada/tab')))
  await displace()
  expect(destroy).not.toHaveBeenCalled()
  place.resolve()
  await vi.waitFor(async () => {
    await displace()
    expect(destroy).toHaveBeenCalled()
  })
  end.resolve()
  await sending
})

test('records the share of audio that was sent to an account', async () => {
  const person = await app.makePerson({ tier: 'premium' })
  await person.send('GET', `/api/tracks/${trackId}/stream`, {
    headers: { range: `bytes=0-${fileBytes / 4 - 1}` },
  })
  const share = async () => {
    await app.services.sentAudio.flush()
    const row = await app.services.db.query
      .selectFrom('track_deliveries')
      .select(['share', 'is_preview'])
      .where('user_id', '=', person.id)
      .executeTakeFirst()
    return row
  }
  await expect.poll(share).toEqual({ share: 0.25, is_preview: false })
  await (await openSlowly(person)).readOn()
  await expect.poll(share).toEqual({ share: 1, is_preview: false })
})
