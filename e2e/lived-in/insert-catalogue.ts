// Inserts genres, categories and 520 tracks by SQL: 200 that vary in every field and state, and 320 plain ones for a
// long playlist.
import type pg from 'pg'
import {
  awkwardTitles,
  longArtist,
  longCategory,
  longDescription,
  longGenre,
} from './lived-in-texts.ts'

/** Inserts tracks without audio. `coverIds` are covers that exist in the storage. */
export async function insertCatalogue(
  client: pg.Client,
  coverIds: readonly string[],
): Promise<void> {
  await client.query(
    `insert into genres (name)
     select unnest(array[$1, 'Ambient', 'Lo-fi', 'Jazz', 'R&B / Soul', 'ジャズ', 'طرب', 'Folk', 'House', 'Z'])
     on conflict do nothing`,
    [longGenre],
  )
  await client.query(`insert into genres (name) select 'Genre ' || i from generate_series(1, 40) i`)
  await client.query(
    `insert into category_metadata (category, display_name, description, cover_id, is_visible, sort_order)
     select 'mood-' || i, name, case when i % 2 = 0 then $2 end, case when i % 3 > 0 then $3::uuid end, i % 7 > 0, i
       from unnest(array[$1, 'Focus', 'Late Night', '夜更け', 'سهر', 'Workout', 'Empty', 'Z', 'Study & Revision',
                         'Sunday Morning Coffee and Rain']) with ordinality as given (name, i)`,
    [longCategory, longDescription, coverIds[0]],
  )
  await client.query(insertTracks, [
    awkwardTitles,
    longArtist,
    longDescription,
    longGenre,
    coverIds,
  ])
  // Run deferred triggers now, because the artists are needed below. Triggers would otherwise run at commit.
  await client.query('set constraints all immediate')
  await client.query(fillArtist, [longDescription, coverIds[1]])
  await client.query(addGuests)
}

/** Slug of an artist whose page has every optional field and link. */
export const fullArtistSlug = 'artist-1'

const fillArtist = `
  update artists set biography = $1 || E'\\n\\n' || $1, picture_id = $2,
         links = '[{"label": "Website", "url": "https://example.com"}, {"label": "A shop with a rather long name", "url": "https://example.com/shop"}]'
   where slug = '${fullArtistSlug}'`

// Every seventh track gets another artist, and some get two. The artist above also appears on tracks of others.
const addGuests = `
  with numbered as (
    select t.id, row_number() over (order by t.created_at desc) as i from tracks t
  ), guests as (
    select n.id, 1 as position, case when i % 21 = 0 then '${fullArtistSlug}' else 'artist-' || 2 + i % 20 end as slug
      from numbered n where i % 7 = 0
    union all
    select n.id, 2, 'artist-' || 3 + i % 20 from numbered n where i % 28 = 0
  )
  insert into track_credits (track_id, position, artist_id, role)
    select g.id, g.position, a.id, 'featured' from guests g join artists a on a.slug = g.slug
     where length((select artist from tracks t where t.id = g.id)) < 100
       and not exists (select from track_credits c where c.track_id = g.id and c.artist_id = a.id)`

// Every tenth of the first 200 tracks is unpublished: a draft, waiting, being processed or failed.
const insertTracks = `
  insert into tracks (title, artist, category, more_categories, moods, genre, description, lyrics, tags, explicit, cover_id, is_published,
                      processing_status, processing_progress, processing_error, duration, ai_disclosure, ai_tool,
                      credits, loudness_lufs, true_peak_dbtp, found_genre, created_at, release_at, release_zone,
                      early_access_days, early_access_until, audience)
  select case when i <= 200 and i % 3 = 0 then ($1::text[])[1 + i / 3 % cardinality($1::text[])]
                   || case when i > 3 * cardinality($1::text[]) then ' ' || i else '' end
              when i <= 200 then (array['Velvet', 'Copper', 'Slow', 'Borrowed', 'Paper', 'Northern'])[1 + i % 6] || ' '
                   || (array['Weather', 'Rooms', 'Lanterns', 'Tides', 'Letters', 'Engines', 'Gardens'])[1 + i % 7]
                   || case when i > 42 then ' No. ' || i else '' end
              else 'Shelf ' || i end,
         case when i % 23 = 0 then $2 when i % 11 = 0 then '坂本 夜' when i % 13 = 0 then 'فرقة الليل'
              when i % 17 = 0 then 'X' else 'Artist ' || i % 30 end,
         case when i % 5 > 0 then 'mood-' || 1 + i % 6 end,
         case when i % 10 = 1 then array['mood-' || 1 + (i + 1) % 6, 'mood-' || 1 + (i + 2) % 6] else '{}' end,
         case when i % 7 = 0 then array['calm', 'late at night, before the first train', '憂鬱'] else '{}' end,
         case when i % 4 = 0 then null when i % 19 = 0 then $4 else (array['Ambient', 'Lo-fi', 'Jazz', 'Folk'])[1 + i % 4] end,
         case when i % 6 = 0 then $3 end,
         case when i % 8 = 0 then E'First line\\nSecond line' end,
         case when i % 9 = 0 then array['slow', 'warm', 'late at night with the window open', '雨'] else '{}' end,
         i % 14 = 0,
         case when i % 3 > 0 then ($5::uuid[])[1 + i % cardinality($5::uuid[])] end,
         i > 200 or i % 10 > 0,
         case when i > 200 or i % 10 > 0 then 'ready'
              else (array['ready', 'failed', 'processing', 'pending'])[1 + i / 10 % 4] end,
         case when i > 200 or i % 10 > 0 or i / 10 % 4 = 0 then 1 else 0.4 end,
         case when i <= 200 and i % 10 = 0 and i / 10 % 4 = 1
              then 'The file ends in the middle of a frame: invalid data found when processing input.' end,
         case when i = 7 then 3725 when i = 8 then 4 else 100 + i % 200 end,
         (array['ai_generated', 'ai_assisted', 'human'])[1 + i % 3],
         case when i % 3 < 2 then 'A tool with a name, version 4' end,
         case when i % 12 = 0 then 'Written, played and mixed by a few people in a kitchen.' end,
         -14, -1,
         case when i % 40 = 0 then 'Something nobody listed' end,
         date_trunc('day', now()) - make_interval(hours => i),
         -- Every fourth draft has a publication date, in different time zones.
         case when i <= 200 and i % 40 = 0 then date_trunc('hour', now()) + make_interval(days => i) end,
         case when i <= 200 and i % 40 = 0 then (array['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kathmandu'])[1 + i % 3] end,
         case when i <= 200 and i % 29 = 0 then 14 else 0 end,
         case when i <= 200 and i % 29 = 0 then now() + make_interval(days => 1 + i % 14) end,
         case when i <= 200 and i % 31 = 0 then 'premium' when i % 7 = 0 then 'members' else 'everyone' end
    from generate_series(1, 520) i`
