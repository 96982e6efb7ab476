// The limit on playing devices when requests run concurrently.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepPlaying, startPlaying } from '#contract/playing.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const roundCount = 200

async function playingNow({ id }: Person): Promise<string[]> {
  const rows = await app.services.db.query
    .selectFrom('players')
    .select('player_id')
    .where('user_id', '=', id)
    .where('displaced_at', 'is', null)
    .execute()
  return rows.map(({ player_id }) => player_id)
}

const start = async (person: Person, player_id: string) =>
  (await person.call(startPlaying, { params: { player_id } })).status
const sendHeartbeat = async (person: Person, player_id: string) =>
  (await person.call(keepPlaying, { params: { player_id } })).status

test.each([
  { tier: 'free', limit: 1 },
  { tier: 'premium', limit: 3 },
] as const)(
  'if $tier players start concurrently, $limit keep playing (200 rounds)',
  async ({ tier, limit }) => {
    const person = await app.makePerson({ tier })
    for (let i = 0; i < roundCount; i++) {
      const players = Array.from({ length: limit + 2 }, () => randomUUID())
      const responses = await Promise.all(players.map((player) => start(person, player)))
      expect(new Set(responses)).toEqual(new Set([204]))
      const playing = await playingNow(person)
      expect(playing).toHaveLength(limit)
      expect(players).toEqual(expect.arrayContaining(playing))
    }
  },
  60_000,
)

test('if several tabs of one browser start concurrently, one keeps playing (50 rounds)', async () => {
  const person = await app.makePerson({ tier: 'premium' })
  const query = { device_id: randomUUID() }
  for (let i = 0; i < 50; i++) {
    const tabs = Array.from({ length: 4 }, () => randomUUID())
    await Promise.all(
      tabs.map((player_id) => person.call(startPlaying, { params: { player_id }, query })),
    )
    const [tab, ...others] = await playingNow(person)
    expect(others).toEqual([])
    expect(tabs).toContain(tab)
  }
}, 300_000)

test('concurrent starts and heartbeats never leave more players than the limit', async () => {
  const person = await app.makePerson({ tier: 'premium' })
  const players = Array.from({ length: 6 }, () => randomUUID())
  for (let i = 0; i < 50; i++) {
    const responses = await Promise.all(
      players.map((player, index) => (index % 2 === i % 2 ? start : sendHeartbeat)(person, player)),
    )
    expect(responses.every((status) => status === 204 || status === 409)).toBe(true)
    expect((await playingNow(person)).length).toBe(3)
    // Only players that hold a place can renew it with a heartbeat.
    const beats = []
    for (const player of players) beats.push(await sendHeartbeat(person, player))
    expect(beats.filter((status) => status === 204)).toHaveLength(3)
  }
}, 300_000)
