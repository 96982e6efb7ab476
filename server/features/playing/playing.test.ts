import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import type { LiveEvent } from '#contract/events.ts'
import { keepPlaying, startPlaying, stopPlaying } from '#contract/playing.ts'
import { listenForEvents } from '#contract/events.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createPlayerPlaces } from './player-places.ts'
import { deleteUnusedPlayers } from './playing-operations.ts'

let app: TestApp
let free: Person
let premium: Person
let clockMs = Date.parse('2026-11-21T12:00:00Z')

const advanceClock = (seconds: number) => void (clockMs += seconds * 1000)

beforeAll(async () => {
  app = await createTestApp({}, { now: () => new Date(clockMs) })
})
beforeEach(async () => {
  free = await app.makePerson()
  premium = await app.makePerson({ tier: 'premium' })
})
afterAll(() => app.close())

/** Simulates a player in a tab of the web app. */
function openPlayer(person: Person, player_id: string = randomUUID(), device_id?: string) {
  const params = { player_id }
  const query = device_id === undefined ? {} : { device_id }
  const say = async (endpoint: typeof startPlaying) => {
    // Ensure that no two players start at the same time.
    advanceClock(0.001)
    const { code, status } = await person.call(endpoint, { params, query })
    return code ?? status
  }
  return {
    player_id,
    start: () => say(startPlaying),
    sendHeartbeat: () => say(keepPlaying),
    stop: () => person.call(stopPlaying, { params }),
    listenTo: (trackId: string, part: 'stream' | 'preview' = 'stream') =>
      person.send('GET', `/api/tracks/${trackId}/${part}?player=${player_id}`, {
        headers: { range: 'bytes=0-9' },
      }),
  }
}

const playing = async ({ id }: Person) =>
  (
    await app.services.db.query
      .selectFrom('players')
      .select('player_id')
      .where('user_id', '=', id)
      .where('displaced_at', 'is', null)
      .execute()
  ).map(({ player_id }) => player_id)

async function changeSettings(change: { streams_free?: number; streams_premium?: number }) {
  const admin = await app.makePerson({ role: 'admin' })
  const { body } = await admin.call(getSettings, {})
  return admin.call(updateSettings, {
    body: { action: 'update', settings: { ...body, ...change } },
  })
}

describe('the newest players of an account keep playing', () => {
  test('on a free account, the second device displaces the first', async () => {
    const [desk, phone] = [openPlayer(free), openPlayer(free)]
    expect(await desk.start()).toBe(204)
    expect(await desk.sendHeartbeat()).toBe(204)
    expect(await phone.start()).toBe(204)
    expect(await desk.sendHeartbeat()).toBe('playing_elsewhere')
    expect(await phone.sendHeartbeat()).toBe(204)
    expect(await playing(free)).toEqual([phone.player_id])
  })

  test('with Premium, the fourth device displaces only the oldest', async () => {
    const players = [1, 2, 3, 4].map(() => openPlayer(premium))
    for (const player of players) await player.start()
    const [oldest, ...newer] = players
    expect(await oldest!.sendHeartbeat()).toBe('playing_elsewhere')
    for (const player of newer) expect(await player.sendHeartbeat()).toBe(204)
  })

  test('a displaced player can take a place back', async () => {
    const [desk, phone] = [openPlayer(free), openPlayer(free)]
    await desk.start()
    await phone.start()
    await desk.start()
    expect(await phone.sendHeartbeat()).toBe('playing_elsewhere')
    expect(await desk.sendHeartbeat()).toBe(204)
  })

  test('a player that starts again becomes the newest', async () => {
    const players = [1, 2, 3].map(() => openPlayer(premium))
    for (const player of players) await player.start()
    await players[0]!.start()
    await openPlayer(premium).start()
    expect(await players[0]!.sendHeartbeat()).toBe(204)
    expect(await players[1]!.sendHeartbeat()).toBe('playing_elsewhere')
  })

  test("the error details contain the plan's limit and the Premium limit", async () => {
    const refuse = async (person: Person, count: number) => {
      const players = Array.from({ length: count }, () => openPlayer(person))
      for (const player of players) await player.start()
      const params = { player_id: players[0]!.player_id }
      const { status, body } = await person.call(keepPlaying, { params })
      return { status, ...(body as unknown as { error: object }).error }
    }
    const error = {
      status: 409,
      code: 'playing_elsewhere',
      message: 'Your account is playing on another device.',
    }
    expect(await refuse(free, 2)).toEqual({ ...error, details: { limit: 1, premium_limit: 3 } })
    expect(await refuse(premium, 4)).toEqual({ ...error, details: { limit: 3 } })
  })

  test("players of one person do not affect another person's, even with the same id", async () => {
    const [mine, theirs] = [openPlayer(free), openPlayer(premium)]
    await mine.start()
    await openPlayer(premium, mine.player_id).start()
    await theirs.start()
    await openPlayer(premium, mine.player_id).stop()
    expect(await mine.sendHeartbeat()).toBe(204)
    expect(await playing(free)).toEqual([mine.player_id])
  })
})

