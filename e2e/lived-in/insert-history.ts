// Inserts activity by SQL: plays, likes and playlists of members, audit entries and failed jobs.
import type pg from 'pg'
import { auditActions, auditEntities } from '../../contract/audit-names.ts'
import { longDescription } from './lived-in-texts.ts'

/**
 * Inserts 50 recent plays, 30 likes and 12 playlists. The first playlist is empty, the second has 500 tracks. Returns
 * the ids of the playlists.
 */
export async function insertLibrary(client: pg.Client, userId: string): Promise<string[]> {
  await client.query(
    `insert into plays (id, user_id, track_id, is_preview, started_at, reported_at, heard_seconds, position_seconds,
                        duration_seconds, completed, counted_at)
     select gen_random_uuid(), $1, id, false, at, at + interval '2 minutes', 60, 60, duration, place % 3 = 0,
            at + interval '30 seconds'
       from (select t.*, row_number() over (order by created_at desc) as place from tracks t where is_published) heard,
            lateral (select now() - make_interval(mins => 10 * place::int) as at) times
      where place <= 50`,
    [userId],
  )
  await client.query(
    `insert into likes (user_id, track_id)
     select $1, id from (select * from tracks where is_published order by created_at desc limit 60) t
      order by md5(id::text) limit 30`,
    [userId],
  )
  const { rows } = await client.query<{ id: string }>(
    `insert into playlists (title, description, cover_id, is_public, created_by, created_at)
     select title, case when i % 3 = 1 then $2 end,
            case when i % 4 = 3 then (select id from images where kind = 'cover' limit 1) end, i % 5 = 2, $1,
            now() - make_interval(days => i::int)
       from unnest(array['Nothing in here yet', 'Five hundred songs for a very long drive', 'Q', '雨の日', 'أغاني المساء', '🌙🌙🌙',
                         'Things I would like to hear again when I am old and have the time to listen to them properly',
                         'Workout', 'Kitchen', 'Letters', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'Last'])
            with ordinality as given (title, i)
     returning id`,
    [userId, longDescription],
  )
  const ids = rows.map(({ id }) => id)
  await fillPlaylists(client, ids)
  await client.query(insertContexts, [userId])
  return ids
}

/** One entry for every kind of list that a member can continue to play, with the longest names. */
const insertContexts = `
  insert into listening_contexts (user_id, kind, ref, track_id, played_at)
  select $1, kind, ref, (select id from tracks where is_published order by created_at desc limit 1),
         now() - make_interval(mins => 20 * row_number() over (order by place, ref)::int)
    from (
      select 1 as place, 'playlist' as kind, id::text as ref from playlists
       where created_by = $1 and title like '%very long drive'
      union all select 2, 'release', id::text from releases where slug in ('rooms-by-the-water', 'longest')
      union all select 3, 'radio', 'track:' || id from (select id from tracks where is_published order by created_at limit 1) t
      union all select 4, 'likes', ''
      union all select 5, 'artist', id::text from artists where name = 'Mira Holt'
      union all select 6, 'playlist', id::text from playlists where created_by = $1 and title like 'Things%'
    ) given`
/** Inserts a smart playlist with two groups of rules, one of them about liked tracks. Returns its id. */
export async function insertSmartPlaylist(client: pg.Client, userId: string): Promise<string> {
  const rules = {
    match: 'any',
    groups: [
      {
        match: 'all',
        rules: [
          { kind: 'liked', value: true },
          { kind: 'days', field: 'heard', operator: 'not_in_last', value: 30 },
        ],
      },
      { match: 'all', rules: [{ kind: 'days', field: 'added', operator: 'in_last', value: 3650 }] },
    ],
    order: 'heard_longest_ago',
    limit: 40,
  }
  const { rows } = await client.query<{ id: string }>(
    'insert into playlists (title, created_by, rules) values ($1, $2, $3) returning id',
    ['Liked, not heard for 30 days', userId, JSON.stringify(rules)],
  )
  return rows[0]!.id
}

/** Shares a playlist with one user who may edit it and with three others. Each of them has added tracks. */
export async function insertShare(
  client: pg.Client,
  playlistId: string,
  withId: string,
): Promise<void> {
  await client.query(
    `insert into playlist_members (playlist_id, user_id, role)
     select $1, id, case when id = $2 or place % 2 = 0 then 'editor' else 'viewer' end
       from (select id, row_number() over (order by id = $2 desc, created_at) as place from profiles
              where id <> (select created_by from playlists where id = $1)) people
      where place <= 4`,
    [playlistId, withId],
  )
  await client.query(
    `update playlist_tracks e set added_by = people.ids[1 + e.order_index % cardinality(people.ids)]
       from (select array_agg(user_id) as ids from playlist_members where playlist_id = $1) people
      where playlist_id = $1`,
    [playlistId],
  )
}

/** Inserts eight curated playlists, one of them hidden. The last contains only tracks with audio. Returns the ids. */
export async function insertCuratedPlaylists(
  client: pg.Client,
  coverId: string,
  audibleIds: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `insert into playlists (title, description, cover_id, is_curated, audience, is_visible)
     select case i when 3 then 'A selection by the house with a name that is a good deal longer than any card is wide' else 'House selection ' || i end,
            case when i % 2 = 0 then $1 end, case when i % 3 = 0 then $2::uuid end, true, 'everyone', i <> 5
       from generate_series(1, 8) i
     returning id`,
    [longDescription, coverId],
  )
  const ids = rows.map(({ id }) => id)
  await fillPlaylists(client, ids.slice(0, -1))
  await client.query(
    `insert into playlist_tracks (playlist_id, track_id, order_index)
     select $1, id, place - 1 from unnest($2::uuid[]) with ordinality as given (id, place)`,
    [ids.at(-1), audibleIds],
  )
  return ids
}

