// Upgrades a service with the data of 0103 to fingerprints and versions (0104). Imports are kept, and the previous
// release can still write them.
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabaseBeside } from '../../testing/test-database.ts'
import { migrate } from './migrate.ts'

const released = join(import.meta.dirname, 'migrations')
const log = { info() {}, warn() {}, error() {} }

let folder: string
let client: pg.Client
let connectionString: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-fingerprints-'))
  connectionString = await createDatabaseBeside(inject('testTemplate'), 'template1')
  client = new pg.Client(connectionString)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await rm(folder, { recursive: true })
})

async function migrateTo(last: string): Promise<string[]> {
  const names = (await readdir(released)).filter(
    (name) => name.endsWith('.sql') && name.slice(0, 4) <= last,
  )
  for (const name of names) await copyFile(join(released, name), join(folder, name))
  return migrate({ connectionString, log, folder })
}

const insertItem = (position: number, knownBy: string) =>
  client.query(
    `insert into import_items (import_id, position, kind, path, name, known_by)
     select id, $1, 'recording', 'a.wav', 'a.wav', $2 from imports`,
    [position, knownBy],
  )
const items = async () =>
  (await client.query('select to_jsonb(i) as row from import_items i order by position')).rows

test('keeps imports and their items, and takes old and new values', async () => {
  await migrateTo('0103')
  await client.query(`
    insert into tracks (title, artist, is_published, processing_status) values ('Rain', 'Mira', true, 'ready');
    insert into imports (name, ip_address) values ('suno.zip', '127.0.0.1')`)
  for (const [at, knownBy] of ['recording', 'source', 'id'].entries()) await insertItem(at, knownBy)
  await expect(insertItem(9, 'sound')).rejects.toThrow('known_by')
  const before = await items()
  expect(await migrateTo('0104')).toHaveLength(1)
  expect(await items()).toEqual(before)
  await insertItem(10, 'recording')
  await insertItem(11, 'sound')
  await expect(insertItem(12, 'guess')).rejects.toThrow('known_by')
  const { rows } = await client.query(
    'select (select count(*) from track_fingerprints) + (select count(*) from track_versions) as count',
  )
  expect(rows).toEqual([{ count: '0' }])
})

test('deletes fingerprints and versions with their track', async () => {
  await client.query(`
    insert into track_fingerprints (track_id, version, seconds, fingerprint) select id, 1, 60, '\\x00' from tracks;
    insert into track_versions (track_id, group_id) select id, gen_random_uuid() from tracks;
    delete from tracks`)
  const { rows } = await client.query(
    'select (select count(*) from track_fingerprints) + (select count(*) from track_versions) as count',
  )
  expect(rows).toEqual([{ count: '0' }])
})