describe('several tabs of one device', () => {
  const openTab = (person: Person, device: string) => openPlayer(person, randomUUID(), device)

  test('only the newest tab plays, on every plan', async () => {
    const browser = randomUUID()
    const [first, second] = [openTab(premium, browser), openTab(premium, browser)]
    await first.start()
    await second.start()
    expect(await playing(premium)).toEqual([second.player_id])
    expect(await second.sendHeartbeat()).toBe(204)
    await first.start()
    expect(await playing(premium)).toEqual([first.player_id])
  })

  test("the older tab's error says that the new player is on the same device", async () => {
    const browser = randomUUID()
    const [first, second] = [openTab(premium, browser), openTab(premium, browser)]
    await first.start()
    await second.start()
    const { body } = await premium.call(keepPlaying, {
      params: { player_id: first.player_id },
      query: { device_id: browser },
    })
    expect(body).toMatchObject({ error: { details: { limit: 3, same_device: true } } })
  })

  test('share one place, so that other devices keep their places', async () => {
    const [laptop, phone, desk, other] = [1, 2, 3, 4].map(() => randomUUID())
    const elsewhere = [openTab(premium, phone!), openTab(premium, desk!)]
    for (const player of elsewhere) await player.start()
    for (let tab = 0; tab < 4; tab++) await openTab(premium, laptop!).start()
    for (const player of elsewhere) expect(await player.sendHeartbeat()).toBe(204)
    await openTab(premium, other!).start()
    expect(await elsewhere[0]!.sendHeartbeat()).toBe('playing_elsewhere')
    expect(await elsewhere[1]!.sendHeartbeat()).toBe(204)
  })

  test('a silent tab cannot resume while another tab of the device plays', async () => {
    const browser = randomUUID()
    const [first, second] = [openTab(premium, browser), openTab(premium, browser)]
    await first.start()
    advanceClock(60)
    await second.start()
    expect(await first.sendHeartbeat()).toBe('playing_elsewhere')
    await second.stop()
    expect(await first.sendHeartbeat()).toBe(204)
  })

  test('a player without a device id counts as its own device', async () => {
    const players = [1, 2, 3].map(() => openPlayer(premium))
    for (const player of players) await player.start()
    await openTab(premium, randomUUID()).start()
    expect(await players[0]!.sendHeartbeat()).toBe('playing_elsewhere')
    for (const player of players.slice(1)) expect(await player.sendHeartbeat()).toBe(204)
  })

  test('rejects a device id that is not a UUID', async () => {
    expect(await openPlayer(free, randomUUID(), 'my-phone').start()).toBe('invalid_input')
  })
})

