import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  discardFailedJob,
  getDiskSpace,
  getSystem,
  retryFailedJob,
  retryFailedJobs,
} from '#contract/admin/admin-system.ts'
import { completeUploadParts, listUploadParts } from '#contract/upload-parts.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { transaction } from '../../platform/db/database.ts'
import { discardKeys } from '../../platform/storage/storage-garbage.ts'
import { StorageError } from '../../platform/storage/storage.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { startWorker } from '../../worker.ts'
import { readSystem } from './system-operations.ts'

const megabyte = 1000 ** 2
const blocks = (bytes: number) => bytes / 4000
let freeBytes = 0
/** Free space on the storage's disk if it is mounted separately, otherwise null. */
let storageFreeBytes: number | null = null
let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp(
    { metricsToken: 'a-token-of-the-collector' },
    {
      statfs: async (folder) => {
        const free = folder.endsWith('/storage') ? (storageFreeBytes ?? freeBytes) : freeBytes
        return {
          bsize: 4000,
          blocks: blocks(10_000 * megabyte) + 1000,
          // The operating system reserves a thousand blocks, which are not available.
          bfree: blocks(free) + 1000,
          bavail: blocks(free),
        }
      },
    },
  )
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

beforeEach(() => setFree(5000))

/** Sets the free space, and waits until the measurement, which is cached for a second, expires. */
async function setFree(megabytes: number): Promise<void> {
  freeBytes = megabytes * megabyte
  await expect
    .poll(async () => (await app.services.disk.read()).free_bytes, { timeout: 3000 })
    .toBe(freeBytes)
}

const upload = { bucket: 'covers', filename: 'a.png', mime: 'image/png', size: 4 } as const

test('returns the state of the installation to admins only', async () => {
  const { body } = await admin.call(getSystem, {})
  expect(body.instances).toMatchObject([
    {
      is_this: true,
      is_alive: true,
      role: 'all',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    },
  ])
  expect(body.instances[0]).toMatchObject({
    free_bytes: 5000 * megabyte,
    total_bytes: 10_000 * megabyte,
    level: 'ok',
  })
  expect(body.storage).toEqual({ kind: 'disk', bucket: null, is_reachable: true })
  expect(body.database.version).toMatch(/^\d+/)
  expect(body.database.byte_size).toBeGreaterThan(megabyte)
  expect(body.queue.map(({ job }) => job)).toContain('process-track')
  expect(body.last_backup).toBeNull()
  expect(body).toMatchObject({ mail: 'outbox', stripe: false })
  expect((await (await app.makePerson()).call(getSystem, {})).code).toBe('forbidden')
})

test('reports an unreachable storage in a normal response', async () => {
  const { storage } = app.services
  const services = {
    ...app.services,
    storage: {
      ...storage,
      readInstallationId: async () => {
        throw new StorageError('unavailable', 'The store does not answer')
      },
    },
  }
  expect((await readSystem(services)).storage.is_reachable).toBe(false)
})

test('reports the storage as unreachable if its folder is missing', async () => {
  const { dataDir } = app.services.config
  await rename(join(dataDir, 'storage'), join(dataDir, 'away'))
  expect((await admin.call(getSystem, {})).body.storage.is_reachable).toBe(false)
  const response = await fetch(`${app.url}/metrics`, {
    headers: { authorization: 'Bearer a-token-of-the-collector' },
  })
  expect(await response.text()).toContain('velour_storage_reachable 0')
  await rename(join(dataDir, 'away'), join(dataDir, 'storage'))
  expect((await admin.call(getSystem, {})).body.storage.is_reachable).toBe(true)
})

test('returns the newest backup and the other instances', async () => {
  const { db } = app.services
  await db.query
    .insertInto('backups')
    .values([
      { byte_size: 5, object_count: 1, created_at: '2026-01-01T00:00:00Z' },
      { byte_size: 7, object_count: 2, created_at: '2026-02-01T00:00:00Z' },
    ])
    .execute()
  const other = {
    host: 'worker-2',
    role: 'worker',
    version: '9.9.9',
    started_at: '2026-01-01T00:00:00Z',
    free_bytes: 100 * megabyte,
    total_bytes: 10_000 * megabyte,
  } as const
  const id = crypto.randomUUID()
  await db.query
    .insertInto('instances')
    .values({ ...other, id })
    .execute()
  const { body } = await admin.call(getSystem, {})
  expect(body.last_backup).toMatchObject({ byte_size: 7, object_count: 2 })
  expect(body.instances.map(({ host }) => host)[1]).toBe('worker-2')
  // Returns the fullest disk among those of all instances.
  expect((await admin.call(getDiskSpace, {})).body).toMatchObject({
    host: 'worker-2',
    level: 'full',
  })
  await sql`update instances set seen_at = now() - interval '1 minute' where id = ${id}`.execute(
    db.query,
  )
  expect((await admin.call(getDiskSpace, {})).body.level).toBe('ok')
  expect((await admin.call(getSystem, {})).body.instances[1]).toMatchObject({ is_alive: false })
  await sql`update instances set seen_at = now() - interval '1 hour' where id = ${id}`.execute(
    db.query,
  )
  await app.services.heartbeat.beat()
  expect((await admin.call(getSystem, {})).body.instances).toHaveLength(1)
})

