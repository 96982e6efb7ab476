// The only SELECT that returns playlists in the API's response format. Callers choose the rows. Count, duration and
// covers come from a summary that triggers maintain: reading the tracks for a page of forty playlists with a hundred
// tracks each took 80 % of the request time (decision 65).
import { sql, type RawBuilder, type Selectable, type SelectQueryBuilder } from 'kysely'
import type { SmartRules } from '#contract/fields/smart-rules.ts'
import { isForEveryone, selectPremiumMarks } from '../availability/availability.ts'
import type { Handle } from '../../platform/db/database.ts'
import { formatTimestamp } from '../../platform/db/json-rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { coverUrl } from '../tracks/track-query.ts'

type ChosenPlaylists = SelectQueryBuilder<Tables, 'playlists', Selectable<Tables['playlists']>>

/**
 * A condition: whether the playlist with this alias has a public page. `is_public` is not sufficient, because in
 * earlier versions it meant visible to members. A smart playlist has no page, because its rules use the reader's plays
 * and likes.
 */
export function isPlaylistForEveryone(alias: string): RawBuilder<boolean> {
  const p = sql.raw(alias)
  return sql<boolean>`(${p}.rules is null and case when ${p}.is_curated then ${isForEveryone(alias, { isPublished: 'is_visible' })}
    else ${isForEveryone(alias, { isPublished: 'is_public' })} end)`
}

/** Starts a query for playlists, newest first. Unpublished tracks are neither counted nor included. */
export function selectPlaylists(handle: Handle, actorUserId: string, chosen: ChosenPlaylists) {
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
      formatTimestamp('p.created_at').as('created_at'),
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
      ownRole(actorUserId).as('role'),
      sharedWith(actorUserId).as('shared_with'),
      ownerName(actorUserId).as('owner_name'),
      sql<boolean>`p.rules is not null`.as('is_smart'),
      sql<SmartRules | null>`case when p.created_by = ${actorUserId}::uuid then p.rules end`.as(
        'rules',
      ),
      ...selectPremiumMarks('p'),
    ])
    .orderBy('p.created_at', 'desc')
    .orderBy('p.id', 'desc')
}

const memberRole = (userId: string) => sql<'editor' | 'viewer' | null>`(
  select m.role from playlist_members m where m.playlist_id = p.id and m.user_id = ${userId}::uuid)`

function ownRole(userId: string) {
  return sql<'owner' | 'editor' | 'viewer' | null>`case
    when p.is_curated then null
    when p.created_by = ${userId}::uuid then 'owner'
    else ${memberRole(userId)} end`
}

function sharedWith(userId: string) {
  return sql<number>`case when ${ownRole(userId)} is null then 0 else (
    select count(*) from playlist_members m where m.playlist_id = p.id) end`
}

function ownerName(userId: string) {
  return sql<
    string | null
  >`case when p.created_by <> ${userId}::uuid and ${memberRole(userId)} is not null then (
    select f.display_name from profiles f where f.id = p.created_by) end`
}