describe('free player places', () => {
  test("a pause frees the player's place immediately", async () => {
    const players = [1, 2, 3].map(() => openPlayer(premium))
    for (const player of players) await player.start()
    await players[2]!.stop()
    await openPlayer(premium).start()
    expect(await players[0]!.sendHeartbeat()).toBe(204)
  })

  test('the place of a crashed tab becomes free 35 seconds after its last heartbeat', async () => {
    const players = [1, 2, 3].map(() => openPlayer(premium))
    for (const player of players) await player.start()
    const beatOthers = async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 10) {
        advanceClock(10)
        for (const player of players.slice(1)) expect(await player.sendHeartbeat()).toBe(204)
      }
    }
    await beatOthers(40)
    await openPlayer(premium).start()
    for (const player of players.slice(1)) expect(await player.sendHeartbeat()).toBe(204)
    // The silent player sends a heartbeat again, but no place is free.
    expect(await players[0]!.sendHeartbeat()).toBe('playing_elsewhere')
  })

  test('a suspended player continues if no other player took its place', async () => {
    const desk = openPlayer(free)
    await desk.start()
    advanceClock(600)
    expect(await desk.sendHeartbeat()).toBe(204)
    expect(await playing(free)).toEqual([desk.player_id])
  })

  test('a displaced player is accepted again once a place is free', async () => {
    const [desk, phone] = [openPlayer(free), openPlayer(free)]
    await desk.start()
    await phone.start()
    expect(await desk.sendHeartbeat()).toBe('playing_elsewhere')
    await phone.stop()
    expect(await desk.sendHeartbeat()).toBe(204)
  })

  test('deletes players that have sent no heartbeat for a day', async () => {
    await openPlayer(free).start()
    await openPlayer(free).start()
    advanceClock(25 * 3600)
    await openPlayer(premium).start()
    await deleteUnusedPlayers(app.services.db, new Date(clockMs))
    const rows = await app.services.db.query.selectFrom('players').select('user_id').execute()
    expect(rows).toEqual([{ user_id: premium.id }])
  })

  test('invented player ids do not fill the table', async () => {
    for (let i = 0; i < 120; i++) await openPlayer(free).start()
    const { count } = await app.services.db.query
      .selectFrom('players')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('user_id', '=', free.id)
      .executeTakeFirstOrThrow()
    expect(count).toBeLessThanOrEqual(100)
    expect(await playing(free)).toHaveLength(1)
  })
})

describe('the limit of playing devices, which is a setting', () => {
  test('takes effect immediately when it is raised or lowered', async () => {
    const [first, second] = [openPlayer(free), openPlayer(free)]
    await changeSettings({ streams_free: 2 })
    await first.start()
    await second.start()
    expect(await first.sendHeartbeat()).toBe(204)
    await changeSettings({ streams_free: 1 })
    expect(await first.sendHeartbeat()).toBe('playing_elsewhere')
    expect(await second.sendHeartbeat()).toBe(204)
  })

  test('accepts 1 to 50, and keeps its value if a request omits it', async () => {
    for (const streams_premium of [0, 51, 1.5]) {
      expect((await changeSettings({ streams_premium })).code).toBe('invalid_input')
    }
    const { body } = await changeSettings({})
    expect(body).toMatchObject({ streams_free: 1, streams_premium: 3 })
  })

  test('a member who loses Premium keeps only the newest player', async () => {
    const players = [1, 2, 3].map(() => openPlayer(premium))
    for (const player of players) await player.start()
    const admin = await app.makePerson({ role: 'admin' })
    await admin.send('PATCH', `/api/admin-users/${premium.id}/subscription`, {
      body: { subscription_tier: 'free' },
    })
    const [oldest, older, newest] = players
    // The session stays cached until the notification from the database arrives.
    await expect.poll(() => oldest!.sendHeartbeat()).toBe('playing_elsewhere')
    expect(await older!.sendHeartbeat()).toBe('playing_elsewhere')
    expect(await newest!.sendHeartbeat()).toBe(204)
  })
})

