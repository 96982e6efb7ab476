// Migrates a database with rows from migration 0103 to 0104, which adds track fingerprints and track versions.
// Imports are kept, and the previous release can still write imports.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOlderDatabase, type OlderDatabase } from '../../testing/older-database.ts'

let older: OlderDatabase

beforeAll(async () => {
  older = await openOlderDatabase()
})
afterAll(() => older.close())

const insertItem = (position: number, knownBy: string) =>
  older.client.query(
    `insert into import_items (import_id, position, kind, path, name, known_by)
     select id, $1, 'recording', 'a.wav', 'a.wav', $2 from imports`,
    [position, knownBy],
  )
const items = async () =>
  (await older.client.query('select to_jsonb(i) as row from import_items i order by position')).rows

test('keeps imports and their items, and accepts old and new values', async () => {
  await older.migrateTo('0103')
  await older.client.query(`
    insert into tracks (title, artist, is_published, processing_status) values ('Rain', 'Mira', true, 'ready');
    insert into imports (name, ip_address) values ('suno.zip', '127.0.0.1')`)
  for (const [at, knownBy] of ['recording', 'source', 'id'].entries()) await insertItem(at, knownBy)
  await expect(insertItem(9, 'sound')).rejects.toThrow('known_by')
  const before = await items()
  expect(await older.migrateTo('0104')).toHaveLength(1)
  expect(await items()).toEqual(before)
  await insertItem(10, 'recording')
  await insertItem(11, 'sound')
  await expect(insertItem(12, 'guess')).rejects.toThrow('known_by')
  const { rows } = await older.client.query(
    'select (select count(*) from track_fingerprints) + (select count(*) from track_versions) as count',
  )
  expect(rows).toEqual([{ count: '0' }])
})

test('deletes fingerprints and versions with their track', async () => {
  await older.client.query(`
    insert into track_fingerprints (track_id, version, seconds, fingerprint) select id, 1, 60, '\\x00' from tracks;
    insert into track_versions (track_id, group_id) select id, gen_random_uuid() from tracks;
    delete from tracks`)
  const { rows } = await older.client.query(
    'select (select count(*) from track_fingerprints) + (select count(*) from track_versions) as count',
  )
  expect(rows).toEqual([{ count: '0' }])
})
