// Kills a worker at every stage of the jobs that create files, and of the job that sends an email. After a restart the
// work must be done once, and nothing may be left of the attempt that was killed.
import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeWav } from '../../e2e/harness/make-wav.ts'
import { waitUntil } from '../../e2e/harness/service.ts'
import { sweepStorageGarbage } from '#server/platform/storage/storage-garbage.ts'
import { setBreakpoint, type Place } from './breakpoint.ts'
import { auditAll, uploadTrack, openWorld, type FaultWorld } from '../load/fault-world.ts'
import { startOneProcess, type OneProcess } from '../load/one-process.ts'

const createGarbagePlace = (kind: string): Place => ({
  table: 'storage_garbage',
  event: 'insert',
  when: `new.storage_key like '${kind}'`,
})
const jobDone = (job: string): Place => ({
  table: 'jobs.job',
  event: 'update',
  when: `new.name = '${job}' and new.state = 'completed'`,
})
const progress = (from: number, to: number): Place => ({
  table: 'tracks',
  event: 'update',
  when: `new.processing_status = 'processing' and new.processing_progress > ${from}
         and new.processing_progress < ${to}`,
})

let server: OneProcess
let world: FaultWorld
/** A recording that is long enough for progress at every stage, even on a fast machine. */
const long = makeWav(120, 330)

beforeAll(async () => {
  server = await startOneProcess()
  world = await openWorld(server, { tracks: 1, members: 1 })
})
afterAll(() => world.close())

async function killAt(place: Place, begin: () => Promise<unknown>): Promise<void> {
  const breakpoint = await setBreakpoint(server.owner, place)
  try {
    // Ignore an error: the statement at the breakpoint may be part of this request, which then gets no response.
    const begun = begin().catch(() => {})
    await breakpoint.reached()
    await server.kill()
    await begun
  } finally {
    await breakpoint.clear()
  }
  await server.start()
}

/** Returns the problems that the checks find now, and again after files without an owner were swept. */
async function auditTwice(): Promise<string[]> {
  const now = await auditAll(world, [])
  // Sweep as if it were 24.5 hours later. That is longer than any attempt takes, but unused uploads are still kept.
  const later = new Date(Date.now() + 24.5 * 3_600_000)
  const { failed } = await sweepStorageGarbage(world.db, world.storage, later)
  await waitUntil(() => encoders().length === 0, 10_000, 'the encoders of the killed server')
  return [...now, ...failed, ...(await auditAll(world, []))]
}

/** Returns the running encoder processes that use this data folder. */
function encoders(): string[] {
  const list = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' })
  return list
    .split('\n')
    .filter((line) => /ffmpeg|picture-child/.test(line) && line.includes(server.dataDir))
}

let tracks = 0
const newTrack = () => uploadTrack(world.owner, `Stage ${++tracks}`, long)

test.for<[string, Place]>([
  ['after it is taken from the queue', progress(-1, 0.001)],
  ['during the measurement', progress(0.001, 0.25)],
  ['during encoding', progress(0.25, 1)],
  ['before the first file is stored', createGarbagePlace('audio/%/standard-%')],
  ['before the last file is stored', createGarbagePlace('audio/%/preview-%')],
  ['before its cover is stored', createGarbagePlace('covers/%/128.avif')],
  [
    'before the files are assigned to the track',
    { table: 'renditions', event: 'insert', when: `new.kind = 'preview'` },
  ],
  ['before the job is marked as completed', jobDone('process-track')],
])('a track is processed once after a kill %s', async ([, place]) => {
  await killAt(place, newTrack)
  expect(await auditTwice()).toEqual([])
})

test('leaves nothing when killed after an upload was stored and before it is acknowledged', async () => {
  const before = await world.db.query.selectFrom('tracks').select('id').execute()
  const place = { table: 'uploads', event: 'update', when: `new.status = 'complete'` } as const
  await killAt(place, newTrack)
  const after = await world.db.query.selectFrom('tracks').select('id').execute()
  expect(after.length).toBe(before.length)
  expect(await auditTwice()).toEqual([])
})

test('leaves nothing when killed after an upload and before its track is created', async () => {
  await killAt({ table: 'tracks', event: 'insert', when: 'true' }, newTrack)
  expect(await auditTwice()).toEqual([])
})

test.for<[string, Place]>([
  ['before the new file is stored', createGarbagePlace('audio/%/high-%')],
  [
    'before the files are assigned to the track',
    { table: 'renditions', event: 'insert', when: `new.kind = 'high'` },
  ],
  ['before the job is marked as completed', jobDone('retag-track')],
])('the tags of a track are rewritten once after a kill %s', async ([, place]) => {
  const id = world.trackIds[0]!
  const title = `Renamed ${place.when.length}`
  await killAt(place, () =>
    world.owner.send('PATCH', `/api/admin-tracks/${id}`, { body: { title } }),
  )
  expect(await auditTwice()).toEqual([])
  const { body } = await world.owner.send('GET', `/api/admin-tracks/${id}`)
  expect(body['title']).toBe(title)
})

test.for<[string, number, Place]>([
  [
    'every track has its job',
    4,
    { ...jobDone('cut-stale-previews'), when: `new.name = 'cut-preview'`, event: 'insert' },
  ],
  ['a new file is stored', 5, createGarbagePlace('audio/%/preview-%')],
  [
    'it is assigned to the track',
    6,
    { table: 'renditions', event: 'insert', when: `new.kind = 'preview'` },
  ],
  ['the job is marked as completed', 2, jobDone('cut-preview')],
])('previews are cut again after a kill before %s', async ([, preview_length_seconds, place]) => {
  const settings = { ...world.settings, updated_at: undefined, preview_length_seconds }
  await killAt(place, () =>
    world.owner.send('POST', '/api/admin-settings', { body: { action: 'update', settings } }),
  )
  expect(await auditTwice()).toEqual([])
  const rows = await world.db.query
    .selectFrom('renditions')
    .select('preview_length_seconds')
    .where('kind', '=', 'preview')
    .execute()
  expect(new Set(rows.map((row) => row.preview_length_seconds))).toEqual(
    new Set([preview_length_seconds]),
  )
})

test('an email arrives at least once if its job is killed after sending', async () => {
  const { email } = world.members[0]!
  const place = { table: 'jobs.job', event: 'delete', when: `old.name = 'send-mail'` } as const
  await killAt(place, () =>
    world.owner.send('POST', '/api/auth/request-password-reset', { body: { email } }),
  )
  await waitUntil(
    async () => (await readdir(join(server.dataDir, 'outbox'))).length > 0,
    60_000,
    'the mail',
  )
  expect(await auditTwice()).toEqual([])
})
