// Backups into a folder and an S3 bucket, plain and encrypted: creating, repeating, interrupting, pruning and restoring
// them.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryAt } from '../../platform/db/with-client.ts'
import { openDiskStorage } from '../../platform/storage/disk-storage.ts'
import { collectKeys } from '../../testing/storage/storage-compliance.ts'
import type { S3Server } from '../../testing/storage/s3-server.ts'
import { startS3StandIn } from '../../testing/storage/s3-stand-in.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { createDatabaseBeside, nameOf, withDatabase } from '../../testing/test-database.ts'
import { encryptWithPassphrase } from './backup-encryption.ts'
import { BackupError } from './backup-format.ts'
import { parseBackupPlace, type BackupPlace } from '../../platform/config/backup-place.ts'
import { readBackups, openBackupTarget, readManifest, type BackupTarget } from './backup-target.ts'
import { createArchive, fileOutput } from './archive-writer.ts'
import { selectBackupsToKeep } from './prune-target.ts'
import { openBackupFile } from './read-archive.ts'
import { restoreBackup } from './restore-backup.ts'
import { runBackup } from './run-backup.ts'
import { explainTargetError } from './target-error.ts'
import { openStoredBackup } from './target-reader.ts'
import { writeBackup, type BackupSource } from './write-backup.ts'

const log = pino({ level: 'fatal' })
const passphrase = 'four words and a number 7'
const trackCount = 4
let server: TestApp
let store: S3Server
let folder: string
let places = 0
const contents = new Map<string, Buffer>()

beforeAll(async () => {
  server = await createTestApp()
  store = await startS3StandIn()
  folder = await mkdtemp(join(tmpdir(), 'velour-backup-target-'))
  await server.makePerson()
  for (let index = 0; index < trackCount; index++) await addTrack(`uploads/audio/${index}.wav`)
}, 60_000)
afterAll(async () => {
  await server.close()
  await store.close()
  await rm(folder, { recursive: true })
})

async function addTrack(key: string, bytes = 300_000): Promise<void> {
  const { db, storage } = server.services
  const content = randomBytes(bytes)
  contents.set(key, content)
  await storage.put(key, content)
  await db.query
    .insertInto('tracks')
    .values({ title: key, artist: 'Test', source_key: key })
    .execute()
}

async function removeTrack(key: string): Promise<void> {
  await server.services.db.query.deleteFrom('tracks').where('source_key', '=', key).execute()
  contents.delete(key)
}

const source = (): BackupSource => ({
  connectionString: server.services.config.databaseUrl!,
  storage: server.services.storage,
  secretFile: null,
  build: { version: '0.2.0', commit: null },
  now: () => new Date(),
})

async function makeFolder(): Promise<BackupPlace> {
  const path = join(folder, `target-${++places}`)
  await mkdir(path)
  return { kind: 'folder', folder: path }
}

/** A new prefix in the shared test bucket, which contains other objects as well. */
function makePrefix(): BackupPlace {
  const { bucket, ...account } = store.options
  return parseBackupPlace(`s3://${bucket}/backups/place-${++places}`, account) as BackupPlace
}

type Options = { keep?: number; passphrase?: string | null; forWriting?: boolean }

const openPlace = (place: BackupPlace, options: Options = {}) =>
  openBackupTarget(place, {
    dataDir: join(folder, 'data'),
    passphrase: options.passphrase ?? null,
    forWriting: options.forWriting ?? true,
  })

const backUp = (place: BackupPlace, options: Options = {}, changes: Partial<BackupSource> = {}) =>
  runBackup(
    { ...source(), ...changes },
    { openTarget: () => openPlace(place, options), keep: options.keep ?? 14, explain: String },
  )

async function withTarget<T>(
  place: BackupPlace,
  options: Options,
  use: (target: BackupTarget) => Promise<T>,
): Promise<T> {
  const target = await openPlace(place, { ...options, forWriting: false })
  try {
    return await use(target)
  } finally {
    await target.close()
  }
}

