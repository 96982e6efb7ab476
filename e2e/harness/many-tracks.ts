// Inserts many tracks directly into the database of a service, because uploading them would take too long.
import type pg from 'pg'
import { findRunningPostgres } from '../../server/platform/embedded-postgres/embedded-postgres.ts'
import { queryAt } from '../../server/platform/db/with-client.ts'

/** Inserts published tracks without audio, older than all others. Returns their ids from the newest, `Long 1`, on. */
export async function insertTracks(dataDir: string, count: number): Promise<string[]> {
  const rows = await query<{ id: string }>(
    dataDir,
    `with made as (
       insert into tracks (title, artist, tags, is_published, processing_status, duration, created_at)
       select 'Long ' || i, 'Artist ' || i % 7, '{slow,warm,late}', true, 'ready', 100 + i % 100,
              timestamptz '2026-01-01' - make_interval(mins => i)
         from generate_series(1, $1::int) i
       returning id, created_at)
     select id from made order by created_at desc`,
    [count],
  )
  return rows.map(({ id }) => id)
}

/** Inserts a private playlist of these tracks in this order. Returns its id. */
export async function insertPlaylist(
  dataDir: string,
  playlist: { email: string; title: string; trackIds: readonly string[] },
): Promise<string> {
  const { email, title, trackIds } = playlist
  const [made] = await query<{ id: string }>(
    dataDir,
    `insert into playlists (title, created_by)
     select $1, id from profiles where email = $2 returning id`,
    [title, email],
  )
  if (!made) throw new Error(`No account has the address ${email}`)
  await query(
    dataDir,
    `insert into playlist_tracks (playlist_id, track_id, order_index)
     select $1, id, place - 1 from unnest($2::uuid[]) with ordinality as given (id, place)`,
    [made.id, trackIds],
  )
  return made.id
}

async function query<Row extends pg.QueryResultRow>(
  dataDir: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const { owner } = await findRunningPostgres(dataDir)
  return queryAt<Row>(owner, text, values)
}
