// The only SELECT for playlists in their response shape. Callers choose the rows; track count, duration and covers are
// computed for those only, never for rows beyond a limit.
import { sql, type Selectable, type SelectQueryBuilder } from 'kysely'
import type { Handle } from '../../platform/db/database.ts'
import { wireTime } from '../../platform/db/json-rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { coverUrl } from '../tracks/track-query.ts'

type ChosenPlaylists = SelectQueryBuilder<Tables, 'playlists', Selectable<Tables['playlists']>>

/** Newest first. Unpublished tracks are neither counted nor shown. */
export function playlistQuery(handle: Handle, actorUserId: string, chosen: ChosenPlaylists) {
  return handle.query
    .selectFrom(chosen.as('p'))
    .leftJoin('images as cover', 'cover.id', 'p.cover_id')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('playlist_tracks as e')
          .innerJoin('tracks as t', 't.id', 'e.track_id')
          .whereRef('e.playlist_id', '=', 'p.id')
          .where('t.is_published', '=', true)
          .select([
            sql<number>`count(*)`.as('track_count'),
            sql<number>`coalesce(sum(t.duration), 0)`.as('duration'),
          ])
          .as('stats'),
      (join) => join.onTrue(),
    )
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
      'stats.track_count',
      'stats.duration',
      sql<string[]>`array(
        select ${coverUrl('f.cover_id')} from (
          select t.cover_id, e.order_index
            from playlist_tracks e join tracks t on t.id = e.track_id
           where e.playlist_id = p.id and t.is_published
           order by e.order_index limit 4
        ) f where f.cover_id is not null order by f.order_index)`.as('mosaic'),
      sql<boolean>`p.created_by is not distinct from ${actorUserId} and not p.is_curated`.as(
        'is_own',
      ),
    ])
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
}
