// Kills the database under load and lets it restart. The server must keep running, return 503 where it needs the
// database, serve everything else, and recover automatically. No acknowledged write may be lost.
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeWav } from '../../e2e/harness/make-wav.ts'
import { waitUntil } from '../../e2e/harness/service.ts'
import {
  auditAll,
  auditWrites,
  uploadTrack,
  openWorld,
  createWriters,
  type FaultWorld,
} from '../load/fault-world.ts'
import { startLoad, type Load } from '../load/load.ts'
import { startOneProcess, type OneProcess } from '../load/one-process.ts'
import type { Writer } from '../load/writer.ts'

const rounds = 5
const outageMs = 6000
/** The longest that a response may take while the database is down. */
const longestWaitMs = 15_000

let server: OneProcess
let world: FaultWorld
let writers: Writer[]
let load: Load
let longTrack: string

beforeAll(async () => {
  server = await startOneProcess()
  world = await openWorld(server)
  longTrack = await uploadTrack(world.owner, 'Long', makeWav(60, 200))
  writers = createWriters(world)
  load = startLoad(writers)
  await load.pause()
})
afterAll(() => world.close())
beforeEach(() => load.resume())
afterEach(async () => {
  chmodSync(dataFolder(), 0o700)
  await load.pause()
})

const dataFolder = () => join(server.dataDir, 'postgres', 'data')
const postmaster = () =>
  Number(readFileSync(join(dataFolder(), 'postmaster.pid'), 'utf8').split('\n')[0])

function findOneProcess(): number {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(postmaster())], {
    encoding: 'utf8',
  })
  const line = list.split('\n').find((one) => /velour \[local\]|velour_app velour/.test(one))
  if (!line) throw new Error(`No connection among\n${list}`)
  return Number.parseInt(line.trim())
}

const isReady = () => world.owner.fetch('/readyz').then((answer) => answer.ok)

/** Returns the problems that the checks find, such as acknowledged writes that are missing. */
async function auditNow(): Promise<string[]> {
  await waitUntil(isReady, 60_000, 'the database')
  await load.pause()
  const problems = await auditWrites(world, writers)
  load.resume()
  return problems
}

test('recovers after all of PostgreSQL is killed repeatedly', async () => {
  for (let round = 1; round <= rounds; round++) {
    await sleep(world.chance.below(3000))
    process.kill(postmaster(), 'SIGKILL')
    await waitUntil(async () => !(await isReady()), 5_000, 'the outage').catch(() => {
      // Ignore a timeout: the database had restarted before the first poll.
    })
    expect(await auditNow(), `round ${round}`).toEqual([])
  }
})

test('recovers after one PostgreSQL process is killed, which ends all connections', async () => {
  for (let round = 1; round <= rounds; round++) {
    await sleep(world.chance.below(2000))
    process.kill(findOneProcess(), 'SIGKILL')
    await sleep(200)
    expect(await auditNow(), `round ${round}`).toEqual([])
  }
})

test('returns 503 quickly during an outage where the database is needed, and serves everything else', async () => {
  await waitUntil(
    async () =>
      (await world.owner.send('GET', `/api/admin-tracks/${longTrack}`)).body[
        'processing_status'
      ] === 'ready',
    240_000,
  )
  const live = await world.owner.fetch('/api/events', { signal: AbortSignal.timeout(90_000) })
  const heard = listenFor(live, '"missed"').catch((error: Error) => error.message)
  const stream = await world.owner.fetch(`/api/tracks/${longTrack}/stream`)
  const reader = stream.body!.getReader()
  let received = (await reader.read()).value!.length

  // Make the folder unreadable, so that PostgreSQL can't restart yet.
  chmodSync(dataFolder(), 0o000)
  process.kill(postmaster(), 'SIGKILL')
  await waitUntil(async () => !(await isReady()), 10_000, 'the outage')
  const endsAt = performance.now() + outageMs
  const refused = { status: 503, code: 'unavailable' }
  while (performance.now() < endsAt) {
    const begun = performance.now()
    const [list, like] = await Promise.all([
      world.members[0]!.client.send('GET', '/api/tracks'),
      world.members[0]!.client.send('PUT', `/api/tracks/${world.trackIds[0]}/like`),
    ])
    expect(list).toMatchObject(refused)
    expect(like).toMatchObject(refused)
    expect(performance.now() - begun).toBeLessThan(longestWaitMs)
    expect((await world.owner.fetch('/healthz')).status).toBe(200)
    expect((await fetch(`${world.url()}/api/site`)).status).toBe(200)
    await sleep(200)
  }
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    received += part.value.length
  }
  expect(received).toBe(Number(stream.headers.get('content-length')))

  chmodSync(dataFolder(), 0o700)
  expect(await auditNow()).toEqual([])
  expect(await heard).toBe('heard')
})

test('has all acknowledged writes at the end, and all jobs are done', async () => {
  await waitUntil(isReady, 60_000, 'the database')
  await load.pause()
  expect(await auditAll(world, writers)).toEqual([])
  const told = JSON.stringify(load.acknowledged())
  process.stdout.write(
    `  acknowledged ${told}; responses ${JSON.stringify(world.responses.byStatus())}\n`,
  )
})

/** Resolves when the stream has sent the text. Rejects if it ends before that. */
async function listenFor(response: Response, words: string): Promise<string> {
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.includes(words)) return 'heard'
  }
  throw new Error(`The stream ended without ${words}`)
}
