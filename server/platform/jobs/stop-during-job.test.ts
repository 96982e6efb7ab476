// Tests that shutdown interrupts jobs and returns them to the queue with all their retries.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { transaction } from '../db/database.ts'
import { encodeTaggedWav } from '../../testing/tagged-wav.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { uploadTrack } from '../../testing/upload-track.ts'
import { jobNames, type JobHandler, type JobHandlers } from './job-kinds.ts'
import { openJobQueue } from './job-queue.ts'

interface Line {
  level: number
  msg: string
  job_id?: string
  err?: object
}

const levels = { info: 30, warn: 40, error: 50 }
let server: TestApp
let folder: string
let trackId: string

beforeAll(async () => {
  server = await createTestApp()
  folder = await mkdtemp(join(tmpdir(), 'velour-stop-'))
  const admin = await server.makePerson({ role: 'admin' })
  trackId = (await uploadTrack(server, admin, encodeTaggedWav(1, 300))).id
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  const { db, jobs } = server.services
  await sql`delete from jobs.job`.execute(db.query)
  await transaction(db, (trx) => jobs.enqueue(trx, 'process-track', { track_id: trackId }))
})

async function readJobs() {
  const { rows } = await sql<{ id: string; state: string; retry_count: number }>`
    select id, state::text, retry_count from jobs.job
     where name = 'process-track' order by created_on`.execute(server.services.db.query)
  return rows
}

async function openQueue(handler: JobHandler<unknown>) {
  const lines: Line[] = []
  const log = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Line) },
  )
  const queue = await openJobQueue({ connectionString: server.services.connectionString, log })
  const handlers = Object.fromEntries(jobNames.map((name) => [name, handler])) as JobHandlers
  await queue.work(handlers, 1, async () => false)
  return { queue, lines }
}

test('returns an interrupted job to the queue with all its retries and logs one line', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { queue, lines } = await openQueue(async (_, { signal }) => {
    begin()
    await once(signal, 'abort')
    throw new Error('ffmpeg could not finish its work.')
  })
  await begun
  const [running] = await readJobs()
  expect(running).toMatchObject({ state: 'active' })
  queue.interrupt()
  await queue.stop()
  expect(lines).toEqual([
    expect.objectContaining({
      level: levels.info,
      msg: 'job returned to the queue at shutdown',
      job_id: running!.id,
    }),
  ])
  const left = (await readJobs()).filter(({ state }) => state !== 'completed')
  expect(left).toMatchObject([{ state: 'created', retry_count: 0 }])
})

test('starts a returned job within seconds, even if the cached list shows it as running', async () => {
  const { db } = server.services
  const setCounted = (keys: string[] | null) =>
    sql`update jobs.queue set singletons_active = ${keys} where name = 'process-track'`.execute(
      db.query,
    )
  await setCounted([trackId])
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { queue } = await openQueue(async () => begin())
  await setCounted(null)
  const startMs = performance.now()
  await begun
  expect(performance.now() - startMs).toBeLessThan(15_000)
  await queue.stop()
})

test('after an interrupt, still enqueues jobs but starts none', async () => {
  await sql`delete from jobs.job`.execute(server.services.db.query)
  let count = 0
  const { queue } = await openQueue(async () => void count++)
  queue.interrupt()
  await transaction(server.services.db, (trx) =>
    queue.enqueue(trx, 'process-track', { track_id: trackId }),
  )
  await queue.stop()
  expect(count).toBe(0)
  // If a worker has just fetched the job, it must have returned it to the queue.
  const left = (await readJobs()).filter(({ state }) => state !== 'completed')
  expect(left).toMatchObject([{ state: 'created', retry_count: 0 }])
})

test.each([
  ['an attempt before the last', 0, levels.warn, 'retry'],
  ['the last attempt', 12, levels.error, 'failed'],
] as const)('logs a failing job with its error: %s', async (_, retries, level, state) => {
  await sql`update jobs.job set retry_count = ${retries}`.execute(server.services.db.query)
  const { queue, lines } = await openQueue(() => Promise.reject(new Error('No more memory.')))
  await expect.poll(() => readJobs(), { timeout: 5000 }).toMatchObject([{ state }])
  expect(lines[0]).toMatchObject({
    level,
    msg: 'job failed',
    err: { message: 'No more memory.' },
  })
  await queue.stop()
})

/**
 * Writes a program that ends on a signal as ffmpeg does: logs a line at level info and exits with ffmpeg's exit code.
 */
async function writeStuckFfmpeg(startedFile: string): Promise<string> {
  const path = join(folder, 'ffmpeg')
  const script = `#!/bin/sh
    trap 'echo "[info] Exiting normally, received signal 2." >&2; exit 255' INT TERM
    case "$*" in
      -version) echo "ffmpeg version 8.0 Copyright";;
      *-encoders) echo " A....D aac ";;
      *) echo started > ${startedFile}; while :; do :; done;;
    esac`
  await writeFile(path, script)
  await chmod(path, 0o755)
  return path
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'fails neither the job nor the track when server and ffmpeg both get %s',
  async (signal) => {
    const { databaseUrl, databaseOwnerUrl, dataDir } = server.services.config
    const startedFile = join(folder, `started-by-${signal}`)
    const port = await findFreePort()
    const child = spawn(process.execPath, [join(import.meta.dirname, '../..', 'main.ts')], {
      // In a separate process group, as when started from a terminal.
      detached: true,
      env: {
        PATH: process.env['PATH'],
        DEMO: 'off',
        ROLE: 'worker',
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl!,
        DATABASE_OWNER_URL: databaseOwnerUrl!,
        FFMPEG_PATH: await writeStuckFfmpeg(startedFile),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part: Buffer) => (printed += part.toString()))
    }
    try {
      await expect.poll(() => existsSync(startedFile), { timeout: 60_000 }).toBe(true)
    } catch (cause) {
      const jobs = JSON.stringify(await readJobs())
      throw new Error(`ffmpeg was not started. ${jobs}\n${printed}`, { cause })
    }
    // An unfinished request, which delays the shutdown by seconds.
    const slow = connect(port, '127.0.0.1').on('error', () => {})
    await once(slow, 'connect')
    slow.write('POST /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n')
    process.kill(-child.pid!, signal)
    const [out, err, [exitCode]] = await output
    slow.destroy()
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
    const lines = out
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line)
    expect(lines.filter(({ level }) => level >= levels.warn)).toEqual([])
    expect(lines.map(({ msg }) => msg)).toContain('job returned to the queue at shutdown')
    const left = (await readJobs()).filter(({ state }) => state !== 'completed')
    expect(left).toMatchObject([{ state: 'created', retry_count: 0 }])
    const track = await server.services.db.query
      .selectFrom('tracks')
      .select(['processing_status', 'processing_error'])
      .where('id', '=', trackId)
      .executeTakeFirst()
    expect(track).toEqual({ processing_status: 'processing', processing_error: null })
  },
  120_000,
)