test('refuses every kind of upload while the disk is full, and stores no partial file', async () => {
  const signed = (await admin.call(createSignedUpload, { body: upload })).body
  const send = (method: string, headers: Record<string, string>) =>
    admin.send(method, signed.uploadUrl, {
      body: 'abcd',
      headers: { 'upload-token': signed.uploadToken, ...headers },
    })
  const song = { ...upload, bucket: 'audio', filename: 'a.wav', mime: 'audio/wav' } as const
  const inParts = (await admin.call(createSignedUpload, { body: song })).body
  const id = inParts.uploadUrl.split('/').at(-1)!
  const type = { 'content-type': 'application/octet-stream' }
  const sendPart = () =>
    admin.send('PUT', `${inParts.uploadUrl}/parts/1`, { body: 'abcd', headers: type })
  await setFree(400)
  const refused = await admin.call(createSignedUpload, { body: upload })
  expect([refused.status, refused.code]).toEqual([507, 'storage_full'])
  expect(refused.body).toMatchObject({
    error: { message: 'There is not enough space on the server for this file.' },
  })
  const put = await send('PUT', type)
  expect([put.status, put.code]).toEqual([507, 'storage_full'])
  const early = await sendPart()
  expect([early.status, early.code]).toEqual([507, 'storage_full'])
  await setFree(5000)
  expect((await admin.call(listUploadParts, { params: { id } })).status).toBe(200)
  await setFree(400)
  const part = await sendPart()
  expect([part.status, part.code]).toEqual([507, 'storage_full'])
  expect((await admin.call(listUploadParts, { params: { id } })).body.data).toEqual([])

  // The same upload URL works once there is space.
  await setFree(5000)
  expect((await send('PUT', type)).status).toBe(204)
  expect((await sendPart()).status).toBe(204)
  await setFree(400)
  expect((await admin.call(completeUploadParts, { params: { id }, body: {} })).code).toBe(
    'storage_full',
  )
  await setFree(5000)
  expect((await admin.call(completeUploadParts, { params: { id }, body: {} })).status).toBe(204)
})

test('refuses uploads if only the disk of the storage is full', async () => {
  storageFreeBytes = 5 * megabyte
  try {
    const { disk } = app.services
    await expect.poll(async () => (await disk.read()).folder, { timeout: 3000 }).toBe('storage')
    expect(await disk.isFull()).toBe(true)
    expect((await admin.call(createSignedUpload, { body: upload })).code).toBe('storage_full')
    expect((await admin.call(getSystem, {})).body.instances[0]).toMatchObject({
      folder: 'storage',
      free_bytes: 5 * megabyte,
      level: 'full',
    })
    expect((await admin.call(getDiskSpace, {})).body).toMatchObject({ folder: 'storage' })
    const response = await fetch(`${app.url}/metrics`, {
      headers: { authorization: 'Bearer a-token-of-the-collector' },
    })
    const text = await response.text()
    expect(text).toContain(`velour_disk_free_bytes ${5 * megabyte}`)
    expect(text).toContain(`velour_folder_free_bytes{folder="storage"} ${5 * megabyte}`)
    expect(text).toContain(`velour_folder_free_bytes{folder="."} ${5000 * megabyte}`)
  } finally {
    storageFreeBytes = null
  }
})

test('refuses an upload if the disk fills up while it is sent', async () => {
  const audio = { bucket: 'audio', filename: 'a.wav', mime: 'audio/wav' } as const
  const { uploadUrl, uploadToken } = (await admin.call(createSignedUpload, { body: audio })).body
  const { promise: isFull, resolve: fill } = Promise.withResolvers<void>()
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>()
  async function* slowly() {
    yield Buffer.alloc(100_000)
    ask()
    await isFull
    yield Buffer.alloc(100_000)
  }
  const sending = fetch(new URL(uploadUrl, app.url), {
    method: 'PUT',
    headers: { cookie: admin.cookie, 'upload-token': uploadToken, 'content-type': 'audio/wav' },
    body: Readable.toWeb(Readable.from(slowly())) as ReadableStream<Uint8Array>,
    duplex: 'half',
  })
  await isAsked
  await setFree(400)
  fill()
  expect((await sending).status).toBe(507)
})

test('refuses an upload in advance if it would fill the disk', async () => {
  await setFree(1000)
  const audio = { bucket: 'audio', filename: 'a.wav', mime: 'audio/wav' } as const
  const large = { ...audio, size: 800 * megabyte }
  expect((await admin.call(createSignedUpload, { body: large })).code).toBe('storage_full')
  const small = { ...audio, size: 100 * megabyte }
  expect((await admin.call(createSignedUpload, { body: small })).status).toBe(201)
})

