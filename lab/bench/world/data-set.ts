// The generated data of all benchmarks: people, music, playlists and activity, inserted by SQL. Each step is committed
// and recorded on its own, so that a run can resume after it was aborted.
import pg from 'pg'
import { hashNewPassword } from '#server/features/auth/new-password.ts'
import { randomChoice, people, randomWords } from './data-set-texts.ts'

export interface DataSetSize {
  tracks: number
  users: number
  playlists: number
  audit: number
  likes: number
  plays: number
  payments: number
}

export const dataSetSizes = {
  tiny: size(1_000, 1_000, 200, 1_000),
  smoke: size(2_000, 2_000, 500, 5_000),
  small: size(10_000, 10_000, 5_000, 20_000),
  usual: size(100_000, 100_000, 50_000, 200_000),
  large: size(100_000, 1_000_000, 50_000, 5_000_000),
  million: size(1_000_000, 1_000_000, 500_000, 1_000_000),
} as const

export type DataSetName = keyof typeof dataSetSizes

/** Returns the number of rows of each kind. Likes, plays and payments depend on the number of people. */
function size(tracks: number, users: number, playlists: number, audit: number): DataSetSize {
  const perUser = { likes: users * 2, plays: users * 2, payments: Math.floor(users / 4) }
  return { tracks, users, playlists, audit, ...perUser }
}

export const benchPassword = 'a-password-to-measure-with'
export const benchAdmin = 'admin@bench.test'
/** A member with a thousand likes and forty playlists, the first one with a hundred tracks. */
export const benchMember = 'member@bench.test'

interface Step {
  name: string
  sql: (size: DataSetSize) => string
}

// Returns dates over three years, the newest last. The end is fixed, so that data sets can be compared.
const moment = (i: string, count: number) =>
  `timestamptz '2026-11-01' - make_interval(secs => (${count} - ${i}) * (3 * 31536000.0 / ${count}))`

