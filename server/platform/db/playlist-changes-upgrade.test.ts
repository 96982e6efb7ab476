// Migrates a database with playlists to 0140, which adds the time of a playlist's last change. Apps that cached
// playlists must not have to fetch them again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOlderDatabase, type OlderDatabase } from '../../testing/older-database.ts'

let older: OlderDatabase

beforeAll(async () => {
  older = await openOlderDatabase()
})
afterAll(() => older.close())

const changeTimes = async () => {
  const { rows } = await older.client.query<{ title: string; at: string }>(`
    select p.title, to_char(s.tracks_changed_at at time zone 'UTC', 'YYYY-MM-DD') as at
      from playlists p join playlist_summaries s on s.playlist_id = p.id order by p.title`)
  return Object.fromEntries(rows.map(({ title, at }) => [title, at]))
}

test('sets the change time to when the last track was added, or to the creation if the playlist is empty', async () => {
  await older.migrateTo('0139')
  await older.client.query(`
    insert into tracks (title, artist, is_published, processing_status, duration)
    values ('One', 'Ada', true, 'ready', 60), ('Two', 'Ada', true, 'ready', 60);
    insert into playlists (title, is_curated, created_at) values ('Empty', true, '2025-01-02'), ('Full', true, '2025-01-02');
    insert into playlist_tracks (playlist_id, track_id, order_index, created_at)
    select p.id, t.id, row_number() over (order by t.title) - 1, case t.title when 'One' then '2025-03-04' else '2025-05-06' end::timestamptz
      from playlists p cross join tracks t where p.title = 'Full'`)
  expect(await older.migrateTo('0140')).toHaveLength(1)
  expect(await changeTimes()).toEqual({ Empty: '2025-01-02', Full: '2025-05-06' })
})

test('counts a removal as a change, and keeps the summary correct', async () => {
  await older.client.query(
    `delete from playlist_tracks where track_id = (select id from tracks where title = 'Two')`,
  )
  const today = new Date().toISOString().slice(0, 10)
  expect(await changeTimes()).toEqual({ Empty: '2025-01-02', Full: today })
  const { rows } = await older.client.query(
    'select track_count, duration::int from playlist_summaries order by track_count',
  )
  expect(rows).toEqual([
    { track_count: 0, duration: 0 },
    { track_count: 1, duration: 60 },
  ])
})