test('the metrics include the free space', async () => {
  const response = await fetch(`${app.url}/metrics`, {
    headers: { authorization: 'Bearer a-token-of-the-collector' },
  })
  const text = await response.text()
  expect(text).toContain(`velour_disk_free_bytes ${5000 * megabyte}`)
  expect(text).toContain(`velour_disk_size_bytes ${10_000 * megabyte}`)
})

const readJobStates = async (trackId: string) => {
  const { rows } = await sql<{ state: string; is_deferred: boolean; retry_count: number }>`
    select state::text, start_after > now() as is_deferred, retry_count from jobs.job
     where data->>'track_id' = ${trackId} and state <> 'completed'`.execute(app.services.db.query)
  return rows
}

async function makeTrack(title: string): Promise<string> {
  const { id } = await app.services.db.query
    .insertInto('tracks')
    .values({ title, artist: 'Ada' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function enqueue(track_id: string): Promise<void> {
  const { db, jobs } = app.services
  await transaction(db, (trx) => jobs.enqueue(trx, 'retag-track', { track_id }))
}

async function failJob(trackId: string): Promise<void> {
  await sql`
    update jobs.job set state = 'failed', completed_on = now(), retry_count = 12,
           output = '{"message": "ffmpeg could not finish its work.", "toolLog": "[error] no", "stack": "s"}'
     where data->>'track_id' = ${trackId}`.execute(app.services.db.query)
}

async function readAuditEntries(id: string) {
  return app.services.db.query
    .selectFrom('audit_log')
    .select(['action', 'entity', 'before', 'actor_id'])
    .where('entity_id', '=', id)
    .execute()
}

test('lists failed jobs with their errors, retries or discards them, and writes audit entries', async () => {
  const ids = [await makeTrack('First'), await makeTrack('Second'), await makeTrack('Third')]
  for (const id of ids) {
    await enqueue(id)
    await failJob(id)
  }
  const listed = (await admin.call(getSystem, {})).body.failed_jobs
  expect(listed.total).toBe(3)
  expect(listed.data.map(({ track_title }) => track_title)).toEqual(['Third', 'Second', 'First'])
  const [third, second] = listed.data
  expect(third).toMatchObject({
    job: 'retag-track',
    error: 'ffmpeg could not finish its work.',
    tool_log: '[error] no',
    tries: 13,
  })
  expect((await admin.call(discardFailedJob, { params: { id: third!.id } })).status).toBe(204)
  expect(await readJobStates(ids[2]!)).toEqual([])
  expect(await readAuditEntries(third!.id)).toEqual([
    {
      action: 'delete',
      entity: 'job',
      before: { job: 'retag-track', track_id: ids[2] },
      actor_id: admin.id,
    },
  ])
  expect((await admin.call(retryFailedJob, { params: { id: second!.id } })).status).toBe(204)
  expect(await readJobStates(ids[1]!)).toEqual([
    { state: 'created', is_deferred: false, retry_count: 0 },
  ])
  expect(await readAuditEntries(second!.id)).toMatchObject([{ action: 'retry', entity: 'job' }])
  const again = await admin.call(retryFailedJob, { params: { id: second!.id } })
  expect([again.status, again.code]).toEqual([404, 'job_not_found'])

  // A job for the same track that is already queued replaces the failed one.
  await enqueue(ids[0]!)
  expect((await admin.call(retryFailedJobs, {})).body).toEqual({ count: 1 })
  expect(await readJobStates(ids[0]!)).toHaveLength(1)
  expect((await admin.call(getSystem, {})).body.failed_jobs).toEqual({ total: 0, data: [] })
  expect((await admin.call(retryFailedJobs, {})).body).toEqual({ count: 0 })
})

test('pauses track processing while the disk is full, and resumes it when there is space', async () => {
  await setFree(400)
  const id = await makeTrack('Waiting')
  await enqueue(id)
  const worker = await startWorker(app.services)
  try {
    await expect
      .poll(() => readJobStates(id), { timeout: 10_000 })
      .toEqual([{ state: 'created', is_deferred: true, retry_count: 0 }])
    await setFree(5000)
    await sql`update jobs.job set start_after = now() where data->>'track_id' = ${id}`.execute(
      app.services.db.query,
    )
    await expect.poll(() => readJobStates(id), { timeout: 10_000 }).toEqual([])
  } finally {
    await worker.stop()
  }
})

test('shutting down does not wait for a storage that does not respond', async () => {
  const { db, storage } = app.services
  await transaction(db, (trx) => discardKeys(trx, ['audio/silent/high.m4a']))
  const asked = Promise.withResolvers<void>()
  const silent: typeof storage = {
    ...storage,
    delete: (_, { signal } = {}) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
        asked.resolve()
      }),
  }
  const worker = await startWorker({ ...app.services, storage: silent })
  await asked.promise
  await expect(worker.stop()).resolves.toBeUndefined()
})
