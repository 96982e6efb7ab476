// Uses an object store that is down, slow or silent, or that cuts connections. Requests that need the store must get
// 503 with Retry-After, and all others must work. No row may ever refer to an incomplete object.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startSwift, type SwiftServer } from '#server/testing/storage/swift-server.ts'
import { startFaultProxy, type FaultProxy, type Fault } from '#server/testing/fault-proxy.ts'
import { makeWav } from '../../e2e/harness/make-wav.ts'
import { drainJobs } from '../load/audit-world.ts'
import {
  auditAll,
  uploadTrack,
  openWorld,
  createWriters,
  type FaultWorld,
} from '../load/fault-world.ts'
import { startLoad, type Load } from '../load/load.ts'
import { startOneProcess } from '../load/one-process.ts'
import type { Writer } from '../load/writer.ts'

const faultMs = 12_000
/** The longest that a response may take for a listener. */
const longestWaitMs = 35_000

let swift: SwiftServer
let proxy: FaultProxy
let world: FaultWorld
let writers: Writer[]
let load: Load
const unplayedTracks: string[] = []

beforeAll(async () => {
  swift = await startSwift()
  const { options } = swift
  const { hostname, port } = new URL(options.endpoint!)
  proxy = await startFaultProxy({ host: hostname, port: Number(port) })
  const server = await startOneProcess({
    s3: options,
    env: {
      S3_BUCKET: options.bucket,
      S3_REGION: options.region,
      S3_ACCESS_KEY_ID: options.accessKeyId,
      S3_SECRET_ACCESS_KEY: options.secretAccessKey,
      S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
      S3_DELIVERY: 'proxy',
    },
  })
  world = await openWorld(server)
  // Upload tracks that nobody plays, so that the server has no cached audio of them.
  for (const title of ['Unheard 1', 'Unheard 2']) {
    unplayedTracks.push(await uploadTrack(world.owner, title, makeWav(3, 500)))
  }
  const unfinished = await drainJobs(world.db)
  if (unfinished.length > 0) throw new Error(unfinished.join('; '))
  writers = createWriters(world)
  load = startLoad(writers)
  await load.pause()
})
afterEach(async () => {
  await proxy.make('none')
  await load.pause()
})
afterAll(async () => {
  await world.close()
  await proxy.close()
  await swift.close()
})

/** Runs the load during the fault and some time after it. Returns the problems that the checks find. */
async function live(trouble: Fault, forMs: number, meanwhile = async () => {}): Promise<string[]> {
  load.resume()
  await sleep(2000)
  await proxy.make(trouble)
  await meanwhile()
  await sleep(forMs)
  await proxy.make('none')
  await sleep(3000)
  await load.pause()
  return auditAll(world, writers)
}

const requestAudio = (id: string) =>
  world.members[0]!.client.send('GET', `/api/tracks/${id}/stream`)

test('store down: lists and likes work, audio returns 503', async () => {
  const problems = await live('away', faultMs, async () => {
    await expectRefusal(unplayedTracks[0]!)
    expect((await world.members[0]!.client.send('GET', '/api/tracks')).status).toBe(200)
    const like = `/api/tracks/${world.trackIds[0]}/like`
    expect((await world.members[1]!.client.send('PUT', like)).status).toBe(204)
    await world.members[1]!.client.send('DELETE', like)
  })
  expect(problems).toEqual([])
  expect((await requestAudio(unplayedTracks[0]!)).status).toBe(200)
})

async function expectRefusal(id: string): Promise<void> {
  const begun = performance.now()
  expect(await requestAudio(id)).toMatchObject({ status: 503, code: 'unavailable' })
  expect(performance.now() - begun).toBeLessThan(longestWaitMs)
}

test('slow store: everything works with a delay', async () => {
  expect(await live({ delayMs: 400 }, faultMs)).toEqual([])
})

test('silent store: requests time out', async () => {
  expect(await live('silent', 5000, () => expectRefusal(unplayedTracks[1]!))).toEqual([])
})

test.for([200, 3_000, 30_000])('survives responses cut after %i bytes', async (cutAfterBytes) => {
  expect(await live({ cutAfterBytes, of: 'responses' }, faultMs)).toEqual([])
})

test.for([100, 5_000, 100_000])('survives requests cut after %i bytes', async (cutAfterBytes) => {
  expect(await live({ cutAfterBytes, of: 'requests' }, faultMs)).toEqual([])
})

test('every recording in the store has the checksum of its upload', async () => {
  const tracks = await world.db.query
    .selectFrom('tracks')
    .select(['source_key', 'source_sha256'])
    .execute()
  for (const { source_key, source_sha256 } of tracks) {
    const bytes = await world.storage.read(source_key!)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(source_sha256)
  }
  const told = JSON.stringify(load.acknowledged())
  process.stdout.write(
    `  acknowledged ${told}; responses ${JSON.stringify(world.responses.byStatus())}\n`,
  )
})
