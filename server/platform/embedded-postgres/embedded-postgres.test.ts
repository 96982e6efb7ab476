import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { queryAt } from '../db/with-client.ts'

const isRoot = process.getuid?.() === 0
const nobody = 65534
const holder = join(import.meta.dirname, '../../testing/hold-postgres.ts')

let dataDir: string
let running: { stop(): Promise<void> }[] = []
let holders: ChildProcess[] = []
let logged: string[] = []

const log = {
  info: () => {},
  warn: (_: unknown, message = '') => void logged.push(message),
  error: (first: unknown, message = String(first)) => void logged.push(message),
}

beforeEach(() => {
  logged = []
  dataDir = mkdtempSync(join(realpathSync(tmpdir()), 'velour-supervisor-'))
  // The server creates the folder with this mode: other users may enter it but not list it.
  chmodSync(dataDir, 0o711)
})

afterEach(async () => {
  for (const child of holders) await kill(child)
  for (const { stop } of running) await stop()
  // The database of a killed process may still be running, so adopt and stop it.
  if (existsSync(join(dataDir, 'postgres/data/postmaster.pid'))) await (await start()).stop()
  rmSync(dataDir, { recursive: true, force: true })
  running = []
  holders = []
})

async function start(folder = dataDir, durable = false): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log, durable })
  let stopped: Promise<void> | null = null
  const stoppable = { ...postgres, stop: () => (stopped ??= postgres.stop()) }
  running.push(stoppable)
  return stoppable
}

async function startHolder(options: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [holder, dataDir], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
    // In a separate process group, as when started from a terminal.
    detached: true,
  })
  holders.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => JSON.parse((await lines.next()).value ?? 'null')
  return { child, nextLine, first: await nextLine() }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

const postmasterPid = () =>
  Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])

test('starts on a copy of the folder that belongs to another user and is open to others', async () => {
  const first = await start()
  await queryAt(first.owner, 'create table kept as select 7 as answer')
  await first.stop()
  const copy = join(dataDir, 'copy')
  mkdirSync(copy, { mode: 0o711 })
  // All files belong to root, as if root had copied them in a container.
  cpSync(join(dataDir, 'postgres'), join(copy, 'postgres'), { recursive: true })
  chmodSync(join(copy, 'postgres/data'), 0o755)
  const copied = await start(copy)
  expect(await queryAt(copied.owner, 'select answer from kept')).toEqual([{ answer: 7 }])
  expect(statSync(join(copy, 'postgres/data')).mode & 0o777).toBe(0o700)
  await copied.stop()
})

test('creates a durable, checksummed database that only its own user may access', async () => {
  const postgres = await start(dataDir, true)
  expect(postgres.adopted).toBe(false)
  const [settings] = await queryAt(
    postgres.owner,
    `select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
            current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone,
            current_setting('listen_addresses') as addresses, upper('straße é') as upper,
            (select rolsuper from pg_roles where rolname = current_user) as superuser`,
  )
  expect(settings).toEqual({
    fsync: 'on',
    checksums: 'on',
    encoding: 'UTF8',
    zone: 'UTC',
    addresses: '',
    upper: 'STRAßE É',
    superuser: false,
  })
  expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
  expect(statSync(join(dataDir, 'postgres/password')).mode & 0o777).toBe(0o600)
  const wrongPassword = new URL(postgres.owner)
  wrongPassword.password = 'guess'
  await expect(queryAt(wrongPassword.href, 'select 1')).rejects.toThrow('password authentication')
})

test('keeps the data across a restart', async () => {
  const first = await start()
  await queryAt(first.owner, 'create table kept as select 7 as n')
  await first.stop()
  expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false)
  const second = await start()
  expect(await queryAt(second.owner, 'select n from kept')).toEqual([{ n: 7 }])
})

test('adopts the database of a killed process and stops it at the end', async () => {
  const { child, first } = await startHolder()
  await queryAt(first.owner, 'create table kept as select 7 as n')
  const pid = postmasterPid()
  await kill(child)
  const postgres = await start()
  expect(postgres.adopted).toBe(true)
  expect(postmasterPid()).toBe(pid)
  expect(await queryAt(postgres.owner, 'select n from kept')).toEqual([{ n: 7 }])
  await postgres.stop()
  expect(existsSync(join(dataDir, 'postgres/data/postmaster.pid'))).toBe(false)
})

