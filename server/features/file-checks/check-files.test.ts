// Finding, listing and repairing files that were removed, truncated or overwritten without changing the database. On
// disk and on an object store, with real files and jobs.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getSystem, repairFiles } from '#contract/admin/admin-system.ts'
import { getAdminTrack, listAdminTracks, processTrackAgain } from '#contract/admin/admin-tracks.ts'
import { analyzeAudio } from '../../platform/ffmpeg/analyze-audio.ts'
import { probeAudio } from '../../platform/ffmpeg/probe.ts'
import { encodeTaggedWav } from '../../testing/tagged-wav.ts'
import { pictureKey } from '../pictures/store-picture.ts'
import type { Services } from '../../services.ts'
import type { S3Server } from '../../testing/storage/s3-server.ts'
import { startS3StandIn } from '../../testing/storage/s3-stand-in.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { uploadTrack } from '../../testing/upload-track.ts'
import { processTrack } from '../tracks/processing/process-track.ts'
import { checkFiles } from './check-files.ts'
import { repairPictures } from './repair-files.ts'

const signal = new AbortController().signal
const job = { signal, isLastAttempt: true }

describe.each(['disk', 's3'] as const)('checking files on %s', (kind) => {
  let server: TestApp
  let services: Services
  let admin: Person
  let s3: S3Server | null = null
  let id: string
  let sourceKey: string

  beforeAll(async () => {
    s3 = kind === 's3' ? await startS3StandIn() : null
    server = await createTestApp({
      metricsToken: 'a-token-of-the-collector',
      ...(s3 && { s3: s3.options, s3Upload: 'proxy' }),
    })
    services = server.services
    admin = await server.makePerson({ role: 'admin' })
    const track = await uploadTrack(server, admin, encodeTaggedWav(3, 300))
    id = track.id
    sourceKey = track.source_key
    await processTrack(services, id, job)
  })
  afterAll(async () => {
    await server.close()
    await s3?.close()
  })
  beforeEach(async () => {
    await sql`delete from jobs.job`.execute(services.db.query)
  })

  const check = () => checkFiles(services, { signal })
  const readDamaged = async () => (await admin.call(getSystem, {})).body.files.damaged

  async function keyOf(rendition: 'standard' | 'high' | 'preview'): Promise<string> {
    const row = await services.db.query
      .selectFrom('renditions')
      .select('storage_key')
      .where('track_id', '=', id)
      .where('kind', '=', rendition)
      .executeTakeFirstOrThrow()
    return row.storage_key
  }

  async function flipByte(key: string): Promise<void> {
    const bytes = await services.storage.read(key)
    const middle = Math.floor(bytes.length / 2)
    bytes[middle] = bytes[middle]! ^ 0xff
    await services.storage.put(key, bytes)
  }

  async function truncate(key: string): Promise<void> {
    const bytes = await services.storage.read(key)
    await services.storage.put(key, bytes.subarray(0, bytes.length - 100))
  }

  const queuedTracks = async () => {
    const { rows } = await sql<{ id: string }>`
      select data->>'track_id' as id from jobs.job where name = 'process-track'`.execute(
      services.db.query,
    )
    return rows.map((row) => row.id)
  }

  test('finds nothing if all files are intact, and stores hashes that an older version did not', async () => {
    await sql`delete from stored_files where storage_key like 'covers/%' or storage_key like 'audio/%'`.execute(
      services.db.query,
    )
    await sql`insert into stored_files (storage_key) values ('audio/of-nobody/high.m4a')`.execute(
      services.db.query,
    )
    const found = await check()
    expect(found).toMatchObject({ isComplete: true, orphans: [], checkedCount: 1 + 3 + 6 })
    const rows = await services.db.query.selectFrom('stored_files').selectAll().execute()
    expect(rows).toHaveLength(10)
    for (const row of rows) expect(row).toMatchObject({ sha256: expect.any(String), problem: null })
    expect(await readDamaged()).toMatchObject({ total: 0, data: [] })
  })

  test('lists removed, truncated and overwritten files, and recreates them with the same audio', async () => {
    const [high, standard, preview] = [
      await keyOf('high'),
      await keyOf('standard'),
      await keyOf('preview'),
    ]
    await services.storage.delete(high)
    await truncate(standard)
    await flipByte(preview)
    await check()
    const damaged = await readDamaged()
    expect(damaged).toMatchObject({ total: 3, repairable: 3 })
    expect(damaged.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ storage_key: high, kind: 'high', problem: 'missing' }),
        expect.objectContaining({ storage_key: standard, kind: 'standard', problem: 'wrong_size' }),
        expect.objectContaining({ storage_key: preview, kind: 'preview', problem: 'wrong_bytes' }),
      ]),
    )
    expect(damaged.data[0]).toMatchObject({ track_id: id, can_repair: true })
    const listed = (await admin.call(listAdminTracks, { query: { damaged: 'true' } })).body.data
    expect(listed).toMatchObject([{ id, file_problem: 'missing' }])
    const metrics = await fetch(`${server.url}/metrics`, {
      headers: { authorization: 'Bearer a-token-of-the-collector' },
    })
    expect(await metrics.text()).toContain('velour_damaged_files{problem="wrong_bytes"} 1')

    expect((await admin.call(repairFiles, {})).body).toEqual({ count: 3 })
    expect(await queuedTracks()).toEqual([id])
    await processTrack(services, id, job)
    await check()
    expect(await readDamaged()).toMatchObject({ total: 0 })
    expect((await admin.call(listAdminTracks, { query: { damaged: 'true' } })).body.data).toEqual(
      [],
    )
    for (const rendition of ['high', 'standard', 'preview'] as const) {
      await services.storage.withLocalFile(await keyOf(rendition), async (path) => {
        const header = await probeAudio(path)
        const sound = await analyzeAudio(services.ffmpeg, { ...header, path }, { signal })
        expect(sound.loudness.integratedLufs).toBeGreaterThan(-40)
      })
    }
  })

  test('recreates damaged sizes of a cover from an intact size', async () => {
    const { cover_id } = await services.db.query
      .selectFrom('tracks')
      .select('cover_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await services.storage.delete(pictureKey('cover', cover_id!, 1024, 'webp'))
    await flipByte(pictureKey('cover', cover_id!, 128, 'avif'))
    await check()
    expect(await readDamaged()).toMatchObject({ total: 2, repairable: 2 })
    await repairPictures(services, { signal })
    await check()
    expect(await readDamaged()).toMatchObject({ total: 0 })
  })

  test('reports an orphaned object once it is older than an hour', async () => {
    const key = `audio/${randomUUID()}/high.m4a`
    await services.storage.put(key, Buffer.from('nobody’s'))
    expect((await check()).orphans).toEqual([])
    const older: typeof services.storage = {
      ...services.storage,
      async stat(name) {
        const stat = await services.storage.stat(name)
        return stat && { ...stat, lastModified: new Date(Date.now() - 2 * 3600_000) }
      },
    }
    const found = await checkFiles({ db: services.db, storage: older }, { signal })
    expect(found.orphans).toEqual([key])
    await services.storage.delete(key)
  })

  test('reprocesses a track on request, but not if its recording is damaged', async () => {
    expect((await admin.call(processTrackAgain, { params: { id } })).status).toBe(200)
    expect(await queuedTracks()).toEqual([id])
    const before = await keyOf('high')
    const intact = await services.storage.read(sourceKey)
    await flipByte(sourceKey)
    await processTrack(services, id, job)
    expect(await keyOf('high')).toBe(before)
    const track = (await admin.call(getAdminTrack, { params: { id } })).body
    expect(track).toMatchObject({ processing_status: 'ready', file_problem: 'wrong_bytes' })
    expect(track.processing_error).toContain('damaged')
    await services.storage.delete(await keyOf('standard'))
    await check()
    expect(await readDamaged()).toMatchObject({ total: 2, repairable: 0 })
    expect((await admin.call(repairFiles, {})).body).toEqual({ count: 0 })
    const refused = await admin.call(processTrackAgain, { params: { id } })
    expect(refused).toMatchObject({ status: 409, code: 'source_missing' })

    await services.storage.put(sourceKey, intact)
    await check()
    expect(await readDamaged()).toMatchObject({ total: 1, repairable: 1 })
    await processTrack(services, id, job)
    expect((await admin.call(getAdminTrack, { params: { id } })).body.file_problem).toBeNull()
  })

  test('continues after an abort, and ends at its time limit', async () => {
    const stop = new AbortController()
    const stopping: typeof services.storage = {
      ...services.storage,
      async open(key) {
        if (key.startsWith('audio/')) stop.abort(new Error('stopped'))
        return services.storage.open(key)
      },
    }
    const broken = checkFiles({ db: services.db, storage: stopping }, { signal: stop.signal })
    await expect(broken).rejects.toThrow()
    const runs = () => services.db.query.selectFrom('file_checks').selectAll().execute()
    const count = (await runs()).length
    await checkFiles(services, { signal, resume: true })
    expect(await runs()).toHaveLength(count)
    expect((await runs()).every((run) => run.finished_at !== null)).toBe(true)
    expect(await checkFiles(services, { signal, limitMs: 0 })).toMatchObject({ isComplete: false })
  })
})
