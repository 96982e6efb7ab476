// Runs `npm run check-files` on a server whose files were removed, truncated and overwritten.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishTrack } from '#contract/admin/admin-tracks.ts'
import { encodeTaggedWav } from '../../testing/tagged-wav.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { uploadTrack } from '../../testing/upload-track.ts'
import { processTrack } from '../tracks/processing/process-track.ts'
import { startWorker } from '../../worker.ts'
import { enqueueNightlyCheck } from './nightly-check.ts'

const program = join(import.meta.dirname, '../../commands/check-files-main.ts')
const job = { signal: new AbortController().signal, isLastAttempt: true }

let server: TestApp
let admin: Person
let free: Person
let premium: Person
let id: string
let sourceKey: string

beforeAll(async () => {
  server = await createTestApp()
  admin = await server.makePerson({ role: 'admin' })
  free = await server.makePerson()
  premium = await server.makePerson({ tier: 'premium' })
  const track = await uploadTrack(server, admin, encodeTaggedWav(4, 400))
  id = track.id
  sourceKey = track.source_key
  await server.services.db.query
    .updateTable('settings')
    .set({ preview_length_seconds: 2 })
    .execute()
  await processTrack(server.services, id, job)
  await admin.call(publishTrack, { params: { id } })
})
afterAll(() => server.close())

async function run(...args: string[]): Promise<{ exitCode: number; output: string }> {
  const { config } = server.services
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      ...process.env,
      DEMO: 'off',
      DATA_DIR: config.dataDir,
      DATABASE_URL: config.databaseUrl!,
    },
  })
  const [out, error, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ])
  return { exitCode, output: out + error }
}

const pathOf = (key: string) =>
  join(server.services.config.dataDir, 'storage', 'objects', ...key.split('/'))

async function renditionKey(kind: 'standard' | 'high' | 'preview'): Promise<string> {
  const row = await server.services.db.query
    .selectFrom('renditions')
    .select('storage_key')
    .where('track_id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return row.storage_key
}

const queuedCount = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from jobs.job where name = 'process-track' and state = 'created'`.execute(
    server.services.db.query,
  )
  return rows[0]!.count
}

test('exits with code 0 and one line if no file is damaged, and otherwise lists each damaged file with its track', async () => {
  expect(await run()).toEqual({
    exitCode: 0,
    output: expect.stringMatching(/^ {2}10 files checked: all are intact\.\n$/),
  })
  await rm(pathOf(await renditionKey('high')))
  await truncate(pathOf(await renditionKey('standard')), 1000)
  const preview = pathOf(await renditionKey('preview'))
  const bytes = await readFile(preview)
  bytes[bytes.length - 10]! ^= 1
  await writeFile(preview, bytes)
  await writeFile(pathOf(`audio/${id}/nobody.m4a`), 'nobody’s')
  await utimes(pathOf(`audio/${id}/nobody.m4a`), new Date(0), new Date(0))
  const found = await run()
  expect(found.exitCode).toBe(1)
  const { title } = await server.services.db.query
    .selectFrom('tracks')
    .select('title')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  for (const words of [
    `missing: "${title}", high quality (audio/${id}/high-`,
    `wrong size: "${title}", standard quality (audio/${id}/standard-`,
    `wrong bytes: "${title}", preview (audio/${id}/preview-`,
    `no owner: audio/${id}/nobody.m4a`,
    '3 damaged, 1 without an owner',
  ]) {
    expect(found.output).toContain(words)
  }

  const repaired = await run('--repair')
  expect(repaired.output).toContain('3 of 3 damaged files were repaired.')
  expect(repaired.exitCode).toBe(0)
  expect((await run()).exitCode).toBe(0)
  expect((await run('--wrong')).exitCode).toBe(2)
})

test("reports a lost recording, and does not delete the track's playable files", async () => {
  const intact = await readFile(pathOf(sourceKey))
  await rm(pathOf(sourceKey))
  const high = await renditionKey('high')
  const found = await run('--repair')
  expect(found.exitCode).toBe(1)
  expect(found.output).toContain('Cannot be repaired: missing:')
  expect(found.output).toContain('upload it again')
  expect(await renditionKey('high')).toBe(high)
  await writeFile(pathOf(sourceKey), intact)
  expect((await run()).exitCode).toBe(0)
})

test("reprocesses a track once when a stream finds a missing file, and sends no more than the member's plan allows", async () => {
  await sql`delete from jobs.job`.execute(server.services.db.query)
  await rm(pathOf(await renditionKey('preview')))
  await rm(pathOf(await renditionKey('high')))
  for (let time = 0; time < 4; time++) {
    const preview = await free.send('GET', `/api/tracks/${id}/preview`)
    expect(preview).toMatchObject({ status: 404, code: 'track_file_missing' })
    expect((await free.send('GET', `/api/tracks/${id}/stream`)).code).toBe('premium_required')
    const whole = await fetch(`${server.url}/api/tracks/${id}/stream`, {
      headers: { cookie: premium.cookie },
    })
    expect(whole.status).toBe(200)
    const standard = await server.services.storage.stat(await renditionKey('standard'))
    expect((await whole.arrayBuffer()).byteLength).toBe(standard!.byteSize)
  }
  await expect.poll(queuedCount).toBe(1)

  const worker = await startWorker(server.services)
  try {
    await expect
      .poll(async () => (await free.send('GET', `/api/tracks/${id}/preview`)).status, {
        timeout: 60_000,
      })
      .toBe(200)
    expect((await run()).exitCode).toBe(0)
  } finally {
    await worker.stop()
  }
})

test('the check is enqueued once a night, and at any hour after two missed nights', async () => {
  const { services } = server
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from jobs.job where name = 'check-files' and state = 'created'`.execute(
      services.db.query,
    )
    return rows[0]!.count
  }
  const after = (hours: number, hour: number) => {
    const at = new Date(Date.now() + hours * 3600_000)
    at.setHours(hour, 30)
    return at
  }
  await enqueueNightlyCheck(services, after(0, 3))
  await enqueueNightlyCheck(services, after(24, 12))
  expect(await waiting()).toBe(0)
  await enqueueNightlyCheck(services, after(48, 3))
  await enqueueNightlyCheck(services, after(96, 12))
  expect(await waiting()).toBe(1)
})