test('refuses a second process on the same folder with a short error message', async () => {
  const { child, first } = await startHolder()
  await expect(start()).rejects.toThrow(
    `Another Velour (process ${child.pid}) is already using the data folder ${dataDir}. ` +
      'Stop it first, or choose another folder with DATA_DIR.',
  )
  expect(await queryAt(first.owner, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('lets exactly one of several concurrent starts use a new folder', async () => {
  const started = await Promise.all(Array.from({ length: 4 }, () => startHolder()))
  const winners = started.filter(({ first }) => first.owner)
  const errors = started.flatMap(({ first }) => first.error ?? [])
  expect(winners).toHaveLength(1)
  expect(errors).toHaveLength(3)
  for (const error of errors) expect(error).toContain('is already using the data folder')
})

test('recovers committed data after database and Velour were killed', async () => {
  const { child, first } = await startHolder()
  await queryAt(first.owner, 'create table kept as select 7 as n')
  const pid = postmasterPid()
  await kill(child)
  process.kill(pid, 'SIGKILL')
  const postgres = await start()
  expect(await queryAt(postgres.owner, 'select n from kept')).toEqual([{ n: 7 }])
})

test('ignores an unrelated process that has the pid of the old server', async () => {
  const { child } = await startHolder()
  const pidFile = join(dataDir, 'postgres/data/postmaster.pid')
  const pid = postmasterPid()
  const content = readFileSync(pidFile, 'utf8')
  await kill(child)
  process.kill(pid, 'SIGINT')
  await expect.poll(() => existsSync(pidFile)).toBe(false)
  // Another process of the same user has the pid, which PostgreSQL would take for a running server.
  const identity = isRoot ? { uid: nobody, gid: nobody } : {}
  const other = spawn('/bin/sleep', ['60'], identity)
  holders.push(other)
  writeFileSync(pidFile, content.replace(/^\d+/, String(other.pid)), { mode: 0o600 })
  if (isRoot) chownSync(pidFile, nobody, nobody)
  const postgres = await start()
  expect(postgres.adopted).toBe(false)
  expect(await queryAt(postgres.owner, 'select 1 as n')).toEqual([{ n: 1 }])
})

test('creates the database again after it was killed while creating it', async () => {
  const unfinished = join(dataDir, 'postgres', 'unfinished-1')
  mkdirSync(unfinished, { recursive: true })
  writeFileSync(join(unfinished, 'PG_VERSION'), '18\n')
  const postgres = await start()
  expect(await queryAt(postgres.owner, 'select 1 as n')).toEqual([{ n: 1 }])
  expect(existsSync(unfinished)).toBe(false)
})

test('names both versions if the folder belongs to another major version', async () => {
  const postgres = await start()
  await postgres.stop()
  const versionFile = join(dataDir, 'postgres/data/PG_VERSION')
  const version = readFileSync(versionFile)
  writeFileSync(versionFile, '16\n')
  await expect(start()).rejects.toThrow(/was created by PostgreSQL 16, and this Velour ships .* 18/)
  writeFileSync(versionFile, version)
})

test('reports the reason when PostgreSQL does not start', async () => {
  const postgres = await start()
  await postgres.stop()
  const conf = join(dataDir, 'postgres/data/postgresql.conf')
  const before = readFileSync(conf)
  writeFileSync(conf, 'nonsense = 1\n')
  await expect(start()).rejects.toThrow(/PostgreSQL did not start: .*nonsense/)
  writeFileSync(conf, before)
})

test('restarts the database when it exits unexpectedly', async () => {
  const postgres = await start(dataDir, true)
  await queryAt(postgres.owner, 'create table kept as select 7 as n')
  process.kill(postmasterPid(), 'SIGKILL')
  await expect
    .poll(() => queryAt(postgres.owner, 'select n from kept').catch(() => null), {
      timeout: 15_000,
    })
    .toEqual([{ n: 7 }])
  expect(logged[0]).toContain('The database ended unexpectedly')
})

test('the database keeps running on Ctrl+C in the terminal, so that Velour can shut it down cleanly', async () => {
  const { child, nextLine } = await startHolder()
  process.kill(-child.pid!, 'SIGINT')
  expect(await nextLine()).toEqual({ answer: 42, stopped: true })
})

test('puts the socket into a temporary folder if its path would be too long', async () => {
  const longFolder = join(dataDir, 'x'.repeat(100))
  const postgres = await start(longFolder)
  const socketFolder = new URL(postgres.owner).searchParams.get('host')!
  expect(socketFolder).toMatch(/^\/tmp\/velour-socket-/)
  expect(await queryAt(postgres.owner, 'select 1 as n')).toEqual([{ n: 1 }])
  await postgres.stop()
  expect(existsSync(socketFolder)).toBe(false)
})

test.runIf(isRoot)('runs as the user nobody when started by root', async () => {
  await start()
  expect(statSync(`/proc/${postmasterPid()}`).uid).toBe(nobody)
  expect(statSync(join(dataDir, 'postgres')).uid).toBe(nobody)
  expect(statSync(dataDir).uid).toBe(0)
})

test.runIf(isRoot)('works for root in a folder that only root may enter', async () => {
  chmodSync(dataDir, 0o700)
  const postgres = await start(join(dataDir, 'inside'))
  expect(await queryAt(postgres.owner, 'select 1 as n')).toEqual([{ n: 1 }])
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  await postgres.stop()
})

test.runIf(isRoot)(
  'works for an ordinary user, and later for root on the same folder',
  async () => {
    chownSync(dataDir, nobody, nobody)
    const { child, first } = await startHolder({ uid: nobody, gid: nobody })
    await queryAt(first.owner, 'create table kept as select 7 as n')
    await kill(child)
    const postgres = await start()
    expect(postgres.adopted).toBe(true)
    expect(await queryAt(postgres.owner, 'select n from kept')).toEqual([{ n: 7 }])
  },
)

test.runIf(isRoot)('refuses a folder of another user with a clear error', async () => {
  chownSync(dataDir, nobody, nobody)
  mkdirSync(join(dataDir, 'postgres'))
  chmodSync(join(dataDir, 'postgres'), 0o711)
  const { first } = await startHolder({ uid: nobody, gid: nobody })
  expect(first.error).toContain('belongs to another user (uid 0)')
})
