// Inserts releases by SQL: plain ones, one with two discs, one with long names, drafts, one with a publication date,
// and some that are in early access or Premium only.
import type pg from 'pg'
import { longArtist, longDescription } from './lived-in-texts.ts'

/** Inserts the releases and returns the published ones. The first has two discs, the second has the longest names. */
export async function insertReleases(
  client: pg.Client,
  audibleTrackIds: readonly string[],
): Promise<{ releaseSlugs: string[]; releaseIds: string[] }> {
  await client.query(insertRows, [longDescription])
  await client.query(insertTracks, [audibleTrackIds])
  await client.query(setAvailability)
  await client.query(
    `
    insert into release_credits (release_id, position, artist_id, joiner)
    select id, 1, artist_of_name(case when slug = 'longest' then left($1, 200) else 'Mira Holt' end),
           case when slug like '%-2' then ' & ' else '' end
      from releases order by id`,
    [longArtist],
  )
  await client.query(`
    insert into release_credits (release_id, position, artist_id)
    select id, 2, artist_of_name('Ida Sorrel') from releases where slug like '%-2'`)
  const releaseSlugs = ['rooms-by-the-water', 'longest']
  const { rows } = await client.query<{ id: string }>(
    'select id from releases where slug = any ($1) order by created_at desc',
    [releaseSlugs],
  )
  return { releaseSlugs, releaseIds: rows.map(({ id }) => id) }
}

const insertRows = `
  insert into releases (kind, title, slug, description, release_date, label, upc, is_published, audience, created_at)
  select kind, title, slug, description, date, label, upc, slug not like 'draft%', 'everyone', now() - make_interval(days => i::int)
    from (values
      (1, 'album', 'Rooms by the Water', 'rooms-by-the-water', 'Recorded in one winter, in a house by a lake. Play it in order.', date '2026-10-09', 'Velour Records', '036000291452'),
      (2, 'album', left(repeat('The Long and Unhurried Evening on Which Nothing Happened ', 4), 200), 'longest', $1, date '2026-09-01', left(repeat('Label ', 40), 200), '4006381333931'),
      (3, 'ep', 'Borrowed Light', 'borrowed-light', null, date '2026-08-14', 'Velour Records', null),
      (4, 'single', 'Z', 'z', null, null, null, null),
      (5, 'compilation', '夜更けのための音楽', 'night', null, date '2025-12-01', null, null),
      (6, 'album', 'Paper Lanterns', 'paper-lanterns', null, date '2025-03-21', 'Velour Records', null),
      (7, 'album', 'Draft of an Album', 'draft-of-an-album', null, null, null, null)
    ) given (i, kind, title, slug, description, date, label, upc)
  union all
  select case when i % 3 = 0 then 'ep' when i % 3 = 1 then 'single' else 'album' end, 'Shelf Release ' || i, 'shelf-' || i,
         null, date '2024-01-01' + i, null, null, true, 'everyone', now() - make_interval(days => 20 + i)
    from generate_series(1, 60) i`

/**
 * Sets publication dates, audiences and early access. The tracks of a release in early access get the same end date.
 */
const setAvailability = `
  update releases set release_at = now() + interval '9 days', release_zone = 'Asia/Tokyo', early_access_days = 7
   where slug = 'draft-of-an-album';
  update releases set audience = 'premium' where slug in ('night', 'shelf-2');
  update releases set early_access_days = 7, early_access_until = now() + interval '4 days'
   where slug in ('borrowed-light', 'shelf-1');
  update tracks set early_access_days = 7, early_access_until = r.early_access_until
    from release_tracks e join releases r on r.id = e.release_id
   where e.track_id = tracks.id and r.slug = 'borrowed-light' and e.position < 5`

/** The first release starts with the tracks that have audio. The other releases share the plain tracks. */
const insertTracks = `
  insert into release_tracks (release_id, track_id, disc, position)
  select r.id, t.id, case when r.slug = 'rooms-by-the-water' and t.n > 7 then 2 else 1 end,
         case when r.slug = 'rooms-by-the-water' and t.n > 7 then t.n - 7 else t.n end
    from (select id, slug, row_number() over (order by created_at desc) as place from releases) r
    join lateral (
      select id, row_number() over (order by is_audible desc, title, id) as n from (
        select id, title, false as is_audible, row_number() over (order by id) as at
          from tracks where deleted_at is null and not id = any ($1)
        union all
        select id, title, true, 1 from tracks where id = any ($1) and r.place = 1
      ) candidates
      where is_audible or at % 67 = r.place % 67
      order by is_audible desc, at limit case when r.slug like 'shelf-%' then 3 else 12 end
    ) t on true`
