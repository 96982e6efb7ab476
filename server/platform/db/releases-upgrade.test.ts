// Migrates a database with rows from migration 0091 to releases (0092) and release dates (0095). No row is lost, and
// no track changes its visibility.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOlderDatabase, type OlderDatabase } from '../../testing/older-database.ts'
import { migrate } from './migrate.ts'

const log = { info() {}, warn() {}, error() {} }
const tables = ['tracks', 'playlists', 'playlist_tracks', 'likes', 'artists', 'track_credits']

let older: OlderDatabase

beforeAll(async () => {
  older = await openOlderDatabase()
})
afterAll(() => older.close())

/** Tracks that are published, draft, scheduled, in early access, for Premium only, and deleted. */
const catalogue = `
  insert into profiles (id, email) values ('00000000-0000-4000-8000-000000000001', 'ada@example.com');
  insert into tracks (title, artist, is_published, processing_status, release_at, release_zone, early_access_days,
                      early_access_until, audience, deleted_at)
  values ('Open', 'Ada & Bo', true, 'ready', null, null, 0, null, 'members', null),
         ('Draft', 'Ada', false, 'pending', null, null, 0, null, 'members', null),
         ('Scheduled', 'Ada', false, 'ready', now() + interval '90 days', 'Europe/Berlin', 365, null, 'members', null),
         ('Early', 'Ada', true, 'ready', null, 'Asia/Tokyo', 30, now() + interval '30 days', 'members', null),
         ('Premium', 'Ünïcode 音楽', true, 'ready', null, null, 0, null, 'premium', null),
         ('Deleted', 'Ada', false, 'ready', null, null, 0, null, 'members', now());
  insert into playlists (title, is_curated, is_visible, release_at, release_zone, early_access_days)
  values ('Soon', true, false, now() + interval '9 days', 'UTC', 7);
  insert into playlist_tracks (playlist_id, track_id, order_index)
  select p.id, t.id, (row_number() over (order by t.title)) - 1 from playlists p cross join tracks t where t.deleted_at is null;
  insert into likes (user_id, track_id) select '00000000-0000-4000-8000-000000000001', id from tracks;`

test('keeps every row and puts no track on a release', async () => {
  await older.migrateTo('0091')
  await older.client.query(catalogue)
  const before = new Map<string, Record<string, unknown>[]>()
  for (const table of tables) before.set(table, await older.readRows(table))
  expect(await older.migrateTo('0092')).toHaveLength(1)
  for (const [table, kept] of before) expect(await older.readRows(table)).toMatchObject(kept)
  expect(await older.readRows('releases')).toEqual([])
  expect(await older.readRows('release_tracks')).toEqual([])
})

test('keeps the releases created after 0092, and accepts a date on all of them', async () => {
  await older.client.query(`
    insert into releases (kind, title, slug, is_published, early_access_days, audience)
    values ('album', 'Out', 'out', true, 60, 'members'), ('ep', 'For Premium', 'for-premium', true, 0, 'premium');
    insert into releases (kind, title, slug, release_at) values ('single', 'Next', 'next', now() + interval '1 day');
    insert into release_tracks (release_id, track_id, position)
    select r.id, t.id, 1 from releases r cross join tracks t where t.title = 'Open';`)
  const before = await older.readRows('releases')
  const order = await older.readRows('release_tracks')
  await older.migrateTo('0095')
  expect(await older.readRows('release_tracks')).toEqual(order)
  const after = await older.readRows('releases')
  expect(after).toHaveLength(3)
  for (const row of before) {
    // A date without a time zone, which no form could save, gets the zone UTC.
    const { version: _, changed_at: __, ...rest }: Record<string, unknown> = row
    const kept = { ...rest, release_zone: 'UTC' }
    expect(after).toContainEqual(row['slug'] === 'next' ? expect.objectContaining(kept) : row)
  }
  const set = (change: string) =>
    older.client.query(`update releases set ${change} where slug = 'out'`)
  await set('early_access_days = 365')
  for (const change of [
    'early_access_days = 366',
    'early_access_days = -1',
    `release_zone = repeat('x', 65)`,
    `release_at = now(), release_zone = null`,
    `release_at = now(), release_zone = ''`,
  ]) {
    await expect(set(change)).rejects.toThrow('violates check constraint')
  }
})

test('finally has the newest schema', async () => {
  await older.migrateTo('9999')
  expect(await migrate({ connectionString: older.connectionString, log })).toEqual([])
})