/** Leaves the first playlist empty, puts 500 tracks into the second and a few into each of the others. */
async function fillPlaylists(client: pg.Client, ids: readonly string[]): Promise<void> {
  await client.query(
    `insert into playlist_tracks (playlist_id, track_id, order_index)
     select list.id, t.id, t.place - 1
       from unnest($1::uuid[]) with ordinality as list (id, i),
            (select id, row_number() over (order by created_at desc) as place from tracks where is_published) t
      where t.place <= case list.i when 1 then 0 when 2 then 500 else 3 * list.i end`,
    [ids],
  )
}

/** Inserts plays of many users over two months, for the Insights screen. */
export async function insertCrowd(client: pg.Client): Promise<void> {
  await client.query(
    `insert into plays (id, user_id, track_id, is_preview, started_at, reported_at, heard_seconds, position_seconds,
                        duration_seconds, completed, counted_at)
     select gen_random_uuid(), people.ids[1 + i * 7 % cardinality(people.ids)], music.ids[1 + i * i % 97], i % 4 = 0,
            at, at + interval '2 minutes', 60, 60, 180, i % 3 = 0, at + interval '30 seconds'
       from generate_series(1, 3000) i,
            (select array_agg(id order by created_at) ids from profiles) people,
            (select array_agg(id order by created_at desc) ids from tracks where is_published) music,
            lateral (select now() - make_interval(mins => 29 * i) as at) times`,
  )
}

/**
 * Inserts audit entries with every action on every kind of entity, by several people. Some of these people are deleted.
 */
export async function insertAuditLog(client: pg.Client): Promise<void> {
  await client.query(
    `insert into audit_log (actor_id, action, entity, entity_id, before, after, ip_address, created_at)
     select case i % 5 when 0 then gen_random_uuid() when 1 then null else admins.ids[1 + i % cardinality(admins.ids)] end,
            action, entity,
            case entity when 'track' then (select id::text from tracks order by created_at desc offset i limit 1)
                        when 'user' then (select id::text from profiles order by created_at desc offset i limit 1)
                        when 'subscription' then (select user_id::text from subscriptions offset i limit 1)
                        when 'playlist' then (select id::text from playlists where is_curated limit 1)
                        when 'settings' then null
                        when 'category' then 'mood-1'
                        else gen_random_uuid()::text end,
            case when action <> 'create' then jsonb_build_object('title', 'Before', 'description', $3::text) end,
            case when action <> 'delete' then jsonb_build_object('title', '静かな夜', 'is_published', true, 'tags', array['a', 'b']) end,
            '203.0.113.7', now() - make_interval(mins => 37 * i)
       from (select (row_number() over ())::int as i, action, entity
               from unnest($1::text[]) action, unnest($2::text[]) entity, generate_series(1, 3)) every,
            (select array_agg(user_id) ids from user_roles where role = 'admin') admins`,
    [auditActions, auditEntities, longDescription],
  )
}

export async function insertFailedJobs(client: pg.Client): Promise<void> {
  await client.query(
    `insert into jobs.job (name, data, state, retry_count, completed_on, output)
     select (array['process-track', 'retag-track', 'cut-preview'])[1 + i % 3], jsonb_build_object('track_id', id), 'failed', 12,
            now() - make_interval(hours => i),
            jsonb_build_object('message', 'ffmpeg could not finish its work: ' || $1::text,
                               'toolLog', repeat('[error] Invalid data found when processing input ', 20))
       from (select id, (row_number() over (order by created_at))::int as i from tracks
              where processing_status = 'failed' limit 5) broken`,
    [longDescription],
  )
}

/** Inserts one import in each state, with the longest possible names. */
export async function insertImports(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `insert into imports (format, name, status, problem, ip_address, made, created_at)
     select format, name, status, problem, '127.0.0.1', made::jsonb, now() - make_interval(hours => i)
       from (values
         (1, 'files', 'suno-library-2026-11.zip', 'asking', null, '{"playlists": 2}'),
         (2, 'catalogue', 'catalogue-2026-11-20.zip', 'done', null, '{"genres": 12, "artists": 80, "releases": 1}'),
         (3, null, $1, 'failed', 'The archive contains a path outside the archive.', '{}')
       ) v (i, format, name, status, problem, made)
     returning id`,
    [`${longDescription.slice(0, 200).trim()}.zip`],
  )
  await client.query(
    `insert into import_items (import_id, position, kind, path, name, status, reason, known_track_id, known_by)
     select $1, i, 'recording', 'Export/2026-11/' || t.title || '.wav', left(t.title, 400) || '.wav',
            (array['known', 'failed', 'left_out', 'done'])[1 + i % 4],
            case i % 4 when 1 then 'This file is not audio that can be played.' when 2 then 'The file is empty' end,
            case i % 4 when 0 then t.id end, case i % 4 when 0 then (array['recording', 'source'])[1 + i / 4 % 2] end
       from (select id, title, (row_number() over (order by created_at))::int as i from tracks limit 240) t`,
    [rows[0]!.id],
  )
}
