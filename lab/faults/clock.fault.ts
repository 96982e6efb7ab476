// Moves the clock of a server forward and back, while it runs and before it starts. No acknowledged write may be lost.
// Everything that expires must do so by the clock of the database.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../e2e/harness/service.ts'
import { anonymousRequestsPerMinute } from '#server/platform/limits/anonymous-traffic.ts'
import { createClientAddress } from '../load/fault-client.ts'
import {
  auditAll,
  auditWrites,
  openWorld,
  createWriters,
  type FaultWorld,
} from '../load/fault-world.ts'
import { startLoad, type Load } from '../load/load.ts'
import { startOneProcess, type OneProcess } from '../load/one-process.ts'
import type { Writer } from '../load/writer.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

let folder: string
let clockFile: string
let server: OneProcess
let world: FaultWorld
let writers: Writer[]
let load: Load

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-clock-'))
  clockFile = join(folder, 'offset')
  await writeFile(clockFile, '0')
  const preload = join(import.meta.dirname, 'clock-preload.ts')
  server = await startOneProcess({
    env: {
      FAULT_CLOCK: clockFile,
      NODE_OPTIONS: `--import=${preload} --disable-warning=ExperimentalWarning`,
    },
  })
  world = await openWorld(server)
  writers = createWriters(world)
  load = startLoad(writers)
  await load.pause()
})
afterEach(async () => {
  await setClock(0)
  await load.pause()
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true })
})

/** Returns how far the server's clock is off. An offline lease contains the server's time. */
async function serverOffset(): Promise<number> {
  const { body } = await world.members[0]!.client.send('GET', '/api/offline-lease')
  return Date.parse(String(body['issued_at'])) - Date.now()
}

async function setClock(offsetMs: number): Promise<void> {
  await writeFile(clockFile, String(offsetMs))
  process.kill(server.pid(), 'SIGUSR2')
}

async function restart(): Promise<void> {
  await server.kill()
  await server.start()
}

test('loses no acknowledged write when the clock jumps under load', async () => {
  load.resume()
  for (const offsetMs of [2 * hourMs, -hourMs, 26 * hourMs, -3 * dayMs, 10 * dayMs, 0]) {
    await setClock(offsetMs)
    await waitUntil(async () => Math.abs((await serverOffset()) - offsetMs) < 30_000, 10_000)
    await sleep(4000)
    await load.pause()
    expect(await auditWrites(world, writers), `at ${offsetMs / hourMs} h`).toEqual([])
    load.resume()
  }
  await load.pause()
  expect(await auditAll(world, writers)).toEqual([])
})

test('a start with a clock far in the future ends no session, upload or Premium plan', async () => {
  const { id, client } = world.members[0]!
  await setEnd(id, new Date(Date.now() + dayMs))
  const waiting = await world.db.query.selectFrom('uploads').select('id').execute()
  await setClock(40 * dayMs)
  await restart()
  // Long enough for the first sweep of expired data, and perhaps another one.
  await sleep(5000)
  await setClock(0)
  expect((await client.send('GET', '/api/profile')).body['data']).toMatchObject({
    is_premium: true,
  })
  const left = await world.db.query.selectFrom('uploads').select('id').execute()
  expect(left.length).toBe(waiting.length)
  expect(await auditAll(world, writers)).toEqual([])
})

test('an expired plan ends although the server clock is behind', async () => {
  const { id, client } = world.members[0]!
  await setEnd(id, new Date(Date.now() - 60_000))
  await setClock(-2 * dayMs)
  await restart()
  const isPremium = async () => {
    const { body } = await client.send('GET', '/api/profile')
    return (body['data'] as { is_premium: boolean }).is_premium
  }
  await expect.poll(isPremium, { timeout: 30_000, interval: 500 }).toBe(false)
  expect(await auditAll(world, writers)).toEqual([])
})

async function setEnd(id: string, end: Date): Promise<void> {
  await world.db.query
    .updateTable('profiles')
    .set({ subscription_ends_at: end.toISOString() })
    .where('id', '=', id)
    .execute()
}

test('a clock that is set back does not block visitors', { timeout: 180_000 }, async () => {
  const headers = { 'x-forwarded-for': createClientAddress() }
  const visit = () => fetch(`${world.url()}/api/site`, { headers }).then(({ status }) => status)
  for (let number = 0; number < anonymousRequestsPerMinute - 20; number++) await visit()
  await setClock(-hourMs)
  const windowMs = 61_000
  await sleep(windowMs)
  for (let number = 0; number < 100; number++) expect(await visit()).toBe(200)
  expect(await auditAll(world, writers)).toEqual([])
})
