// Tests every error that an operator can cause, and its message. If a test can cause the error, it is real, otherwise
// simulated.
import { once } from 'node:events'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { S3ServiceException } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createArchive, fileOutput } from '../../features/backup/archive-writer.ts'
import { openBackupFile, verifyArchive } from '../../features/backup/read-archive.ts'
import { readConfig } from '../config/config.ts'
import { lockDataFolder, writeAddress } from '../embedded-postgres/data-folder-lock.ts'
import { queryAt } from '../db/with-client.ts'
import { createFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { checkPort, makeDataFolder } from './start-checks.ts'
import { explainStartError } from './start-error.ts'
import { StorageError } from '../storage/storage.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'

let folder: string
let database: TestDatabase
let busy: Server
let busyPort: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-start-error-'))
  database = await createTestDatabase()
  busy = createServer().listen(0, '127.0.0.1')
  await once(busy, 'listening')
  busyPort = (busy.address() as AddressInfo).port
})
afterAll(async () => {
  busy.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

interface Case {
  what: string
  settings?: () => Record<string, string>
  fail: (config: ReturnType<typeof readConfig>) => unknown
  /** The file that was passed to the command-line tool. */
  file?: () => string
  expected: (string | (() => string))[]
}

/** Creates an error like those of Node, for errors that cannot be caused in the test. */
const systemError = (code: string, fields: object) => () => {
  throw Object.assign(new Error(`${code}: as reported by the system`), { code, ...fields })
}
const withAddress = (change: (url: URL) => void) => () => {
  const url = new URL(database.connectionString)
  change(url)
  return { DATABASE_URL: url.href }
}
const connect = ({ databaseUrl }: { databaseUrl: string | null }) =>
  queryAt(databaseUrl!, 'select 1')
const inFolder = (name: string) => () => join(folder, name)

const cases: Case[] = [
  {
    what: 'the port is in use',
    settings: () => ({ PORT: String(busyPort) }),
    fail: checkPort,
    expected: [() => `PORT=${busyPort}: another program already listens on 127.0.0.1:${busyPort}`],
  },
  {
    what: 'the port requires root',
    settings: () => ({ PORT: '80' }),
    fail: systemError('EACCES', { syscall: 'listen', address: '127.0.0.1', port: 80 }),
    expected: ['PORT=80', 'from 1024 on'],
  },
  {
    what: 'the host is an address of another machine',
    settings: () => ({ HOST: '203.0.113.7', PORT: '4000', DEMO: 'off' }),
    fail: checkPort,
    expected: ['HOST=203.0.113.7 is not an address of this machine'],
  },
  {
    what: 'the data folder is below /proc',
    settings: () => ({ DATA_DIR: '/proc/velour/data' }),
    fail: ({ dataDir }) => makeDataFolder(dataDir),
    expected: ['/proc/velour cannot be created', 'DATA_DIR'],
  },
  {
    what: 'the data folder is a file',
    settings: () => ({ DATA_DIR: join(folder, 'a-file') }),
    fail: async ({ dataDir }) => {
      await writeFile(dataDir, '')
      makeDataFolder(dataDir)
    },
    expected: [
      () => `${join(folder, 'a-file')} is a file, and a folder is needed there`,
      'DATA_DIR',
    ],
  },
  {
    what: 'the lock of the data folder cannot be opened',
    fail: ({ dataDir }) => new DatabaseSync(dataDir),
    expected: [() => `may not write ${folder}`, 'belongs to user id', 'chown -R', 'DATA_DIR'],
  },
  {
    what: 'the data folder belongs to another user',
    fail: ({ dataDir }) => systemError('EACCES', { path: join(dataDir, 'velour.pid') })(),
    expected: [() => `may not write ${folder}`, 'belongs to user id', 'DATA_DIR'],
  },
  {
    what: 'the data folder is read-only',
    fail: ({ dataDir }) => systemError('EROFS', { path: dataDir, syscall: 'mkdir' })(),
    expected: [() => `${folder} is on a read-only file system`, 'DATA_DIR'],
  },
  {
    what: 'the disk is full',
    fail: () => writeFile('/dev/full', 'x'),
    expected: [() => `The disk of ${folder} is full`, 'DATA_DIR'],
  },
  {
    what: 'the disk of PostgreSQL is full',
    settings: () => ({ DATABASE_URL: database.connectionString }),
    fail: systemError('53100', {}),
    expected: ['DATABASE_URL: the disk of PostgreSQL is full'],
  },
  {
    what: 'no PostgreSQL is listening',
    settings: () => ({ DATABASE_URL: 'postgres://velour:hidden@127.0.0.1:1/velour' }),
    fail: connect,
    expected: ['DATABASE_URL: no PostgreSQL responds at 127.0.0.1:1'],
  },
  {
    what: 'the host name of the database server is unknown',
    settings: () => ({ DATABASE_URL: 'postgres://velour:hidden@nowhere.invalid/velour' }),
    fail: connect,
    expected: ['DATABASE_URL: no PostgreSQL responds at nowhere.invalid'],
  },
  {
    what: 'the password for the database is wrong',
    settings: withAddress((url) => (url.password = 'hidden')),
    fail: connect,
    expected: ['DATABASE_URL: PostgreSQL refuses the role or its password', '"velour_app"'],
  },
  {
    what: 'the password for the owner role is wrong',
    settings: () => {
      const owner = new URL(database.ownerConnectionString)
      owner.password = 'hidden'
      return { DATABASE_URL: database.connectionString, DATABASE_OWNER_URL: owner.href }
    },
    fail: ({ databaseOwnerUrl }) => queryAt(databaseOwnerUrl!, 'select 1'),
    expected: ['DATABASE_OWNER_URL: PostgreSQL refuses the role or its password'],
  },
  {
    what: 'the database does not exist',
    settings: withAddress((url) => (url.pathname = '/not_there')),
    fail: connect,
    expected: ['DATABASE_URL: database "not_there" does not exist', 'createdb'],
  },
  {
    what: 'the role may not create tables',
    settings: () => ({ DATABASE_URL: database.connectionString }),
    fail: () => queryAt(database.connectionString, 'create table public.mine ()'),
    expected: ['DATABASE_URL: the role "velour_app" lacks a right', 'ALTER DATABASE', 'OWNER TO'],
  },
  {
    what: 'the configured ffmpeg does not exist',
    settings: () => ({ FFMPEG_PATH: '/nowhere/ffmpeg' }),
    fail: ({ ffmpegPath }) => createFfmpeg({ ffmpegPath: ffmpegPath! }),
    expected: ['FFMPEG_PATH /nowhere/ffmpeg: not found', 'Unset it'],
  },
  {
    what: 'the store is unavailable',
    settings: () => storeSettings,
    fail: () => Promise.reject(new StorageError('unavailable', 'The store does not answer')),
    expected: ['S3_ENDPOINT=http://127.0.0.1:9: the store of the bucket "music" does not respond'],
  },
  {
    what: 'the store refuses the key',
    settings: () => storeSettings,
    fail: () =>
      Promise.reject(
        new S3ServiceException({
          name: 'InvalidAccessKeyId',
          $fault: 'client',
          $metadata: { httpStatusCode: 403 },
        }),
      ),
    expected: ['S3_ACCESS_KEY_ID', '"music"', 'S3_SECRET_ACCESS_KEY'],
  },
  {
    what: 'the backup does not exist',
    file: inFolder('none.tar'),
    fail: () => verifyArchive(openBackupFile(join(folder, 'none.tar'))),
    expected: [() => `There is no file ${join(folder, 'none.tar')}`],
  },
  {
    what: 'the backup is truncated',
    file: inFolder('cut.tar'),
    fail: async () => {
      const path = join(folder, 'cut.tar')
      const archive = createArchive(fileOutput(path))
      await archive.addText('secret', 'x'.repeat(5000))
      const byteSize = await archive.finish({ rows: {}, missing_objects: [] })
      await truncate(path, Math.floor(byteSize * 0.4))
      await verifyArchive(openBackupFile(path))
    },
    expected: [() => `${join(folder, 'cut.tar')} is truncated`, 'Copy it again'],
  },
  {
    what: 'the folder for the backup does not exist',
    file: inFolder('nowhere/b.tar'),
    fail: () =>
      createArchive(fileOutput(join(folder, 'nowhere/b.tar'))).finish({
        rows: {},
        missing_objects: [],
      }),
    expected: [() => `${join(folder, 'nowhere')} does not exist`, 'name a file in another place'],
  },
  {
    what: 'the disk has no space for the backup',
    file: () => '/dev/full',
    fail: () => writeFile('/dev/full', 'x'),
    expected: ['The disk of /dev/full is full', 'name a file in another place'],
  },
]

const storeSettings = {
  S3_BUCKET: 'music',
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'hidden',
}

test.each(cases)(
  'returns a one-line message when $what',
  async ({ settings, fail, file, expected }) => {
    const config = readConfig({ DATA_DIR: folder, ...settings?.() })
    const error: unknown = await Promise.resolve(config)
      .then(fail)
      .then(
        () => null,
        (reason: unknown) => reason,
      )
    const message = explainStartError(error, config, file?.())
    expect(message, String(error)).not.toBeNull()
    for (const part of expected) expect(message).toContain(typeof part === 'string' ? part : part())
    expect(message).not.toMatch(/\n|hidden/)
  },
)

test('keeps the stack of an unexpected error', () => {
  const config = readConfig({ DATA_DIR: folder })
  expect(explainStartError(new TypeError('x is not a function'), config)).toBeNull()
  const elsewhere = Object.assign(new Error('ENOENT'), { code: 'ENOENT', path: '/etc/none' })
  expect(explainStartError(elsewhere, config)).toBeNull()
})

async function runServer(env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../main.ts')], {
    env: { PATH: process.env['PATH'], DEMO: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, [code]] = await Promise.all([
    text(child.stderr),
    once(child, 'exit'),
    text(child.stdout),
  ])
  expect(code).toBe(1)
  expect(output).not.toMatch(/^\s+at /m)
  return output
}

test('refuses a port in use before anything is created', async () => {
  const dataDir = join(folder, 'never-made')
  const output = await runServer({ DATA_DIR: dataDir, PORT: String(busyPort) })
  expect(output).toContain(`PORT=${busyPort}: another program already listens`)
  await expect(rm(dataDir)).rejects.toThrow('ENOENT')
})

test('names the URL of the running service when its data folder is in use', async () => {
  const dataDir = join(folder, 'running')
  const lock = lockDataFolder(dataDir)
  writeAddress(dataDir, `http://127.0.0.1:${busyPort}`)
  const output = await runServer({ DATA_DIR: dataDir, PORT: String(busyPort) })
  expect(output).toContain(
    `Another Velour (process ${process.pid}, at http://127.0.0.1:${busyPort}) is already using the data folder`,
  )
  lock.release()
})
