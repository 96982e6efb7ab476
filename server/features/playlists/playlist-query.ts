// The only SELECT for playlists in their response shape. Callers choose the rows. Triggers maintain what it shows of the
// tracks: reading a hundred tracks of each of forty playlists took four fifths of the request (decision 65).
import { sql, type RawBuilder, type Selectable, type SelectQueryBuilder } from 'kysely'
import { isForEveryone, premiumMarksIn } from '../availability/availability.ts'
import type { Handle } from '../../platform/db/database.ts'
import { wireTime } from '../../platform/db/json-rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { coverUrl } from '../tracks/track-query.ts'

type ChosenPlaylists = SelectQueryBuilder<Tables, 'playlists', Selectable<Tables['playlists']>>

/** Whether the playlist with this alias has a public page. Before, `is_public` meant members, so it is not enough. */
export function isPlaylistForEveryone(alias: string): RawBuilder<boolean> {
  const p = sql.raw(alias)
  return sql<boolean>`(case when ${p}.is_curated then ${isForEveryone(alias, { isPublished: 'is_visible' })}
    else ${isForEveryone(alias, { isPublished: 'is_public' })} end)`
}

/** Newest first. Unpublished tracks are neither counted nor shown. */
export function playlistQuery(handle: Handle, actorUserId: string, chosen: ChosenPlaylists) {
  return handle.query
    .selectFrom(chosen.as('p'))
    .leftJoin('images as cover', 'cover.id', 'p.cover_id')
    .innerJoin('playlist_summaries as summary', 'summary.playlist_id', 'p.id')
    .select([
      'p.id',
      'p.title',
      'p.description',
      coverUrl('p.cover_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
      'p.is_public',
      'p.is_curated',
      'p.created_by',
      wireTime('p.created_at').as('created_at'),
      'summary.track_count',
      'summary.duration',
      sql<string[]>`array(
        select ${coverUrl('f.cover_id')}
          from unnest(summary.cover_ids) with ordinality as f (cover_id, place)
         order by f.place)`.as('mosaic'),
      sql<boolean>`p.created_by is not distinct from ${actorUserId} and not p.is_curated`.as(
        'is_own',
      ),
      sql<string>`case when ${isPlaylistForEveryone('p')} then '/p/' || (
        select s.slug from page_slugs s where s.item_id = p.id and s.kind = 'playlist' and s.is_current)
        else '/my-playlists/' || p.id end`.as('share_url'),
      ...premiumMarksIn('p'),
    ])
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
}
