// Checks at the start of the server that the database, the storage and the SECRET belong together. The tests start real
// servers on one database.
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig, type Config } from '../../platform/config/config.ts'
import { startServices } from '../../services.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'

const log = pino({ level: 'fatal' })
const secretA = 'a'.repeat(40)
const secretB = 'b'.repeat(40)

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'velour-installation-'))
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

/**
 * Starts a server with the data folder of the given name, calls `use` and stops it. Rejects if the server refuses to
 * start.
 */
async function start(
  name: string,
  settings: Record<string, string> = {},
  use: (
    services: Awaited<ReturnType<typeof startServices>>['services'],
  ) => Promise<void> = async () => {},
): Promise<void> {
  const config: Config = readConfig({
    DEMO: 'off',
    DATA_DIR: join(folder, name),
    DATABASE_URL: database.connectionString,
    DATABASE_OWNER_URL: database.ownerConnectionString,
    ...settings,
  })
  const running = await startServices(config, log)
  try {
    await use(running.services)
  } finally {
    await running.close()
  }
}

const makeTrack = (name: string) =>
  start(name, {}, async ({ db, storage }) => {
    const key = `uploads/${randomUUID()}.wav`
    await storage.put(key, Buffer.from('sound'))
    await db.query
      .insertInto('tracks')
      .values({ title: 'A', artist: 'B', source_key: key })
      .execute()
  })

/**
 * Restores the state of a service that an older version created, which had no installation id and no check of the
 * SECRET.
 */
const forgetInstallation = async (name: string) => {
  await database.asOwner(
    `update installation set id = gen_random_uuid(), secret_check = '', storage_marked_at = null`,
  )
  await rm(join(folder, name, 'storage', 'installation'))
}

test('refuses to start with another SECRET, and changes nothing', async () => {
  await start('one', { SECRET: secretA })
  await expect(start('one', { SECRET: secretB })).rejects.toThrow(/^SECRET is not the key/)
  await expect(start('one')).rejects.toThrow('one/secret is missing')
  await expect(readFile(join(folder, 'one', 'secret'))).rejects.toThrow('ENOENT')
  await start('one', { SECRET: secretA })
})

test('accepts a changed SECRET if SECRET_PREVIOUS is set, which is not needed afterwards', async () => {
  await start('one', { SECRET: secretA })
  await start('one', { SECRET: secretB, SECRET_PREVIOUS: secretA })
  await start('one', { SECRET: secretB })
  await expect(start('one', { SECRET: secretA })).rejects.toThrow('SECRET is not the key')
})

test('ACCEPT_NEW_SECRET replaces a lost SECRET once', async () => {
  await start('one', { SECRET: secretA })
  await start('one', { SECRET: secretB, ACCEPT_NEW_SECRET: 'on' })
  await start('one', { SECRET: secretB })
  await expect(start('one', { SECRET: secretA })).rejects.toThrow('SECRET is not the key')
})

test('refuses to start with a database in use and an empty data folder, and names the folder', async () => {
  await makeTrack('one')
  const refused = start('two')
  await expect(refused).rejects.toThrow(
    `The folder ${join(folder, 'two')}/storage of DATA_DIR does not belong to this database`,
  )
  await cp(join(folder, 'one', 'secret'), join(folder, 'two', 'secret'))
  await start('two', { ACCEPT_NEW_STORAGE: 'on' })
  await start('two')
})

test('refuses to start a second instance with its own storage folder, even if there are no tracks', async () => {
  await start('one', { SECRET: secretA })
  await expect(start('two', { SECRET: secretA })).rejects.toThrow('one S3_BUCKET')
  await start('one', { SECRET: secretA })
})

test('refuses to start with the storage of another installation', async () => {
  await makeTrack('one')
  const other = database
  database = await createTestDatabase()
  await database.asOwner('update installation set id = gen_random_uuid()')
  await expect(start('one')).rejects.toThrow('it belongs to another installation')
  await other.drop()
})

test('binds a service from an older version to its SECRET and storage at the next start', async () => {
  await makeTrack('one')
  await forgetInstallation('one')
  await expect(start('two')).rejects.toThrow('it has 0 of 1 files that the database refers to')
  await start('one')
  const secret = await readFile(join(folder, 'one', 'secret'), 'utf8')
  await expect(start('one', { SECRET: secretB })).rejects.toThrow('SECRET is not the key')
  await start('one', { SECRET: secret })
})

test('accepts files that were moved to another storage, unless some are missing', async () => {
  await makeTrack('one')
  await makeTrack('one')
  const objects = (name: string) => join(folder, name, 'storage', 'objects')
  await cp(objects('one'), objects('moved'), { recursive: true })
  await cp(join(folder, 'one', 'secret'), join(folder, 'moved', 'secret'))
  await start('moved')
  await database.asOwner(
    `insert into tracks (title, artist, source_key) values ('C', 'D', 'uploads/none.wav')`,
  )
  await rm(join(folder, 'moved', 'storage', 'installation'))
  await expect(start('moved')).rejects.toThrow('it has 2 of 3 files')
})

test('refuses to start with an empty database if the storage contains files', async () => {
  await makeTrack('one')
  await rm(join(folder, 'one', 'storage', 'installation'))
  const other = database
  database = await createTestDatabase()
  await expect(start('one')).rejects.toThrow('it holds files, and the database is empty')
  await other.drop()
})
