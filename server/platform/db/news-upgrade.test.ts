// A service with data gets release news (0116): what is published already is no news, and what opens later still is.
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
  folder = await mkdtemp(join(tmpdir(), 'velour-news-'))
  connectionString = await createDatabaseBeside(inject('testTemplate'), 'template1')
  client = new pg.Client(connectionString)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await rm(folder, { recursive: true })
})

async function migrateTo(last: string): Promise<void> {
  const names = (await readdir(released)).filter(
    (name) => name.endsWith('.sql') && name.slice(0, 4) <= last,
  )
  for (const name of names) await copyFile(join(released, name), join(folder, name))
  await migrate({ connectionString, log, folder })
}

test('what is published has been news already, apart from what opens later', async () => {
  await migrateTo('0115')
  await client.query(`
    insert into tracks (title, artist, is_published, processing_status, early_access_days, early_access_until, audience)
    values ('Open', 'Ada', true, 'ready', 0, null, 'members'),
           ('Was early', 'Ada', true, 'ready', 7, now() - interval '1 day', 'everyone'),
           ('Early', 'Ada', true, 'ready', 7, now() + interval '1 day', 'members'),
           ('Premium', 'Ada', true, 'ready', 0, null, 'premium'),
           ('Draft', 'Ada', false, 'ready', 0, null, 'members');
    insert into releases (kind, title, slug, is_published) values ('album', 'Album', 'album', true)`)
  await migrateTo('0116')
  const { rows } = await client.query<{ title: string; premium: boolean; everyone: boolean }>(`
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
  await client.query(`update tracks set is_published = true where title = 'Draft'`)
  await client.query(`update tracks set is_published = false where title = 'Open'`)
  await client.query(`update tracks set is_published = true where title = 'Open'`)
  const news = await client.query(`select 1 from news_items where premium_at is null`)
  expect(news.rowCount).toBe(1)
})