const steps: Step[] = [
  {
    name: 'categories, genres and covers',
    sql: () => `
      insert into category_metadata (category, display_name, sort_order)
        select 'mood-' || i, initcap(w) || ' Hours', i from unnest(${randomWords(40)}) with ordinality as t(w, i);
      insert into genres (name) select initcap(w) || ' ' || g from unnest(${randomWords(8)}) w,
        unnest('{House,Folk,Jazz,Ambient,Pop}'::text[]) g;
      insert into images (kind, tint, placeholder, width, height)
        select 'cover', '#' || lpad(to_hex((i * 7919) % 16777216), 6, '0'),
               'data:image/webp;base64,' || repeat(md5(i::text), 4), 1200, 1200
          from generate_series(1, 2000) i;`,
  },
  {
    name: 'tracks',
    sql: ({ tracks }) => `
      insert into tracks (title, artist, category, genre, description, tags, explicit, cover_id, is_published,
                          processing_status, processing_progress, duration, lyrics, loudness_lufs, true_peak_dbtp,
                          peaks, source_key, source_mime, source_bytes, source_sha256, created_at)
      select initcap(${randomChoice(1, 6)}), ${people.artist}, categories.names[1 + floor(random() * 40)],
             genres.names[1 + floor(random() * 40)], ${randomChoice(8, 30)}, array[${randomChoice(1, 1)}, ${randomChoice(1, 1)}],
             random() < 0.05, covers.ids[1 + floor(random() * 2000)], i % 50 <> 0, 'ready', 1,
             90 + floor(random() * 240)::int, case when i % 3 = 0 then ${randomChoice(40, 80)} end, -14 + random(), -1,
             decode(repeat(md5(i::text), 50), 'hex'), 'source/bench/' || i, 'audio/flac', 20000000,
             encode(sha256(i::text::bytea), 'hex'), ${moment('i', tracks)}
        from generate_series(1, ${tracks}) i,
             (select array_agg(category) names from category_metadata) categories,
             (select array_agg(name) names from genres) genres,
             (select array_agg(id) ids from images) covers`,
  },
  {
    name: 'renditions',
    sql: () => `
      insert into renditions (track_id, kind, storage_key, mime, byte_size, duration_seconds, etag, preview_length_seconds)
      select id, kind, 'audio/' || id || '/' || kind || '.m4a', 'audio/mp4', 3000000,
             case kind when 'preview' then 45 else duration end, md5(id::text || kind),
             case kind when 'preview' then 45 end
        from tracks, unnest('{standard,high,preview}'::text[]) kind`,
  },
  {
    name: 'people',
    sql: ({ users }) => `
      alter table profiles disable trigger profiles_role;
      insert into profiles (email, email_verified, display_name, subscription_tier, subscription_status,
                            subscription_ends_at, banned_at, deletion_requested_at, created_at)
      select ${people.email}, true, ${people.name},
             case when i % 5 = 0 then (array['monthly', 'yearly', 'premium', 'lifetime'])[1 + i / 5 % 4] else 'free' end,
             case when i % 5 = 0 then 'active' when i % 37 = 0 then 'canceled' else 'inactive' end,
             case when i % 5 = 0 then timestamptz '2027-06-01' + make_interval(hours => i % 5000) end,
             case when i % 997 = 0 then timestamptz '2026-10-01' end,
             case when i % 4999 = 0 then timestamptz '2026-10-20' end, ${moment('i', users)}
        from generate_series(1, ${users}) i;
      insert into profiles (email, email_verified, display_name, subscription_tier, subscription_status)
        values ('${benchAdmin}', true, 'Admin', 'free', 'inactive'), ('${benchMember}', true, 'Member', 'premium', 'active');
      -- PostgreSQL can't alter a table while deferred triggers are pending.
      set constraints all immediate;
      alter table profiles enable trigger profiles_role;
      insert into user_roles (user_id, role)
        select id, case when email = '${benchAdmin}' then 'admin' else 'member' end from profiles;
      update user_roles set role = 'editor'
       where user_id in (select id from profiles order by created_at limit 50);`,
  },
  {
    name: 'subscriptions and payments',
    sql: ({ payments }) => `
      insert into subscriptions (user_id, payment_method, is_manual, starts_at, notes)
        select id, (array['cash', 'zelle', 'cashapp', 'stripe'])[1 + floor(random() * 4)], random() < 0.5, created_at,
               case when random() < 0.2 then 'Paid at the door' end
          from profiles where subscription_tier <> 'free';
      insert into payments (user_id, amount_cents, currency, payment_method, tier, paid_at)
        select users.ids[1 + floor(random() * cardinality(users.ids))], 999, 'usd', 'cash', 'monthly', ${moment('i', payments)}
          from generate_series(1, ${payments}) i,
               (select array_agg(user_id) ids from (select user_id from subscriptions limit 100000) s) users`,
  },
  {
    name: 'playlists',
    sql: ({ playlists }) => `
      insert into playlists (title, description, is_public, is_curated, is_visible, created_by, created_at)
      select initcap(${randomChoice(1, 5)}), ${randomChoice(5, 15)}, i % 10 = 0, i % 250 = 0, true,
             users.ids[1 + floor(random() * cardinality(users.ids))], ${moment('i', playlists)}
        from generate_series(1, ${playlists}) i,
             (select array_agg(id) ids from (select id from profiles order by id limit 100000) p) users;
      insert into playlists (title, created_by)
        select initcap(${randomChoice(1, 5)}), id from profiles, generate_series(1, 40) i where email = '${benchMember}';`,
  },
  {
    name: 'playlist tracks',
    sql: () => `
      alter table playlist_tracks disable trigger user;
      with lists as (
        select id, case when created_by = (select id from profiles where email = '${benchMember}') then 100
                        else 4 + floor(random() * 13)::int end as length,
               floor(random() * 1000000)::int as start
          from playlists),
      music as (select array_agg(id) ids from tracks)
      insert into playlist_tracks (playlist_id, track_id, order_index)
      -- The step and the number of tracks are coprime, so that no playlist gets a track twice.
      select l.id, music.ids[1 + (l.start + o * 7919) % cardinality(music.ids)], o
        from lists l, music, generate_series(0, l.length - 1) o;
      alter table playlist_tracks enable trigger user;
      update playlist_summaries s
         set track_count = n.count, duration = n.seconds, cover_ids = playlist_cover_ids(s.playlist_id)
        from (select e.playlist_id, count(*), sum(t.duration) as seconds
                from playlist_tracks e join tracks t on t.id = e.track_id
               where t.is_published group by 1) n
       where n.playlist_id = s.playlist_id;`,
  },
  {
    name: 'likes',
    sql: ({ likes }) => `
      alter table likes disable trigger likes_notify;
      insert into likes (user_id, track_id, created_at)
      select users.ids[1 + i % cardinality(users.ids)], music.ids[1 + floor(random() * cardinality(music.ids))], ${moment('i', likes)}
        from generate_series(1, ${likes}) i, (select array_agg(id) ids from profiles) users,
             (select array_agg(id) ids from tracks) music
      on conflict do nothing;
      insert into likes (user_id, track_id)
      select p.id, t.id from profiles p, (select id from tracks where is_published order by md5(id::text) limit 1000) t
       where p.email = '${benchMember}' on conflict do nothing;
      alter table likes enable trigger likes_notify;`,
  },
  {
    name: 'plays',
    sql: ({ plays }) => `
      insert into plays (id, user_id, track_id, is_preview, started_at, reported_at, heard_seconds, position_seconds,
                         duration_seconds, completed, counted_at)
      select gen_random_uuid(), users.ids[1 + i % cardinality(users.ids)],
             music.ids[1 + floor(power(random(), 3) * cardinality(music.ids))], i % 4 = 0, at, at + interval '2 minutes',
             120, 120, 180, i % 3 = 0, at + interval '30 seconds'
        from (select i, ${moment('i', plays)} as at from generate_series(1, ${plays}) i) moments,
             (select array_agg(id) ids from profiles) users, (select array_agg(id) ids from tracks) music`,
  },
  {
    name: 'audit trail',
    sql: ({ audit }) => `
      insert into audit_log (actor_id, action, entity, entity_id, before, after, ip_address, created_at)
      select admins.ids[1 + floor(random() * cardinality(admins.ids))],
             (array['create', 'update', 'update', 'update', 'publish', 'delete', 'ban'])[1 + floor(random() * 7)],
             (array['track', 'track', 'track', 'user', 'playlist', 'category', 'subscription'])[1 + floor(random() * 7)],
             gen_random_uuid()::text, jsonb_build_object('title', ${randomChoice(2, 4)}, 'is_published', false),
             jsonb_build_object('title', ${randomChoice(2, 4)}, 'is_published', true), '203.0.113.7', ${moment('i', audit)}
        from generate_series(1, ${audit}) i,
             (select array_agg(user_id) ids from user_roles where role <> 'member') admins`,
  },
]

