// Listing the backups in BACKUP_TO for admins: in a folder and in a bucket, plain and encrypted.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listBackups } from '#contract/admin/admin-system.ts'
import type { S3Server } from '../../testing/storage/s3-server.ts'
import { startS3StandIn } from '../../testing/storage/s3-stand-in.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { parseBackupPlace, type BackupPlace } from '../../platform/config/backup-place.ts'
import { openBackupTarget } from './backup-target.ts'
import { makeBackup } from './make-backup.ts'

const passphrase = 'four words and a number 7'
const signal = new AbortController().signal
let store: S3Server
let folder: string

beforeAll(async () => {
  store = await startS3StandIn()
  folder = await mkdtemp(join(tmpdir(), 'velour-stored-backups-'))
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

describe.each([
  { kind: 'folder', backupPassphrase: null },
  { kind: 'folder', backupPassphrase: passphrase },
  { kind: 's3', backupPassphrase: passphrase },
] as const)('in a $kind, passphrase: $backupPassphrase', ({ kind, backupPassphrase }) => {
  const name = `${kind}-${backupPassphrase === null ? 'plain' : 'encrypted'}`
  let app: TestApp
  let admin: Person

  beforeAll(async () => {
    app = await createTestApp({
      backup: { place: await makePlace(), schedule: null, keep: 5 },
      backupPassphrase,
    })
    admin = await app.makePerson({ role: 'admin' })
    for (const key of ['uploads/audio/kept.wav', 'uploads/audio/lost.wav']) {
      await app.services.storage.put(key, Buffer.alloc(200_000, 7))
      await app.services.db.query
        .insertInto('tracks')
        .values({ title: key, artist: 'Ada', source_key: key })
        .execute()
    }
  })
  afterAll(() => app.close())

  async function makePlace(): Promise<BackupPlace> {
    if (kind === 's3') {
      const { bucket, ...account } = store.options
      return parseBackupPlace(`s3://${bucket}/${name}`, account) as BackupPlace
    }
    await mkdir(join(folder, name))
    return { kind, folder: join(folder, name) }
  }

  const list = async () => (await admin.call(listBackups, {})).body

  test('lists backups with date, size, state and encryption, newest first', async () => {
    expect(await list()).toEqual({ data: [], problem: null })
    await makeBackup(app.services, { signal })
    await app.services.storage.delete('uploads/audio/lost.wav')
    await makeBackup(app.services, { signal })
    const { data, problem } = await list()
    expect(problem).toBeNull()
    expect(data).toMatchObject([
      { state: 'incomplete', is_encrypted: backupPassphrase !== null },
      { state: 'complete', is_encrypted: backupPassphrase !== null },
    ])
    const [newer, older] = data
    expect(older!.byte_size! - newer!.byte_size!).toBeGreaterThan(100_000)
    expect(older!.byte_size).toBeGreaterThan(400_000)
    expect(Date.parse(newer!.created_at!)).toBeGreaterThan(Date.parse(older!.created_at!))
    expect(await list()).toEqual({ data, problem: null })
  })

  test('marks a backup whose manifest is damaged as unreadable', async () => {
    const { backup, dataDir } = app.services.config
    const options = { dataDir, passphrase: backupPassphrase, forWriting: true }
    const target = await openBackupTarget(backup!.place, options)
    const age = backupPassphrase === null ? '' : '.age'
    await target.storage.put(`backups/torn/manifest.json${age}`, Buffer.from('not a manifest'))
    await target.close()
    const { data } = await list()
    expect(data).toHaveLength(3)
    expect(data.find((stored) => stored.name === 'torn')).toMatchObject({
      state: 'unreadable',
      created_at: null,
      byte_size: null,
    })
  })
})

describe('without a usable BACKUP_TO', () => {
  let app: TestApp
  let admin: Person
  beforeEach(async () => {
    app = await createTestApp()
    admin = await app.makePerson({ role: 'admin' })
    return () => app.close()
  })

  test('returns an empty list if BACKUP_TO is unset', async () => {
    expect((await admin.call(listBackups, {})).body).toEqual({ data: [], problem: null })
  })

  test('reports why the target cannot be read', async () => {
    app.services.config.backup = {
      place: { kind: 'folder', folder: join(folder, 'gone') },
      schedule: null,
      keep: 1,
    }
    expect((await admin.call(listBackups, {})).body).toEqual({
      data: [],
      problem: `BACKUP_TO=${join(folder, 'gone')}: there is no such folder. Create it, or mount its disk.`,
    })
  })
})
