// Tests backup and restore. A service is backed up under load, restored into a PostgreSQL of this machine (usually
// another major version), and from there back into the embedded one. After each restore members can sign in and get the
// same audio, and all data is from the same moment.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditObjects, auditOrders, auditTracks, drainJobs } from '../load/audit-world.ts'
import { openWorld, createWriters, type FaultWorld } from '../load/fault-world.ts'
import { startLoad } from '../load/load.ts'
import { worldEnv, startOneProcess, type OneProcess } from '../load/one-process.ts'
import { memberPassword } from '../load/writer.ts'
import { createDatabase, type Database } from '#server/platform/db/database.ts'
import { findRunningPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { createApiClient } from '../../e2e/harness/api-client.ts'
import { startService } from '../../e2e/harness/service.ts'
import { startSystemPostgres, type SystemPostgres } from './system-postgres.ts'

const root = join(import.meta.dirname, '..', '..')
const log = { info() {}, warn: console.warn, error: console.error }
/** How long the load runs before the backup. */
const writingMs = 5_000

let server: OneProcess
let world: FaultWorld
let own: SystemPostgres
let audioHash: string
const folders: string[] = []

beforeAll(async () => {
  server = await startOneProcess()
  world = await openWorld(server, { tracks: 2, members: 4 })
  own = await startSystemPostgres()
  audioHash = await hashFirstTrack(server.urls[0]!)
}, 180_000)
afterAll(async () => {
  await world?.close()
  await own?.stop()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-restore-'))
  folders.push(folder)
  return folder
}

const ownSettings = () => ({ DATABASE_URL: own.app, DATABASE_OWNER_URL: own.owner })

/** Runs the command `npm run ...` with the settings of the server. */
async function command(env: Record<string, string>, ...args: string[]): Promise<string> {
  const { PATH = '', HOME = '' } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/run.mjs', ...args], {
    cwd: root,
    env: { PATH, HOME, DEMO: 'off', ...env },
  })
  return stdout
}

const parseCounts = (output: string) => output.match(/\d+ (?=rows|files)/g)?.map(Number)

/** Returns a hash of the audio of the first track, as a Premium member gets it. */
async function hashFirstTrack(url: string): Promise<string> {
  const member = createApiClient(url)
  await member.signIn({ email: world.members[0]!.email, password: memberPassword })
  const response = await member.fetch(`/api/tracks/${world.trackIds[0]}/stream`)
  expect(response.status).toBe(200)
  return createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex')
}

async function countPeople(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>('select count(*)::int from profiles')
  return rows[0]!.count
}

/** Waits until the jobs in the backup are done. Then checks what must be true for every service. */
async function auditWorld(owner: string, dataDir: string) {
  const db = createDatabase({ connectionString: owner, maxConnections: 2, log })
  const storage = await openStorage({ s3: null, dataDir })
  try {
    const problems = [
      ...(await drainJobs(db)),
      ...(await auditOrders(db)),
      ...(await auditTracks(db)),
      ...(await auditObjects(db, storage)),
    ]
    // A track and its audit entry are written in one transaction, so a consistent backup has as many of both.
    const { rows } = await db.pool.query(
      `select (select count(*) from tracks) = (select count(*) from audit_log
         where entity = 'track' and action = 'create') as agree`,
    )
    return { problems, isOneMoment: rows[0].agree as boolean, people: await countPeople(db) }
  } finally {
    await storage.close()
    await db.close()
  }
}

test('a backup under load can be restored into a PostgreSQL of this machine', async () => {
  const load = startLoad(createWriters(world))
  await sleep(writingMs)
  const before = await countPeople(world.db)
  const file = join(await newFolder(), 'embedded.tar')
  const saved = await command({ DATA_DIR: server.dataDir }, 'backup', file)
  const after = await countPeople(world.db)
  await load.pause()

  const dataDir = await newFolder()
  const env = { DATA_DIR: dataDir, ...ownSettings() }
  expect(parseCounts(await command(env, 'restore', file))).toEqual(parseCounts(saved))
  const restored = await startService({ dataDir, env: { ...worldEnv, ...ownSettings() } })
  try {
    expect(await hashFirstTrack(restored.url)).toBe(audioHash)
    const { problems, isOneMoment, people } = await auditWorld(own.owner, dataDir)
    expect(problems).toEqual([])
    expect(isOneMoment).toBe(true)
    expect(people).toBeGreaterThanOrEqual(before)
    expect(people).toBeLessThanOrEqual(after)
    console.log(`PostgreSQL ${own.version}: ${saved.trim().split(': ')[1]}, ${people} people`)
  } finally {
    await restored.stop()
  }
}, 180_000)

test('a backup of that service can be restored into the embedded PostgreSQL', async () => {
  const file = join(await newFolder(), 'own.tar')
  const env = { DATA_DIR: folders[1]!, ...ownSettings() }
  expect(await command(env, 'upgrade-check')).toContain('There is nothing to upgrade')
  const saved = await command(env, 'backup', file)
  const dataDir = await newFolder()
  expect(parseCounts(await command({ DATA_DIR: dataDir }, 'restore', file))).toEqual(
    parseCounts(saved),
  )
  const restored = await startService({ dataDir, env: worldEnv })
  try {
    expect(await hashFirstTrack(restored.url)).toBe(audioHash)
    const { owner } = await findRunningPostgres(dataDir)
    expect(await auditWorld(owner, dataDir)).toMatchObject({ problems: [], isOneMoment: true })
    expect(await command({ DATA_DIR: dataDir }, 'upgrade-check')).toContain('nothing to upgrade')
  } finally {
    await restored.stop()
  }
}, 180_000)
