// Upgrades a database through every release. Writes rows under the schema of each release, and expects every upgrade
// to keep them. The final schema must equal that of a new installation, including all constraints.
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
let old: pg.Client
let fresh: pg.Client
let connectionString: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-upgrade-'))
  const template = inject('testTemplate')
  connectionString = await createDatabaseBeside(template, 'template1')
  const freshly = await createDatabaseBeside(template, 'template1')
  await migrate({ connectionString: freshly, log })
  old = new pg.Client(connectionString)
  fresh = new pg.Client(freshly)
  await Promise.all([old.connect(), fresh.connect()])
})
afterAll(async () => {
  await Promise.all([old.end(), fresh.end()])
  await rm(folder, { recursive: true })
})

/**
 * The rows that the server of each release wrote, by the migration that added the table. `:n` is the number of the
 * release.
 */
const rowsSince: [since: string, statements: string[]][] = [
  [
    '0001',
    [
      `insert into profiles (id, email, display_name, subscription_tier, subscription_status)
       values (:id, 'person-:n@example.com', 'Person ''":n\\', 'yearly', 'active')`,
      `insert into accounts (user_id, account_id, provider_id, password) values (:id, ':n', 'credential', 'salt:hash')`,
      `insert into sessions (user_id, token, expires_at) values (:id, 'token-:n', now() + interval '30 days')`,
      `insert into two_factors (user_id, secret, backup_codes, verified) values (:id, 'sealed-:n', 'sealed', :n % 2 = 0)`,
      `insert into category_metadata (category, display_name) values ('mood-:n', 'Mood :n')`,
      `insert into genres (name) values ('Genre :n')`,
      `insert into tracks (id, title, artist, category, genre, tags, lyrics, is_published, processing_status)
       values (:id, 'Track :n', 'Ü 音楽', 'mood-:n', 'Genre :n', '{"a,b","\\"q\\""}', E'[00:01.00]a\\nb', true, 'ready')`,
      `insert into tracks (title, artist) values ('Draft :n', 'Nobody')`,
      `insert into images (id, kind, tint, placeholder, width, height)
       values (:id, 'cover', '#102030', 'data:image/webp;base64,AA', 1200, 1200)`,
      `update tracks set duration = 61, cover_id = :id where id = :id`,
      `insert into renditions (track_id, kind, storage_key, mime, byte_size, duration_seconds, etag)
       values (:id, 'high', 'audio/:n.m4a', 'audio/mp4', 1000, 61.5, 'etag')`,
      `insert into playlists (id, title, created_by, is_public) values (:id, 'List :n', :id, true)`,
      `insert into playlist_tracks (playlist_id, track_id, order_index) values (:id, :id, 0)`,
      `insert into likes (user_id, track_id) values (:id, :id)`,
      `insert into subscriptions (user_id) values (:id)`,
      `update settings set pricing_monthly_cents = 990 + :n, stripe_webhook_secret = 'v1.sealed'`,
      `insert into audit_log (actor_id, action, entity, entity_id, after) values (:id, 'update', 'track', ':n', '{"title": "Track :n"}')`,
      `insert into uploads (user_id, bucket, path, filename, mime, token_hash, expires_at)
       values (:id, 'audio', 'uploads/audio/:n', 'a.wav', 'audio/wav', 'hash-:n', now() + interval '1 hour')`,
    ],
  ],
  [
    '0002',
    [
      `insert into payments (user_id, amount_cents, currency, payment_method, tier, stripe_invoice_id, paid_at)
       values (:id, 9900, 'usd', 'stripe', 'yearly', 'in_:n', '2026-01-31T23:59:59Z')`,
    ],
  ],
  [
    '0006',
    [
      `insert into payments (user_id, kind, amount_cents, currency, payment_method, paid_at)
       values (:id, 'refund', -500, 'eur', 'cash', '2026-02-01T00:00:00Z')`,
    ],
  ],
  [
    '0003',
    [
      `insert into plays (id, user_id, track_id, is_preview, started_at, reported_at, heard_seconds, duration_seconds, counted_at)
       values (:id, :id, :id, false, now() - interval '1 day', now(), 60, 61.5, now())`,
    ],
  ],
  [
    '0034',
    [
      `insert into tracks (title, artist, deleted_at) values ('Deleted :n', 'Nobody', now())`,
      `insert into deletions (entity, entity_id, owner_id, kept, undo_until)
       values ('playlist', :id, :id, '{"playlist": {"title": "List :n"}}', now() + interval '1 minute')`,
    ],
  ],
  [
    '0035',
    [
      `insert into demo_activity (user_id, kind, item_id) values (:id, 'like', :id)`,
      `insert into demo_insight_days values (date '2026-01-01' + :n, 1, 1, 1, 1, 60, 1, 1, 1)`,
    ],
  ],
  [
    '0070',
    [
      `insert into stored_files (storage_key, byte_size, sha256)
       values ('audio/:n.m4a', 1000, repeat('a', 64))`,
    ],
  ],
  ['0071', [`insert into file_checks (finished_at, checked_count) values (now(), :n)`]],
  ['0109', [`update branding set tagline = 'Release :n', accent = '#2b50ff'`]],
  [
    '0110',
    [
      `insert into legal_pages (slug, title, draft) values ('page-:n', 'Page :n', 'Draft')`,
      `insert into legal_versions (slug, number, title, body) values ('page-:n', 1, 'Page :n', 'Text')`,
    ],
  ],
]

