// Restoring a backup of a running server into another installation, and comparing the data of both.
import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTrackToPlaylist, createPlaylist } from '#contract/playlists.ts'
import { transaction } from '../../platform/db/database.ts'
import { migrate, readMigrations } from '../../platform/db/migrate.ts'
import { queryAt, withClient } from '../../platform/db/with-client.ts'
import { findSecrets } from '../../platform/security/secret.ts'
import { openDiskStorage } from '../../platform/storage/disk-storage.ts'
import { collectKeys } from '../../testing/storage/storage-compliance.ts'
import { StorageError } from '../../platform/storage/storage.ts'
import { discardKeys, sweepStorageGarbage } from '../../platform/storage/storage-garbage.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { createDatabaseBeside, nameOf, withDatabase } from '../../testing/test-database.ts'
import { BackupError } from './backup-format.ts'
import { openBackupFile, verifyArchive } from './read-archive.ts'
import { restoreBackup } from './restore-backup.ts'
import {
  markUnfinishedRestore,
  refuseUnfinishedRestore,
  unmarkUnfinishedRestore,
} from './unfinished-restore.ts'
import { writeBackup } from './write-backup.ts'

const log = pino({ level: 'fatal' })
let server: TestApp
let folder: string
let file: string

beforeAll(async () => {
  server = await createTestApp()
  folder = await mkdtemp(join(tmpdir(), 'velour-backup-'))
  file = join(folder, 'backup.tar')
  await makeService()
  await writeBackup(source(), file)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const audio = randomBytes(3_000_000)

async function makeService(): Promise<void> {
  const { db, storage, jobs } = server.services
  const member = await server.makePerson({ tier: 'monthly' })
  const track = await db.query
    .insertInto('tracks')
    .values({
      title: 'Tab\there, backslash \\ and\nline',
      artist: '\\.',
      lyrics: 'ü 音楽 🎵',
      is_published: true,
      duration: 200,
      processing_status: 'ready',
      loudness_lufs: -14.123,
      peaks: Buffer.from([0, 255, 10, 92]),
      tags: ['a,b', '"quoted"'],
      source_key: 'uploads/audio/one.wav',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await storage.put('uploads/audio/one.wav', audio)
  await storage.put('covers/nobody/128.webp', Buffer.from('belongs to nobody'))
  await db.query.insertInto('likes').values({ user_id: member.id, track_id: track.id }).execute()
  await transaction(db, (trx) => jobs.enqueue(trx, 'retag-track', { track_id: track.id }))
  const made = await member.call(createPlaylist, { body: { title: 'Mine' } })
  await member.call(addTrackToPlaylist, {
    params: { id: made.body.id },
    body: { track_id: track.id },
  })
}

const source = () => ({
  connectionString: server.services.config.databaseUrl!,
  storage: server.services.storage,
  secretFile: null,
  build: { version: '0.2.0', commit: '0123456789ab' },
  now: () => new Date(),
})

interface Place {
  app: string
  owner: string
  storage: Awaited<ReturnType<typeof openDiskStorage>>
}

/** Creates an empty database and an empty storage to restore into. */
async function makePlace(): Promise<Place> {
  const owner = await createDatabaseBeside(server.services.config.databaseOwnerUrl!, 'template1')
  const app = withDatabase(server.services.config.databaseUrl!, nameOf(owner))
  const storage = await openDiskStorage(await mkdtemp(join(folder, 'storage-')))
  return { app, owner, storage }
}

const restoreTo = (place: Place, path = file) =>
  restoreBackup(path, { ...place, keepSecret: async () => {}, log })

async function readRows(connectionString: string): Promise<Record<string, string[]>> {
  return withClient(connectionString, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select relname as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r'
          and relname not in ('schema_migrations', 'rate_limits', 'backups', 'instances', 'installation') order by relname`,
    )
    const rows: Record<string, string[]> = {}
    for (const { name } of tables.rows) {
      const found = await client.query<{ row: string }>(
        `select t::text as row from ${name} t order by t::text`,
      )
      rows[name] = found.rows.map(({ row }) => row)
    }
    return rows
  })
}

test('restores every row and every object that a row owns, but no orphaned objects', async () => {
  const place = await makePlace()
  const result = await restoreTo(place)
  const rows = await readRows(place.owner)
  expect(rows).toEqual(await readRows(server.services.config.databaseOwnerUrl!))
  expect(rows['profiles']?.length).toBe(1)
  expect(rows['playlists']?.length).toBe(1)
  const summaries = await queryAt(
    place.owner,
    'select track_count, duration from playlist_summaries',
  )
  expect(summaries).toEqual([{ track_count: 1, duration: '200' }])
  expect(result).toMatchObject({ objectCount: 1, migrations: [] })
  expect(await collectKeys(place.storage, '')).toEqual(['uploads/audio/one.wav'])
  expect((await place.storage.read('uploads/audio/one.wav')).equals(audio)).toBe(true)
})

test('restores queued jobs, and gives the server’s database role no additional rights', async () => {
  const place = await makePlace()
  await restoreTo(place)
  const jobs = await queryAt(place.app, `select name, data from jobs.job`)
  expect(jobs).toEqual([{ name: 'retag-track', data: { track_id: expect.any(String) } }])
  await expect(queryAt(place.app, `delete from audit_log`)).rejects.toThrow('permission denied')
})

test('restores a backup of an older version and migrates it', async () => {
  const names = (await readMigrations()).map(({ name }) => name)
  const [older, newer] = [names.slice(0, 8), names.slice(8)]
  const old = await makePlace()
  await migrate({ connectionString: old.owner, log, only: new Set(older) })
  await queryAt(old.owner, `insert into genres (name) values ('Of old')`)
  const path = join(folder, 'older.tar')
  await writeBackup({ ...source(), connectionString: old.owner, storage: old.storage }, path)

  const place = await makePlace()
  expect(await restoreTo(place, path)).toMatchObject({ migrations: newer })
  const rows = await readRows(place.owner)
  expect(rows['genres']).toHaveLength(1)
  expect(Object.keys(rows)).toEqual(
    Object.keys(await readRows(server.services.config.databaseOwnerUrl!)),
  )
})

test("stores Velour's version and commit in the backup", async () => {
  const { start } = await verifyArchive(openBackupFile(file))
  expect(start).toMatchObject({ velour_version: '0.2.0', velour_commit: '0123456789ab' })
})

test('enables the database triggers again after a restore', async () => {
  const place = await makePlace()
  await restoreTo(place)
  await queryAt(place.owner, `insert into audit_log (action, entity) values ('create', 'track')`)
  await expect(queryAt(place.owner, 'delete from audit_log')).rejects.toThrow('append-only')
})

test('an interrupted restore can be repeated, and a database or storage with data is refused', async () => {
  const place = await makePlace()
  const cut = join(folder, 'cut.tar')
  await copyFile(file, cut)
  await damage(cut, (await stat(cut)).size - 6_000)
  await expect(restoreTo(place, cut)).rejects.toThrow(BackupError)
  // The state after the restore's process was killed: an object exists, but its rows do not.
  await place.storage.put('uploads/audio/one.wav', Buffer.from('half'))
  await restoreTo(place)
  expect((await place.storage.read('uploads/audio/one.wav')).equals(audio)).toBe(true)
  await expect(restoreTo(place)).rejects.toThrow('The database already contains accounts')

  const used = await makePlace()
  await used.storage.put('audio/other/high.m4a', Buffer.from('x'))
  await expect(restoreTo(used)).rejects.toThrow('The storage contains audio/other/high.m4a')
})

test('detects a modified byte anywhere in the backup before it changes anything', async () => {
  const { size } = await stat(file)
  for (const part of [0.1, 0.5, 0.9]) {
    const place = await makePlace()
    const damaged = join(folder, `damaged-${part}.tar`)
    await copyFile(file, damaged)
    await damage(damaged, Math.floor(size * part))
    await expect(restoreTo(place, damaged)).rejects.toThrow(BackupError)
    expect(await readRows(place.owner)).toEqual({})
    await rm(damaged)
  }
})

test('rejects a file that is not a backup', async () => {
  const place = await makePlace()
  await expect(restoreTo(place, import.meta.filename)).rejects.toThrow(BackupError)
  await expect(restoreTo(place, join(folder, 'none.tar'))).rejects.toThrow('ENOENT')
})

test.each([0.6, 0.993])('rejects a file truncated at %f of its length', async (part) => {
  const cut = join(folder, 'cut-off.tar')
  await copyFile(file, cut)
  await truncate(cut, Math.floor((await stat(file)).size * part))
  const place = await makePlace()
  await expect(restoreTo(place, cut)).rejects.toThrow(/cut-off.tar is truncated/)
  expect(await readRows(place.owner)).toEqual({})
})

test('marks a backup with missing files as incomplete, and lists them when it is restored', async () => {
  const { db, storage } = server.services
  const cover = await db.query
    .insertInto('images')
    .values({
      kind: 'cover',
      width: 8,
      height: 8,
      tint: '#000000',
      placeholder: 'data:image/webp;base64,eA==',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const lacking = {
    ...storage,
    open: async () => {
      throw new StorageError('not_found', 'No object')
    },
  }
  const path = join(folder, 'incomplete.tar')
  const missingObjects = ['uploads/audio/one.wav', `covers/${cover.id}/`]
  expect(await writeBackup({ ...source(), storage: lacking }, path)).toMatchObject({
    missingObjects,
  })
  await db.query.deleteFrom('images').where('id', '=', cover.id).execute()
  const newest = db.query.selectFrom('backups').select('missing_count').orderBy('id', 'desc')
  expect(await newest.executeTakeFirst()).toEqual({ missing_count: 2 })
  expect(await restoreTo(await makePlace(), path)).toMatchObject({ objectCount: 0, missingObjects })
})

test('refuses a backup created with another SECRET before it changes anything', async () => {
  const path = join(folder, 'sealed.tar')
  const [secret] = (await findSecrets(server.services.config))!
  await writeBackup(source(), path)
  const place = await makePlace()
  const target = { ...place, keepSecret: async () => {}, log }
  const restoreWith = (secrets: string[]) => restoreBackup(path, { ...target, secrets })
  await expect(restoreWith(['x'.repeat(40)])).rejects.toThrow('was created with another SECRET')
  await expect(restoreWith([])).rejects.toThrow(
    'was created with a SECRET that it does not contain',
  )
  expect(await readRows(place.owner)).toEqual({})
  expect(await restoreWith([secret])).toMatchObject({ objectCount: 1 })
})

test('a restore gives the database and the storage the same installation id', async () => {
  const place = await makePlace()
  await restoreTo(place)
  const [row] = await queryAt<{ id: string }>(place.app, 'select id from installation')
  expect(await place.storage.readInstallationId()).toBe(row!.id)
})

test('the next start reports an interrupted restore, but not a completed or refused one', async () => {
  const dataDir = await mkdtemp(join(folder, 'marked-'))
  const wish = new AbortController()
  const restoreInto = (place: Place, stopSignal?: AbortSignal) =>
    restoreBackup(file, {
      ...place,
      keepSecret: async () => {},
      log,
      ...(stopSignal && { stopSignal }),
      onLoading: async () => {
        await markUnfinishedRestore(dataDir, file)
        wish.abort(new Error('Stopped'))
      },
      onLoaded: () => unmarkUnfinishedRestore(dataDir),
    })
  const place = await makePlace()
  await expect(restoreInto(place, wish.signal)).rejects.toThrow('Stopped')
  await expect(refuseUnfinishedRestore(dataDir)).rejects.toThrow(
    `The restore of ${file} into ${dataDir} was not completed`,
  )
  await restoreInto(place)
  await refuseUnfinishedRestore(dataDir)
  await expect(restoreInto(place)).rejects.toThrow('already contains accounts')
  await refuseUnfinishedRestore(dataDir)
})

test('includes objects that are deleted while the backup runs', async () => {
  const { db, storage } = server.services
  const path = join(folder, 'beside.tar')
  let swept = -1
  await writeBackup(
    {
      ...source(),
      storage: {
        ...storage,
        async open(key) {
          await transaction(db, (trx) => discardKeys(trx, [key]))
          swept = (await sweepStorageGarbage(db, storage, new Date(Date.now() + 1000))).deleted
          return storage.open(key)
        },
      },
    },
    path,
  )
  expect(swept).toBe(0)
  const place = await makePlace()
  expect(await restoreTo(place, path)).toMatchObject({ objectCount: 1 })
  const after = await sweepStorageGarbage(db, storage, new Date(Date.now() + 1000))
  expect(after.deleted).toBe(1)
})

test('leaves no file when a backup fails', async () => {
  const failing = {
    ...server.services.storage,
    open: async () => {
      throw new Error('the disk is gone')
    },
  }
  const path = join(folder, 'failed.tar')
  await expect(writeBackup({ ...source(), storage: failing }, path)).rejects.toThrow('the disk')
  expect((await readdir(folder)).filter((name) => name.startsWith('failed'))).toEqual([])
})

test('leaves no file when a backup is stopped; a stopped restore can be repeated', async () => {
  const path = join(folder, 'stopped.tar')
  const wish = new AbortController()
  const stopAt = (wanted: string) => (step: string) => {
    if (step === wanted) wish.abort(new Error(`Stopped at ${wanted}`))
  }
  const stopped = { stopSignal: wish.signal, progress: stopAt('Audio and pictures') }
  await expect(writeBackup({ ...source(), ...stopped }, path)).rejects.toThrow('Stopped at Audio')
  expect((await readdir(folder)).filter((name) => name.startsWith('stopped'))).toEqual([])

  const place = await makePlace()
  const target = { ...place, keepSecret: async () => {}, log, stopSignal: wish.signal }
  await expect(restoreBackup(file, target)).rejects.toThrow('Stopped at Audio')
  expect(await restoreTo(place)).toMatchObject({ objectCount: 1 })
})

async function damage(path: string, position: number): Promise<void> {
  const handle = await open(path, 'r+')
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, position)
  byte[0]! ^= 0xff
  await handle.write(byte, 0, 1, position)
  await handle.close()
}