/** Fills a database that is migrated, or resumes a run that was aborted. `connectionString` is of the owner's role. */
export async function fillDataSet(options: {
  connectionString: string
  name: DataSetName
  print: (line: string) => void
}): Promise<void> {
  const client = new pg.Client(options.connectionString)
  await client.connect()
  try {
    await client.query(
      'create table if not exists bench_steps (name text primary key, elapsed_ms int)',
    )
    const { rows } = await client.query<{ name: string }>('select name from bench_steps')
    const done = new Set(rows.map(({ name }) => name))
    await client.query(`set maintenance_work_mem = '256MB'`)
    for (const step of steps.filter(({ name }) => !done.has(name))) {
      await run(client, step.name, step.sql(dataSetSizes[options.name]), options.print)
    }
    if (done.has('ready')) return
    const hash = await hashNewPassword(benchPassword)
    await client.query(
      `insert into accounts (user_id, provider_id, account_id, password)
       select id, 'credential', id::text, $1 from profiles where email in ($2, $3) on conflict do nothing`,
      [hash, benchAdmin, benchMember],
    )
    await client.query('vacuum analyze')
    await client.query(`insert into bench_steps values ('ready', 0)`)
  } finally {
    await client.end()
  }
}

async function run(client: pg.Client, name: string, sql: string, print: (line: string) => void) {
  const start = performance.now()
  await client.query('begin')
  await client.query('select setseed(0.42)')
  await client.query(sql)
  const elapsedMs = Math.round(performance.now() - start)
  await client.query('insert into bench_steps values ($1, $2)', [name, elapsedMs])
  await client.query('commit')
  print(`${name}: ${(elapsedMs / 1000).toFixed(1)} s`)
}