const namesIn = (place: BackupPlace, options: Options = {}) =>
  withTarget(place, options, async (target) => (await readBackups(target)).map(({ name }) => name))
const filesIn = (place: BackupPlace, options: Options = {}) =>
  withTarget(place, options, async ({ storage }) => collectKeys(storage, 'files/'))

/** Restores a backup into an empty database and an empty storage. */
async function restore(place: BackupPlace, options: Options = {}, name?: string) {
  const owner = await createDatabaseBeside(server.services.config.databaseOwnerUrl!, 'template1')
  const app = withDatabase(server.services.config.databaseUrl!, nameOf(owner))
  const storage = await openDiskStorage(await mkdtemp(join(folder, 'restored-')))
  const result = await withTarget(place, options, async (target) =>
    restoreBackup(await openStoredBackup(target, name), {
      app,
      owner,
      storage,
      keepSecret: async () => {},
      log,
    }),
  )
  const rows = await queryAt<{ title: string }>(app, 'select title from tracks order by title')
  return { result, storage, titles: rows.map(({ title }) => title) }
}

const kinds: [string, () => Promise<BackupPlace> | BackupPlace, Options][] = [
  ['a folder', makeFolder, {}],
  ['an encrypted folder', makeFolder, { passphrase }],
  ['a bucket', makePrefix, {}],
  ['an encrypted bucket', makePrefix, { passphrase }],
]

test.each(kinds)(
  'restores all data from %s, and a second backup copies only new files',
  async (_, makePlace, options) => {
    const place = await makePlace()
    const first = await backUp(place, options)
    expect(first).toMatchObject({ objectCount: trackCount, copied: { count: trackCount } })
    await addTrack('uploads/audio/new.wav')
    const second = await backUp(place, options)
    expect(second).toMatchObject({ objectCount: trackCount + 1, copied: { count: 1 } })
    expect(await namesIn(place, options)).toEqual([first.name, second.name])

    const newest = await restore(place, options)
    expect(newest.titles).toEqual([...contents.keys()].toSorted())
    for (const [key, content] of contents) {
      expect((await newest.storage.read(key)).equals(content), key).toBe(true)
    }
    const earlier = await restore(place, options, first.name)
    expect(earlier.result.objectCount).toBe(trackCount)
    expect(earlier.titles).not.toContain('uploads/audio/new.wav')
    await removeTrack('uploads/audio/new.wav')
  },
  60_000,
)

test('an encrypted target contains no unencrypted music or rows', async () => {
  const place = (await makeFolder()) as BackupPlace & { kind: 'folder' }
  await backUp(place, { passphrase })
  const entries = await readdir(place.folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'installation')
  expect(files.length).toBe(trackCount + 3)
  for (const { parentPath, name } of files) {
    const bytes = await readFile(join(parentPath, name))
    expect(bytes.subarray(0, 21).toString(), name).toBe('age-encryption.org/v1')
    for (const content of contents.values()) {
      expect(bytes.includes(content.subarray(1000, 1064))).toBe(false)
    }
  }
})

test('refuses a wrong or missing passphrase with a message that names BACKUP_PASSPHRASE', async () => {
  const place = await makeFolder()
  await backUp(place, { passphrase })
  const wrong = 'BACKUP_PASSPHRASE is not the one that'
  await expect(backUp(place, { passphrase: 'x'.repeat(12) })).rejects.toThrow(wrong)
  await expect(restore(place, { passphrase: 'x'.repeat(12) })).rejects.toThrow(wrong)
  await expect(backUp(place)).rejects.toThrow('is encrypted: set BACKUP_PASSPHRASE')
  await expect(restore(place)).rejects.toThrow('is encrypted: set BACKUP_PASSPHRASE')
  await expect(backUp(place)).rejects.toThrow(BackupError)
})