test('upgrades every release to the newest without losing a row', { timeout: 60_000 }, async () => {
  const names = (await readdir(released)).filter((name) => name.endsWith('.sql')).toSorted()
  const kept: Record<string, string[]> = {}
  for (const [index, name] of names.entries()) {
    await copyFile(join(released, name), join(folder, name))
    expect(await migrate({ connectionString, log, folder })).toEqual([name])
    await expectKept(kept, name)
    await writeRows(index + 1, name)
    await rememberRows(kept)
  }
  expect(kept['plays']?.length).toBe(names.length - 2)
  expect(await migrate({ connectionString, log })).toEqual([])
})

test('ends with the schema of a fresh installation', async () => {
  expect(await describeSchema(old)).toEqual(await describeSchema(fresh))
})

test('counts the rows written under every release', async () => {
  const { rows } = await old.query(`
    select (select count(*)::int from profiles) as people, (select count(*)::int from audit_log) as entries,
           (select sum(count)::int from audit_counts) as counted`)
  const [counts] = rows as { people: number; entries: number; counted: number }[]
  expect(counts?.people).toBeGreaterThan(10)
  expect(counts?.counted).toBe(counts?.entries)
})

test('creates playlist summaries for the playlists of every release', async () => {
  const { rows } = await old.query(`
    select count(*)::int as playlists,
           count(*) filter (where s.track_count = n.count and s.duration = n.seconds)::int as right_ones,
           sum(s.track_count)::int as tracks, sum(s.duration)::int as seconds,
           sum(cardinality(s.cover_ids))::int as covers
      from playlists p
      left join playlist_summaries s on s.playlist_id = p.id
      cross join lateral (
        select count(*), coalesce(sum(t.duration), 0) as seconds
          from playlist_tracks e join tracks t on t.id = e.track_id
         where e.playlist_id = p.id and t.is_published) n`)
  const [sums] = rows as Record<
    'playlists' | 'right_ones' | 'tracks' | 'seconds' | 'covers',
    number
  >[]
  expect(sums?.playlists).toBeGreaterThan(10)
  expect(sums).toMatchObject({ right_ones: sums?.playlists, tracks: sums?.playlists })
  // Each release wrote a playlist with one track that has a length and a cover, some before the summaries existed and
  // some after.
  expect(sums).toMatchObject({ seconds: 61 * (sums?.playlists ?? 0), covers: sums?.playlists })
})

test('tracks and playlists published before restrictions existed stay available to all members', async () => {
  const { rows } = await old.query(`
    select count(*)::int as published,
           count(*) filter (where audience = 'members' and early_access_days = 0
                              and num_nonnulls(release_at, release_zone, early_access_until) = 0)::int as open
      from (select is_published, audience, early_access_days, release_at, release_zone, early_access_until from tracks
            union all
            select is_visible, audience, early_access_days, release_at, release_zone, early_access_until from playlists) i
     where is_published`)
  const [counts] = rows as { published: number; open: number }[]
  expect(counts?.published).toBeGreaterThan(10)
  expect(counts?.open).toBe(counts?.published)
})

test('assigns no creator to existing items', async () => {
  const { rows } = await old.query(`
    select count(*)::int as items, count(owner_id)::int as owned
      from (select owner_id from tracks union all select owner_id from releases
            union all select owner_id from artists) i`)
  const [counts] = rows as { items: number; owned: number }[]
  expect(counts?.items).toBeGreaterThan(10)
  expect(counts?.owned).toBe(0)
})

test('creates one artist for each artist text of every release, with one main credit', async () => {
  const { rows } = await old.query(`
    select count(*)::int as tracks, count(distinct t.artist)::int as texts,
           count(*) filter (where c.role = 'main' and c.position = 0 and a.name = t.artist
                              and artist_line(t.id) = t.artist)::int as credited,
           (select count(*)::int from artists) as artists, (select count(*)::int from track_credits) as credits,
           (select string_agg(slug, ' ' order by slug) from artists) as slugs
      from tracks t left join track_credits c on c.track_id = t.id left join artists a on a.id = c.artist_id`)
  const [found] = rows as { tracks: number }[]
  expect(found?.tracks).toBeGreaterThan(10)
  expect(found).toEqual({
    tracks: found?.tracks,
    texts: 2,
    credited: found?.tracks,
    artists: 2,
    credits: found?.tracks,
    slugs: 'nobody u-u97f3-u697d',
  })
})

