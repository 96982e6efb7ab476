// Tracks and order of a whole playlist, saved in one statement.
import { sql } from 'kysely'
import { trackLimitFor } from '../billing/entitlements.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { membershipError } from './membership-error.ts'
import type { CuratedPlaylist } from './curated-playlist.ts'
import type { OwnPlaylist } from './own-playlist.ts'
import { planTrackChanges, type TrackChanges } from './plan-track-changes.ts'
import { countVisibleTracks } from './visible-tracks.ts'
import { wantedTracks, type WantedTracks } from './wanted-tracks.ts'

/**
 * Replaces the playlist's tracks with the wanted ones in their order. A playlist over the plan's limit may be reordered
 * and shortened, but not extended. Throws `track_already_in_playlist` for a track named twice, `track_not_found` for a
 * new one that members cannot see, and `track_limit_reached`.
 */
export async function saveTracks(
  ctx: MemberContext,
  trx: Transaction,
  own: OwnPlaylist,
  wanted: WantedTracks,
): Promise<void> {
  if (!wanted.track_ids && !wanted.track_changes) return
  const entries = await trx.query
    .selectFrom('playlist_tracks as e')
    .innerJoin('tracks as t', 't.id', 'e.track_id')
    .select(['e.id', 'e.track_id', 'e.order_index', 't.is_published'])
    .where('e.playlist_id', '=', own.id)
    .orderBy('e.order_index')
    .execute()
  const trackIds = wantedTracks(
    entries.map(({ track_id }) => track_id),
    wanted,
    new Set(entries.filter(({ is_published }) => !is_published).map(({ track_id }) => track_id)),
  )
  if (!trackIds) return
  const changes = planTrackChanges(entries, trackIds)
  await refuseUnseen(trx, changes)
  await applyPlannedChanges(trx, own, changes)
  const limit = trackLimitFor(ctx.actor)
  if (changes.added.length > 0 && (await countVisibleTracks(trx, own.id)) > limit) {
    throw new AppError('track_limit_reached')
  }
}

async function refuseUnseen(trx: Transaction, { added }: TrackChanges): Promise<void> {
  const ids = added.map((entry) => entry.track_id)
  const { rows } = await sql<{ seen: number }>`
    select count(*) as seen from tracks where id = any(${ids}::uuid[]) and is_published`.execute(
    trx.query,
  )
  if (rows[0]?.seen !== ids.length) throw new AppError('track_not_found')
}

/** One statement, so that the order triggers see only the final list. */
export async function applyPlannedChanges(
  trx: Transaction,
  own: OwnPlaylist | CuratedPlaylist,
  { removed, moved, added }: TrackChanges,
): Promise<void> {
  const movedIds = moved.map((entry) => entry.id)
  const movedPlaces = moved.map((entry) => entry.order_index)
  const addedIds = added.map((entry) => entry.track_id)
  const addedPlaces = added.map((entry) => entry.order_index)
  await lockTracks(trx, removed, addedIds)
  try {
    await sql`
      with removed as (
        delete from playlist_tracks where id = any(${removed}::uuid[])
      ), moved as (
        update playlist_tracks e set order_index = m.place
          from unnest(${movedIds}::uuid[], ${movedPlaces}::int[]) as m (id, place)
         where e.id = m.id
      )
      insert into playlist_tracks (playlist_id, track_id, order_index)
      select ${own.id}, a.track_id, a.place
        from unnest(${addedIds}::uuid[], ${addedPlaces}::int[]) as a (track_id, place)`.execute(
      trx.query,
    )
  } catch (error) {
    throw membershipError(error)
  }
}

/**
 * The triggers that count these tracks lock them, too, but only after the first of them has locked the playlist's
 * counts. Publishing locks the tracks first.
 */
async function lockTracks(trx: Transaction, removed: string[], addedIds: string[]): Promise<void> {
  await sql`
    select from tracks
     where id = any(array(select track_id from playlist_tracks where id = any(${removed}::uuid[]))
                    || ${addedIds}::uuid[])
     order by id for share`.execute(trx.query)
}