test('backup files are encrypted too, and can be opened only with their passphrase', async () => {
  const path = join(folder, 'one.tar.age')
  const archive = createArchive(fileOutput(path), encryptWithPassphrase(passphrase, path))
  await writeBackup(source(), archive)
  const read = async (given: string | null) => {
    for await (const { body } of openBackupFile(path, given).entries()) body.resume()
  }
  await read(passphrase)
  await expect(read('x'.repeat(12))).rejects.toThrow('BACKUP_PASSPHRASE is not the one')
  await expect(read(null)).rejects.toThrow('one.tar.age is encrypted')
})

test('a failed backup is not listed, and the next backup reuses its files', async () => {
  const place = await makeFolder()
  const { storage } = server.services
  let opened = 0
  const failing = {
    ...storage,
    open: async (key: string) => {
      if (++opened === 3) throw new Error('the disk is gone')
      return storage.open(key)
    },
  }
  await expect(backUp(place, {}, { storage: failing })).rejects.toThrow('the disk is gone')
  expect(await namesIn(place)).toEqual([])
  await expect(restore(place)).rejects.toThrow('There is no complete backup in')
  const [run] = await readRuns()
  expect(run).toMatchObject({ result: 'failed', error: 'Error: the disk is gone', files_done: 2 })
  expect(await backUp(place)).toMatchObject({ copied: { count: trackCount - 2 } })
  const { storage: restored } = await restore(place)
  for (const [key, content] of contents) {
    expect((await restored.read(key)).equals(content)).toBe(true)
  }
})

const readRuns = () =>
  server.services.db.query
    .selectFrom('backup_runs')
    .selectAll()
    .orderBy('started_at', 'desc')
    .execute()

test('pruning keeps only the newest backups and the files that they refer to', async () => {
  const place = await makeFolder()
  await addTrack('uploads/audio/gone.wav')
  const first = await backUp(place, { keep: 2 })
  await removeTrack('uploads/audio/gone.wav')
  const second = await backUp(place, { keep: 2 })
  expect(await filesIn(place)).toContain('files/uploads/audio/gone.wav')
  const third = await backUp(place, { keep: 2 })
  expect(third.removed).toEqual({ backups: 1, files: 1 })
  expect(await namesIn(place)).toEqual([second.name, third.name])
  expect((await filesIn(place)).toSorted()).toEqual(
    [...contents.keys()].map((key) => `files/${key}`),
  )
  await expect(restore(place, {}, first.name)).rejects.toThrow(
    `has no backup ${first.name}. It has`,
  )
  expect((await restore(place, {}, second.name)).result.objectCount).toBe(trackCount)
})

test.each([
  // Each letter is a backup: upper case for complete, lower case for incomplete backups.
  ['ABC', 2, 'BC'],
  ['ABCdE', 2, 'CE'],
  ['AbcD', 3, 'AD'],
  ['ABcd', 1, 'Bd'],
  ['abc', 2, 'bc'],
])('pruning the backups %s to %i keeps %s', (backups, keep, stay) => {
  const list = [...backups].map((name) => ({ name, isComplete: name === name.toUpperCase() }))
  expect(
    selectBackupsToKeep(list, keep)
      .map(({ name }) => name)
      .join(''),
  ).toBe(stay)
})

test('pruning removes nothing while a manifest cannot be read', async () => {
  const place = await makeFolder()
  const first = await backUp(place)
  await withTarget(place, {}, ({ storage }) =>
    storage.put(`backups/${first.name}/manifest.json`, Buffer.from('{"half')),
  )
  await expect(backUp(place, { keep: 1 })).rejects.toThrow('Old backups were not removed')
  expect(await filesIn(place)).toHaveLength(trackCount)
})