test('notifies a displaced player immediately, and nobody else', async () => {
  const abort = new AbortController()
  const listen = async (person: Person) => {
    const response = await fetch(app.url + listenForEvents.path, {
      headers: { cookie: person.cookie },
      signal: abort.signal,
    })
    const events: LiveEvent[] = []
    const read = async () => {
      for await (const chunk of response.body ?? []) {
        for (const line of Buffer.from(chunk).toString().split('\n')) {
          if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)) as LiveEvent)
        }
      }
    }
    read().catch(() => {})
    return events
  }
  const [mine, theirs] = await Promise.all([listen(free), listen(premium)])
  const [desk, phone] = [openPlayer(free), openPlayer(free)]
  await desk.start()
  await phone.start()
  await expect.poll(() => mine).toEqual([{ topic: 'playing', id: desk.player_id }])
  // Events of another person are sent afterwards: once these arrive, a wrong event would have arrived too.
  for (let i = 0; i < 4; i++) await openPlayer(premium).start()
  await expect.poll(() => theirs).toHaveLength(1)
  expect(mine).toHaveLength(1)
  abort.abort()
})

describe('audio requests', () => {
  let track: string
  beforeAll(async () => {
    const { db, storage } = app.services
    track = (await makeTracks(db, 1))[0]!
    for (const kind of ['standard', 'high', 'preview'] as const) {
      const storage_key = `audio/${track}/${kind}.m4a`
      const { etag } = await storage.put(storage_key, Buffer.alloc(100))
      await db.query
        .insertInto('renditions')
        .values({
          track_id: track,
          kind,
          storage_key,
          mime: 'audio/mp4',
          byte_size: 100,
          duration_seconds: 1,
          etag,
          preview_length_seconds: kind === 'preview' ? 45 : null,
        })
        .execute()
    }
  })

  test('get no more bytes of tracks and previews for a displaced player until it takes a place again', async () => {
    for (const [person, part, limit] of [
      [free, 'preview', 1],
      [premium, 'stream', 3],
    ] as const) {
      const oldest = openPlayer(person)
      await oldest.start()
      expect((await oldest.listenTo(track, part)).status).toBe(206)
      const others = Array.from({ length: limit }, () => openPlayer(person))
      for (const other of others) await other.start()
      const refused = await oldest.listenTo(track, part)
      expect([refused.status, refused.code]).toEqual([409, 'playing_elsewhere'])
      expect((await others[0]!.listenTo(track, part)).status).toBe(206)
      await oldest.start()
      expect((await oldest.listenTo(track, part)).status).toBe(206)
      expect((await others[0]!.listenTo(track, part)).code).toBe('playing_elsewhere')
    }
  })

  test('range requests cause no database query', async () => {
    const { db, bus } = app.services
    let reads = 0
    const counting = new Proxy(db, {
      get(target, name, receiver) {
        if (name === 'query') reads++
        return Reflect.get(target, name, receiver)
      },
    })
    const places = createPlayerPlaces({ db: counting, bus })
    const find = async ({ player_id }: { player_id: string }) => {
      const player = await places.find(free.id, player_id)
      return player && (player.displaced_at === null ? 'has a place' : 'displaced')
    }
    const [desk, phone] = [openPlayer(free), openPlayer(free)]
    await desk.start()
    for (let i = 0; i < 50; i++) expect(await find(desk)).toBe('has a place')
    expect(reads).toBe(1)
    // This instance receives only the events, like another instance.
    await phone.start()
    await expect.poll(() => find(desk)).toBe('displaced')
    expect(await find(phone)).toBe('has a place')
    expect(await find(openPlayer(free))).toBeNull()
  })

  test("are accepted if they are sent concurrently with the player's start", async () => {
    const [desk, phone] = [openPlayer(free), openPlayer(free)]
    await desk.start()
    const bytes = phone.listenTo(track, 'preview')
    const early = phone.listenTo(track, 'preview')
    await phone.start()
    expect([(await bytes).status, (await early).status]).toEqual([206, 206])
    // The same is true for a player that was displaced earlier.
    const again = desk.listenTo(track, 'preview')
    await desk.start()
    expect((await again).status).toBe(206)
  })

  test('do not exceed the limit when players start one after the other as the previous one goes silent', async () => {
    const [first, second] = [openPlayer(free), openPlayer(free)]
    await first.start()
    advanceClock(36)
    await second.start()
    expect((await first.listenTo(track, 'preview')).code).toBe('playing_elsewhere')
    expect((await second.listenTo(track, 'preview')).status).toBe(206)
  })

  describe('of a player that never reported a start', () => {
    test('are accepted only while a place is free', async () => {
      const [stranger, desk] = [openPlayer(free), openPlayer(free)]
      await desk.start()
      expect((await stranger.listenTo(track, 'preview')).code).toBe('playing_elsewhere')
      expect(await desk.sendHeartbeat()).toBe(204)
      await desk.stop()
      expect((await stranger.listenTo(track, 'preview')).status).toBe(206)
    })

    test('are accepted until a player starts, which displaces it first', async () => {
      const [first, second, third] = [1, 2, 3].map(() => openPlayer(premium))
      const stranger = openPlayer(premium)
      await first!.start()
      await second!.start()
      expect((await stranger.listenTo(track)).status).toBe(206)
      await third!.start()
      expect((await stranger.listenTo(track)).code).toBe('playing_elsewhere')
      for (const player of [first, second, third]) expect(await player!.sendHeartbeat()).toBe(204)
    })

    test('are rejected if another instance has just displaced the player', async () => {
      const { db, places } = app.services
      const player = openPlayer(free)
      // The player is cached as unknown, because the other instance's event has not arrived yet.
      expect(await places.find(free.id, player.player_id)).toBeNull()
      const now = new Date(clockMs).toISOString()
      const times = { started_at: now, seen_at: now, displaced_at: now }
      await db.query
        .insertInto('players')
        .values({ user_id: free.id, player_id: player.player_id, device_id: null, ...times })
        .execute()
      expect((await player.listenTo(track, 'preview')).code).toBe('playing_elsewhere')
    })

    test("free the player's place 35 seconds after the last request", async () => {
      const [stranger, next] = [openPlayer(free), openPlayer(free)]
      for (let passed = 0; passed < 50; passed += 10) {
        advanceClock(10)
        expect((await stranger.listenTo(track, 'preview')).status).toBe(206)
      }
      advanceClock(30)
      expect((await next.listenTo(track, 'preview')).code).toBe('playing_elsewhere')
      advanceClock(6)
      expect((await next.listenTo(track, 'preview')).status).toBe(206)
    })
  })

  describe('without a player id', () => {
    const listen = (person: Person) => person.send('GET', `/api/tracks/${track}/preview`)

    test('take a place with the first request, like a starting player', async () => {
      const desk = openPlayer(free)
      await desk.start()
      advanceClock(1)
      expect((await listen(free)).status).toBe(200)
      expect(await desk.sendHeartbeat()).toBe('playing_elsewhere')
    })

    test('all requests of the account count as one player', async () => {
      const players = [openPlayer(premium), openPlayer(premium)]
      for (const player of players) await player.start()
      for (let i = 0; i < 8; i++) expect((await listen(premium)).status).toBe(200)
      for (const player of players) expect(await player.sendHeartbeat()).toBe(204)
    })

    test('are displaced by a starting player, and count as a new start after 35 seconds', async () => {
      const desk = openPlayer(free)
      expect((await listen(free)).status).toBe(200)
      await desk.start()
      expect((await listen(free)).code).toBe('playing_elsewhere')
      for (let passed = 0; passed < 40; passed += 10) {
        expect(await desk.sendHeartbeat()).toBe(204)
        advanceClock(10)
      }
      expect((await listen(free)).status).toBe(200)
      expect(await desk.sendHeartbeat()).toBe('playing_elsewhere')
    })

    test('keep the place while requests are sent', async () => {
      const stranger = openPlayer(free)
      for (let passed = 0; passed < 60; passed += 10) {
        expect((await listen(free)).status).toBe(200)
        advanceClock(10)
      }
      expect((await stranger.listenTo(track, 'preview')).code).toBe('playing_elsewhere')
    })

    test('are rejected if the player id is malformed', async () => {
      const { code } = await premium.send('GET', `/api/tracks/${track}/stream?player=me`)
      expect(code).toBe('invalid_input')
    })
  })
})
