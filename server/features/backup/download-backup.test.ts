// Downloading a backup from the System page and restoring it with the command, from a folder and from a bucket, plain
// and encrypted.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { downloadBackup } from '#contract/admin/admin-system.ts'
import { queryAt } from '../../platform/db/with-client.ts'
import { openDiskStorage } from '../../platform/storage/disk-storage.ts'
import type { S3Server } from '../../testing/storage/s3-server.ts'
import { startS3StandIn } from '../../testing/storage/s3-stand-in.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { createDatabaseBeside, nameOf, withDatabase } from '../../testing/test-database.ts'
import { parseBackupPlace, type BackupPlace } from '../../platform/config/backup-place.ts'
import { openBackupTarget, type BackupTarget } from './backup-target.ts'
import { makeBackup } from './make-backup.ts'
import { openBackupFile, verifyArchive } from './read-archive.ts'
import { listBackups } from './stored-backups.ts'

const passphrase = 'four words and a number 7'
const key = 'uploads/audio/one.wav'
const audio = randomBytes(3_000_000)
let store: S3Server
let folder: string

beforeAll(async () => {
  store = await startS3StandIn()
  folder = await mkdtemp(join(tmpdir(), 'velour-download-'))
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

describe.each([
  { kind: 'folder', backupPassphrase: null },
  { kind: 'folder', backupPassphrase: passphrase },
  { kind: 's3', backupPassphrase: passphrase },
] as const)('from a $kind, passphrase: $backupPassphrase', ({ kind, backupPassphrase }) => {
  const place = `${kind}-${backupPassphrase === null ? 'plain' : 'encrypted'}`
  const file = () => join(folder, `${place}.tar`)
  let app: TestApp
  let admin: Person
  let name: string

  beforeAll(async () => {
    app = await createTestApp({
      backup: { place: await makePlace(), schedule: null, keep: 5 },
      backupPassphrase,
    })
    admin = await app.makePerson({ role: 'admin' })
    await app.services.storage.put(key, audio)
    await app.services.db.query
      .insertInto('tracks')
      .values({ title: 'One', artist: 'Ada', source_key: key })
      .execute()
    await makeBackup(app.services, { signal: new AbortController().signal })
    name = (await listBackups(app.services)).data[0]!.name
  })
  afterAll(() => app.close())

  async function makePlace(): Promise<BackupPlace> {
    if (kind === 's3') {
      const { bucket, ...account } = store.options
      return parseBackupPlace(`s3://${bucket}/${place}`, account) as BackupPlace
    }
    await mkdir(join(folder, place))
    return { kind, folder: join(folder, place) }
  }

  async function inTarget<T>(use: (target: BackupTarget) => Promise<T>): Promise<T> {
    const { backup, dataDir } = app.services.config
    const options = { dataDir, passphrase: backupPassphrase, forWriting: true }
    const target = await openBackupTarget(backup!.place, options)
    try {
      return await use(target)
    } finally {
      await target.close()
    }
  }

  const buildPath = (backup: string) =>
    downloadBackup.path.replace(':name', encodeURIComponent(backup))
  const ask = (backup: string, signal: AbortSignal | null = null) =>
    fetch(app.url + buildPath(backup), { headers: { cookie: admin.cookie }, signal })
  const save = async (response: Response) =>
    pipeline(Readable.fromWeb(response.body as NodeWebStream), createWriteStream(file()))

  test('downloads one file, encrypted if the backup is encrypted, and writes an audit entry', async () => {
    const response = await ask(name)
    expect(response.status).toBe(200)
    const age = backupPassphrase === null ? '' : '.age'
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="velour-backup-${name}.tar${age}"`,
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    await save(response)
    const start = (await readFile(file())).toString('latin1', 0, 30)
    expect(start).toMatch(
      backupPassphrase === null ? /^velour-backup\.json/ : /^age-encryption\.org/,
    )
    const { end } = await verifyArchive(openBackupFile(file(), backupPassphrase))
    expect(end.entries.map((entry) => entry.name)).toContain(`objects/${key}`)
    const entries = await app.services.db.query
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'after'])
      .where('entity', '=', 'backup')
      .execute()
    expect(entries).toEqual([{ actor_id: admin.id, action: 'export', after: { name } }])
  })

  test('the restore command restores the downloaded file into an empty installation', async () => {
    const owner = await createDatabaseBeside(app.services.config.databaseOwnerUrl!, 'template1')
    const restored = withDatabase(app.services.config.databaseUrl!, nameOf(owner))
    const dataDir = join(folder, `restored-${place}`)
    const program = join(import.meta.dirname, '../../commands/backup-main.ts')
    const child = spawn(process.execPath, [program, 'restore', file()], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDir,
        DATABASE_OWNER_URL: owner,
        DATABASE_URL: restored,
        ...(backupPassphrase !== null && { BACKUP_PASSPHRASE: backupPassphrase }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number]>,
    ])
    expect({ err, code }).toEqual({ err: '', code: 0 })
    expect(out).toContain('and 1 files. Start with: npm start')
    expect(await queryAt(restored, 'select title, source_key from tracks')).toEqual([
      { title: 'One', source_key: key },
    ])
    const storage = await openDiskStorage(join(dataDir, 'storage'))
    expect(audio.equals(await storage.read(key))).toBe(true)
    expect(await readFile(join(dataDir, 'secret'), 'utf8')).toBe(
      await readFile(join(app.services.config.dataDir, 'secret'), 'utf8'),
    )
  }, 60_000)

  test("refuses the download if the admin's last confirmation is older than ten minutes", async () => {
    const setAge = (age: string) =>
      sql`update sessions set confirmed_at = now() - ${age}::interval where user_id = ${admin.id}`.execute(
        app.services.db.query,
      )
    await setAge('11 minutes')
    expect(await admin.send('GET', buildPath(name))).toMatchObject({
      status: 403,
      code: 'reauthentication_required',
    })
    await setAge('0 minutes')
  })

  test('refuses members, unknown names, and a backup whose manifest is damaged', async () => {
    const member = await app.makePerson()
    expect((await member.send('GET', buildPath(name))).code).toBe('forbidden')
    expect((await app.nobody.send('GET', buildPath(name))).code).toBe('unauthenticated')
    expect(await admin.send('GET', buildPath('../../secret'))).toMatchObject({
      status: 404,
      code: 'backup_not_found',
    })
    const age = backupPassphrase === null ? '' : '.age'
    const torn = `backups/torn/manifest.json${age}`
    await inTarget(({ storage }) => storage.put(torn, Buffer.from('no manifest')))
    expect(await admin.send('GET', buildPath('torn'))).toMatchObject({
      status: 503,
      code: 'backup_unreadable',
    })
    await inTarget(({ storage }) => storage.delete(torn))
  })

  test('aborts the download if a file of the backup is missing, and a restore rejects the partial file', async () => {
    const age = backupPassphrase === null ? '' : '.age'
    await inTarget(({ storage }) => storage.delete(`files/${key}${age}`))
    const response = await ask(name)
    await expect(save(response)).rejects.toThrow()
    await expect(verifyArchive(openBackupFile(file(), backupPassphrase))).rejects.toThrow()
  })
})

test('returns 404 without BACKUP_TO', async () => {
  const app = await createTestApp()
  const admin = await app.makePerson({ role: 'admin' })
  const path = downloadBackup.path.replace(':name', 'any')
  expect((await admin.send('GET', path)).code).toBe('backup_not_set_up')
  await app.close()
})