test('lists an incomplete backup as incomplete, and never prunes a complete one because of it', async () => {
  const place = await makeFolder()
  const complete = await backUp(place, { keep: 1 })
  const [lost] = contents.keys()
  await server.services.storage.delete(lost!)
  const incomplete = await backUp(place, { keep: 1 })
  expect(incomplete.missingObjects).toEqual([lost])
  expect((await readRuns())[0]).toMatchObject({ result: 'incomplete' })
  expect(await namesIn(place)).toEqual([complete.name, incomplete.name])
  expect((await restore(place)).result.missingObjects).toEqual([lost])
  await server.services.storage.put(lost!, contents.get(lost!)!)
  const again = await backUp(place, { keep: 1 })
  expect(await namesIn(place)).toEqual([again.name])
})

test('detects a missing or modified file in the target before it restores anything', async () => {
  const place = await makeFolder()
  const { name } = await backUp(place)
  const [key, content] = [...contents][0]!
  const manifest = await withTarget(place, {}, async (target) =>
    readManifest(target, (await readBackups(target))[0]!),
  )
  expect(manifest.end.entries.find((entry) => entry.name === `objects/${key}`)).toMatchObject({
    byte_size: content.length,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const flipped = Buffer.from(content)
  flipped[1000]! ^= 1
  await withTarget(place, {}, ({ storage }) => storage.put(`files/${key}`, flipped))
  await expect(restore(place)).rejects.toThrow(
    `backup ${name} is damaged: the content of objects/${key}`,
  )
  await withTarget(place, {}, ({ storage }) => storage.delete(`files/${key}`))
  await expect(restore(place)).rejects.toThrow(`lacks files/${key}: the file is gone`)
  expect(await backUp(place)).toMatchObject({ copied: { count: 1 } })
  expect((await restore(place)).result.objectCount).toBe(trackCount)
})

test('refuses a backup while another one is running', async () => {
  const place = await makeFolder()
  const { storage } = server.services
  const seconds: Promise<unknown>[] = []
  const slow = {
    ...storage,
    open: async (key: string) => {
      if (seconds.length === 0) seconds.push(backUp(place).catch((error: unknown) => error))
      await seconds[0]
      return storage.open(key)
    },
  }
  expect(await backUp(place, {}, { storage: slow })).toMatchObject({ objectCount: trackCount })
  expect(String(await seconds[0])).toContain('Another backup is running')
})

test('refuses the target of another installation', async () => {
  const place = await makeFolder()
  await backUp(place)
  await withTarget(place, {}, ({ storage }) => storage.writeInstallationId('another'))
  await expect(backUp(place)).rejects.toThrow('contains the backups of another installation')
})

test('reports an unusable location with a message that names BACKUP_TO', async () => {
  const missing: BackupPlace = { kind: 'folder', folder: join(folder, 'not-mounted') }
  await expect(backUp(missing)).rejects.toThrow(
    `BACKUP_TO=${missing.folder}: there is no such folder. Create it, or mount its disk.`,
  )
  const file: BackupPlace = { kind: 'folder', folder: join(folder, 'a-file') }
  await writeFile(file.folder, '')
  await expect(backUp(file)).rejects.toThrow(`BACKUP_TO=${file.folder}: that is a file`)
  const prefix = makePrefix() as BackupPlace & { kind: 's3' }
  const noBucket: BackupPlace = { kind: 's3', s3: { ...prefix.s3, bucket: 'nowhere' } }
  await expect(backUp(noBucket)).rejects.toThrow('the store has no bucket "nowhere"')
  const away: BackupPlace = { kind: 's3', s3: { ...prefix.s3, endpoint: 'http://127.0.0.1:9' } }
  await expect(backUp(away)).rejects.toThrow(
    'the store does not answer. Start it, or check S3_ENDPOINT=http://127.0.0.1:9',
  )
}, 30_000)

test.each([
  ['EACCES', 'may not write there. Make it the owner of the folder (chown -R'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'that disk is full. Free up space, or lower BACKUP_KEEP'],
  ['ENOENT', 'the folder is no longer available. Mount its disk again'],
])(
  'reports a folder that fails with %s with a message that names BACKUP_TO',
  async (code, says) => {
    const place: BackupPlace = { kind: 'folder', folder: '/backups' }
    const failed = Object.assign(new Error(`${code}: as the system says it`), { code })
    const error = explainTargetError(failed, place)
    expect(error).toBeInstanceOf(BackupError)
    expect((error as Error).message).toMatch(/^BACKUP_TO=\/backups: [^\n]+\.$/)
    expect((error as Error).message).toContain(says)
    const ours = new TypeError('x is not a function')
    expect(explainTargetError(ours, place)).toBe(ours)
  },
)

/** Runs the backup commands as an operator does. */
function run(env: Record<string, string>, ...args: string[]) {
  const { databaseUrl, databaseOwnerUrl, dataDir } = server.services.config
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../commands/backup-main.ts'), ...args],
    {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl!,
        DATABASE_OWNER_URL: databaseOwnerUrl!,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const done = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([out, err, [code]]) => ({ out, err, code: code as number | null }),
  )
  return { child, done }
}

test('a backup can be repeated after its process was killed, and the restore command restores it', async () => {
  const many = Array.from({ length: 150 }, (_, index) => `uploads/audio/many-${index}.wav`)
  for (const key of many) await addTrack(key, 20_000)
  const place = (await makeFolder()) as BackupPlace & { kind: 'folder' }
  const env = { BACKUP_TO: place.folder, BACKUP_PASSPHRASE: passphrase }
  const listCopied = () =>
    readdir(join(place.folder, 'objects', 'files', 'uploads', 'audio')).catch(() => [])
  const killed = run(env, 'backup')
  while ((await listCopied()).length < 10 && killed.child.exitCode === null) await sleep(2)
  killed.child.kill('SIGKILL')
  await killed.done
  const left = (await listCopied()).length
  expect(left).toBeLessThan(many.length)
  expect(await namesIn(place, { passphrase })).toEqual([])

  const again = await run(env, 'backup').done
  expect(again).toMatchObject({ err: '', code: 0 })
  const [, count] = /(\d+) files copied/.exec(again.out)!
  expect(Number(count)).toBe(trackCount + many.length - left)
  const [newest, dead] = await readRuns()
  expect(newest).toMatchObject({ result: 'complete', error: null })
  expect(dead).toMatchObject({ result: 'failed', error: 'It was interrupted.' })

  const owner = await createDatabaseBeside(server.services.config.databaseOwnerUrl!, 'template1')
  const elsewhere = {
    DATA_DIR: join(folder, 'restored-by-command'),
    DATABASE_OWNER_URL: owner,
    DATABASE_URL: withDatabase(server.services.config.databaseUrl!, nameOf(owner)),
  }
  const wrong = { ...elsewhere, BACKUP_PASSPHRASE: 'x'.repeat(12) }
  const refused = await run(wrong, 'restore', place.folder).done
  expect(refused.code).toBe(1)
  expect(refused.err.trim()).toMatch(/^BACKUP_PASSPHRASE is not the one that [^\n]+$/)
  const whole = await run({ ...env, ...elsewhere }, 'restore').done
  expect(whole).toMatchObject({ err: '', code: 0 })
  expect(whole.out).toContain(`and ${trackCount + many.length} files. Start with: npm start`)
}, 120_000)

test('the command writes only the backup to standard output', async () => {
  const piped = run({}, 'backup', '--stdout')
  const path = join(folder, 'piped.tar')
  const chunks: Buffer[] = []
  piped.child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const { err, code } = await piped.done
  expect(code).toBe(0)
  expect(err).toMatch(/files written/)
  await writeFile(path, Buffer.concat(chunks))
  const names: string[] = []
  for await (const { name, body } of openBackupFile(path).entries()) {
    names.push(name)
    body.resume()
  }
  expect(names.at(-1)).toBe('velour-backup-end.json')
  expect(names.filter((name) => name.startsWith('objects/'))).toHaveLength(contents.size)
}, 60_000)
