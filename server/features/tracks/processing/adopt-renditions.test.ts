// What happens when a setting or a track changes while a job generates the track's renditions. The jobs are real and
// pause while a test makes the change.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { transaction, type Handle, type Transaction } from '../../../platform/db/database.ts'
import { probeAudio } from '../../../platform/ffmpeg/probe.ts'
import { encodeTaggedWav } from '../../../testing/tagged-wav.ts'
import type { Services } from '../../../services.ts'
import { readPreviewLength } from '../../settings/preview-length.ts'
import { createTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'
import { cutPreview, cutStalePreviews } from './recut-preview.ts'
import { processTrack } from './process-track.ts'
import { retagTrack } from './retag-track.ts'

let server: TestApp
let services: Services
let admin: Person
let id: string
const job = { signal: new AbortController().signal, isLastAttempt: true }

beforeAll(async () => {
  server = await createTestApp()
  services = server.services
  admin = await server.makePerson({ role: 'admin' })
  await setLength(3)
  id = await addTrackToPlaylist()
  await processTrack(services, id, job)
})
afterAll(() => server.close())
beforeEach(async () => {
  await sql`delete from jobs.job`.execute(services.db.query)
})

async function addTrackToPlaylist(): Promise<string> {
  const source_key = `uploads/${randomUUID()}.wav`
  await services.storage.put(source_key, encodeTaggedWav(4, 330))
  const track = await services.db.query
    .insertInto('tracks')
    .values({ title: 'Dawn', artist: 'Ada', source_key })
    .returning('id')
    .executeTakeFirstOrThrow()
  return track.id
}

/** Changes the preview length in the database only; this instance is not notified. */
async function setLength(preview_length_seconds: number): Promise<void> {
  await services.db.query.updateTable('settings').set({ preview_length_seconds }).execute()
}

/** Returns the services for a job that runs `act` before it stores its first file. */
function createInterruptedServices(act: () => Promise<unknown>): Services {
  const { storage } = services
  let done: Promise<unknown> | undefined
  const putFile: typeof storage.putFile = async (...args) => {
    await (done ??= act())
    return storage.putFile(...args)
  }
  return { ...services, storage: { ...storage, putFile } }
}

const waitingJobs = async () => {
  const { rows } = await sql<{ name: string }>`
    select name from jobs.job where state = 'created' order by name`.execute(services.db.query)
  return rows.map(({ name }) => name)
}

const previewLength = async () => {
  const row = await services.db.query
    .selectFrom('renditions')
    .select(['preview_length_seconds as setting', 'duration_seconds as heard'])
    .where('track_id', '=', id)
    .where('kind', '=', 'preview')
    .executeTakeFirstOrThrow()
  return row
}

/** Reads the titles in the tags of the track's files. */
async function titles(): Promise<(string | undefined)[]> {
  const { db, storage } = services
  const rows = await db.query
    .selectFrom('renditions')
    .select('storage_key')
    .where('track_id', '=', id)
    .execute()
  return Promise.all(
    rows.map(async ({ storage_key }) => {
      const { tags } = await storage.withLocalFile(storage_key, probeAudio)
      return tags.title
    }),
  )
}

/** How many database queries are waiting for a lock. */
async function waitingQueries(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`.execute(services.db.query)
  return rows[0]!.count
}

describe('saving a new preview length', () => {
  test('during processing of a track enqueues another cut of its preview', async () => {
    await setLength(3)
    await processTrack(
      createInterruptedServices(() => setLength(1)),
      id,
      job,
    )
    expect(await waitingJobs()).toEqual(['cut-preview'])
    await cutPreview(services, id, job)
    expect(await previewLength()).toEqual({ setting: 1, heard: 1 })
  })

  test('while a preview is cut enqueues another cut of it', async () => {
    await cutPreview(
      createInterruptedServices(() => setLength(2)),
      id,
      job,
    )
    expect(await waitingJobs()).toEqual(['cut-preview'])
  })

  test('while tags are written does not restore the old preview', async () => {
    await setLength(3)
    await cutPreview(services, id, job)
    await setLength(2)
    await retagTrack(
      createInterruptedServices(() => cutPreview(services, id, job)),
      id,
      job,
    )
    expect(await previewLength()).toEqual({ setting: 2, heard: 2 })
    expect(await waitingJobs()).toEqual([])
  })

  test('applies to jobs even before this instance is notified of the change', async () => {
    await setLength(1)
    expect(services.settings.current().preview_length_seconds).not.toBe(1)
    await cutStalePreviews(services, job)
    expect(await waitingJobs()).toEqual(['cut-preview'])
  })

  test('waits until transactions that read the previous length have committed', async () => {
    const lockSettings = () =>
      services.db.query.selectFrom('settings').select('id').forUpdate().noWait().execute()
    await transaction(services.db, async (trx) => {
      await readPreviewLength(trx)
      await expect(lockSettings()).rejects.toThrow('could not obtain lock')
    })
    await expect(lockSettings()).resolves.toHaveLength(1)
  })
})

describe('changing a field that is written into tags', () => {
  beforeAll(() => setLength(2))

  const rename = (title: string, handle: Handle = services.db) =>
    handle.query.updateTable('tracks').set({ title }).where('id', '=', id).execute()

  test.each<[object, string[]]>([
    [{ credits: 'Words: Mira Holt' }, ['retag-track']],
    [{ ai_tool: 'Suno 5' }, ['retag-track']],
    [{ description: 'By the sea' }, []],
  ])(
    'enqueues retagging only for fields that are written into tags: %o',
    async (body, expected) => {
      const response = await admin.send('PATCH', `/api/admin-tracks/${id}`, { body })
      expect([response.status, await waitingJobs()]).toEqual([200, expected])
    },
  )

  test('while a preview is cut enqueues a retag job, even if another job has already written the tags', async () => {
    await cutPreview(
      createInterruptedServices(async () => {
        await rename('Dusk')
        await retagTrack(services, id, job)
      }),
      id,
      job,
    )
    expect(await waitingJobs()).toEqual(['retag-track'])
    await retagTrack(services, id, job)
    expect(await titles()).toEqual(['Dusk', 'Dusk', 'Dusk'])
    expect(await waitingJobs()).toEqual(['retag-track'])
  })

  test('while tags are written enqueues another retag job', async () => {
    await retagTrack(
      createInterruptedServices(() => rename('Night')),
      id,
      job,
    )
    expect(await waitingJobs()).toEqual(['retag-track'])
  })

  test('is applied by the job that is already queued if the new job is deduplicated into it', async () => {
    const { db, jobs } = services
    const enqueue = (trx: Transaction) => jobs.enqueue(trx, 'retag-track', { track_id: id })
    await transaction(db, enqueue)
    let retagging = Promise.resolve()
    await transaction(db, async (trx) => {
      await rename('Morning', trx)
      await enqueue(trx)
      retagging = retagTrack(services, id, job)
      await expect.poll(waitingQueries, { timeout: 10_000 }).toBe(1)
    })
    await retagging
    expect(await titles()).toEqual(['Morning', 'Morning', 'Morning'])
    expect(await waitingJobs()).toEqual(['retag-track'])
  })
})

test('throws when the search for outdated previews is aborted, so that the job is retried', async () => {
  const signal = AbortSignal.abort(new Error('the server is stopping'))
  await expect(cutStalePreviews(services, { signal })).rejects.toThrow('stopping')
})
