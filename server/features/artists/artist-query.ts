// The SELECTs for artists, for members and for admins.
import { sql } from 'kysely'
import type { AdminArtist } from '#contract/admin/admin-artists.ts'
import { isForEveryone } from '../availability/availability.ts'
import type { Handle } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { coverUrl } from '../tracks/track-query.ts'

export function selectArtistColumns(db: Handle) {
  return db.query
    .selectFrom('artists as a')
    .leftJoin('images as cover', 'cover.id', 'a.picture_id')
    .select([
      'a.id',
      'a.name',
      'a.slug',
      coverUrl('a.picture_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
    ])
}

/** Whether the artist `a` has a published track, so that members can see the artist. */
export const hasPublishedTrack = sql<boolean>`exists (
  select from track_credits c join tracks t on t.id = c.track_id where c.artist_id = a.id and t.is_published)`

/**
 * Whether the artist `a` has a public page: at least one of the artist's tracks or releases has one, and no admin has
 * disabled the artist's page.
 */
export const isArtistForEveryone = sql<boolean>`(a.has_page and (
  exists (select from track_credits c join tracks t on t.id = c.track_id
           where c.artist_id = a.id and ${isForEveryone('t')})
  or exists (select from release_credits c join releases r on r.id = c.release_id
              where c.artist_id = a.id and ${isForEveryone('r')} and exists (
                select from release_tracks e join tracks t on t.id = e.track_id
                 where e.release_id = r.id and t.is_published))))`

/** The URL of the public page of the artist `a` or, if there is none, of the artist in the app. */
export const artistShareUrl = sql<string>`
  case when ${isArtistForEveryone} then '/a/' else '/artists/' end || a.slug`

/** Starts a query over `artists as a` that selects the contract's `artist`. */
export function selectArtists(db: Handle) {
  return selectArtistColumns(db).select([
    artistShareUrl.as('share_url'),
    sql<number>`(select count(distinct t.id) from track_credits c join tracks t on t.id = c.track_id
                  where c.artist_id = a.id and t.is_published)`.as('track_count'),
  ])
}

/** Number of tracks of the artist `a`, including drafts. */
export const trackCount = sql<number>`(
  select count(distinct t.id) from track_credits c join tracks t on t.id = c.track_id
   where c.artist_id = a.id and t.deleted_at is null)`

export function selectAdminArtists(db: Handle) {
  return selectArtistColumns(db).select([
    'a.sort_name',
    'a.biography',
    'a.links',
    'a.has_page',
    sql<
      string[]
    >`array(select n.name from artist_aliases n where n.artist_id = a.id order by n.name)`.as(
      'aliases',
    ),
    trackCount.as('track_count'),
    'a.created_at',
    'a.version',
  ])
}

/** Reads an artist with the fields for admins. Throws `artist_not_found`. */
export async function findAdminArtist(db: Handle, id: string): Promise<AdminArtist> {
  const artist = await selectAdminArtists(db).where('a.id', '=', id).executeTakeFirst()
  if (!artist) throw new AppError('artist_not_found')
  return artist
}
