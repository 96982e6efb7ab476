// Migrates a database with published music to 0116, which adds emails about releases. Music published before the
// upgrade causes no email. Music that becomes available later does.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOlderDatabase, type OlderDatabase } from '../../testing/older-database.ts'

let older: OlderDatabase

beforeAll(async () => {
  older = await openOlderDatabase()
})
afterAll(() => older.close())

test('announces nothing that was published before, except music that becomes available later', async () => {
  await older.migrateTo('0115')
  await older.client.query(`
    insert into tracks (title, artist, is_published, processing_status, early_access_days, early_access_until, audience)
    values ('Open', 'Ada', true, 'ready', 0, null, 'members'),
           ('Was early', 'Ada', true, 'ready', 7, now() - interval '1 day', 'everyone'),
           ('Early', 'Ada', true, 'ready', 7, now() + interval '1 day', 'members'),
           ('Premium', 'Ada', true, 'ready', 0, null, 'premium'),
           ('Draft', 'Ada', false, 'ready', 0, null, 'members');
    insert into releases (kind, title, slug, is_published) values ('album', 'Album', 'album', true)`)
  await older.migrateTo('0116')
  const { rows } = await older.client.query<{
    title: string
    premium: boolean
    everyone: boolean
  }>(`
    select coalesce(t.title, r.title) as title, i.premium_at is not null as premium,
           i.everyone_at is not null as everyone
      from news_items i left join tracks t on t.id = i.track_id left join releases r on r.id = i.release_id
     order by 1`)
  expect(rows).toEqual([
    { title: 'Album', premium: true, everyone: true },
    { title: 'Early', premium: true, everyone: false },
    { title: 'Open', premium: true, everyone: true },
    { title: 'Premium', premium: true, everyone: false },
    { title: 'Was early', premium: true, everyone: true },
  ])
  await older.client.query(`update tracks set is_published = true where title = 'Draft'`)
  await older.client.query(`update tracks set is_published = false where title = 'Open'`)
  await older.client.query(`update tracks set is_published = true where title = 'Open'`)
  const news = await older.client.query(`select 1 from news_items where premium_at is null`)
  expect(news.rowCount).toBe(1)
})