test('tracks of every release keep exactly their category, and are listed under it', async () => {
  const { rows } = await old.query(`
    select count(*)::int as tracks,
           count(*) filter (where t.title like 'Track %' and t.category is not null)::int as with_category,
           count(*) filter (where cardinality(t.more_categories) + cardinality(t.moods) = 0)::int as without_more,
           (select count(*)::int from track_categories) as listed,
           (select count(*)::int from track_categories k join tracks o on o.id = k.track_id
             where k.category = o.category and k.is_published = o.is_published
               and k.track_created_at = o.created_at) as right_ones
      from tracks t`)
  const [counts] = rows as Record<string, number>[]
  expect(counts?.['listed']).toBeGreaterThan(10)
  expect(counts).toMatchObject({
    listed: counts?.['with_category'],
    right_ones: counts?.['with_category'],
    without_more: counts?.['tracks'],
  })
})

test('gives likes of every release the creation time of their track', async () => {
  const { rows } = await old.query(`
    select count(*)::int as likes,
           count(*) filter (where l.track_created_at = t.created_at)::int as knowing
      from likes l join tracks t on t.id = l.track_id`)
  const [counts] = rows as { likes: number; knowing: number }[]
  expect(counts?.likes).toBeGreaterThan(10)
  expect(counts?.knowing).toBe(counts?.likes)
})

test('if the second factor was set up twice, keeps the one that is valid for sign-in', async () => {
  const names = (await readdir(released)).filter((name) => name.endsWith('.sql')).toSorted()
  const before = names.filter((name) => name < '0027')
  const oldest = await createDatabaseBeside(inject('testTemplate'), 'template1')
  await migrate({ connectionString: oldest, log, only: new Set(before.slice(0, 1)) })
  const client = new pg.Client(oldest)
  await client.connect()
  try {
    // Ids begin with a timestamp. These ids have the same one and end with a counter.
    const idStart = '0191a0c0-0000-7000-8000-0000000000'
    let count = 10
    const people = {
      finished_first: 'tf',
      finished_last: 'ft',
      both: 'tt',
      neither: 'ff',
      one: 't',
    }
    for (const [person, rows] of Object.entries(people)) {
      const added = await client.query<{ id: string }>(
        'insert into profiles (email) values ($1) returning id',
        [`${person}@example.com`],
      )
      for (const [index, isVerified] of [...rows].entries()) {
        await client.query(
          `insert into two_factors (id, user_id, secret, backup_codes, verified) values ($1, $2, $3, '', $4)`,
          [
            `${idStart}${(count += 1)}`,
            added.rows[0]?.id,
            `${person} ${index + 1}`,
            isVerified === 't',
          ],
        )
      }
    }
    expect(await migrate({ connectionString: oldest, log })).toEqual(names.slice(1))
    const kept = await client.query<{ secret: string }>('select secret from two_factors order by 1')
    expect(kept.rows.map(({ secret }) => secret)).toEqual([
      'both 2',
      'finished_first 1',
      'finished_last 2',
      'neither 2',
      'one 1',
    ])
    const again = client.query(
      `insert into two_factors (user_id, secret, backup_codes) select user_id, 'second', '' from two_factors limit 1`,
    )
    await expect(again).rejects.toMatchObject({ constraint: 'two_factors_user_key' })
  } finally {
    await client.end()
  }
})

async function writeRows(number: number, name: string): Promise<void> {
  const id = `'0191a0c0-0000-7000-8000-${String(number).padStart(12, '0')}'`
  for (const [since, statements] of rowsSince) {
    if (name < since) continue
    for (const statement of statements) {
      await old.query(statement.replaceAll(':id', id).replaceAll(/:n\b/g, String(number)))
    }
  }
}

const tables = async () =>
  (
    await old.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    )
  ).rows.map(({ name }) => name)

/** Remembers the columns that each row has now. Omits counts and copies that the database maintains. */
async function rememberRows(kept: Record<string, string[]>): Promise<void> {
  for (const table of await tables()) {
    if (/_counts$|_summaries$|^schema_migrations$|^insight_state$/.test(table)) continue
    const { rows } = await old.query<{ row: string }>(
      `select (to_jsonb(t) - 'track_created_at')::text as row from "${table}" t order by 1`,
    )
    kept[table] = rows.map(({ row }) => row)
  }
}

async function expectKept(kept: Record<string, string[]>, migration: string): Promise<void> {
  for (const [table, rows] of Object.entries(kept)) {
    const { rows: missing } = await old.query<{ row: string }>(
      `select was.row from unnest($1::jsonb[]) as was (row)
        where not exists (select from "${table}" t where to_jsonb(t) @> was.row)`,
      [rows],
    )
    expect(missing, `${migration} changed ${table}`).toEqual([])
  }
}

async function describeSchema(client: pg.Client): Promise<unknown> {
  const { rows } = await client.query(`
    select 'column' as kind, table_name as of, column_name as name,
           concat_ws(' ', data_type, is_nullable, column_default, generation_expression) as text
      from information_schema.columns where table_schema = 'public'
    union all
    select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select 'index', tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
    union all
    select 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid)
      from pg_trigger where not tgisinternal
    union all
    select 'function', '', proname, pg_get_functiondef(oid)
      from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f' and prolang <> 13
    order by 1, 2, 3, 4`)
  return rows
}
