// Saves the tracks and order of a playlist in one statement.
import { sql } from 'kysely'
import { computeTrackChanges } from '#contract/fields/track-changes-between.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { toMembershipError } from './membership-error.ts'
import type { CuratedPlaylist } from './curated-playlist.ts'
import { planTrackChanges, type StoredEntry, type TrackChanges } from './plan-track-changes.ts'
import { refuseTooManyTracks, type ClaimedPlaylist } from './playlist-access.ts'
import { needsRecord, wasApplied, recordChange, type Inverse } from './record-change.ts'
import { countVisibleTracks } from './visible-tracks.ts'
import { resolveRequestedTracks, type RequestedTracks } from './requested-tracks.ts'

/** A stored entry. `added_by` is the member who added the track, or null for the owner. */
export interface OwnedEntry extends StoredEntry {
  added_by: string | null
}

/**
 * Replaces the playlist's tracks with the requested ones in their order. A playlist over the plan's limit may be
 * reordered and shortened, but not extended. Throws `track_already_in_playlist` for a duplicate track,
 * `track_not_found` for a new track that members cannot see, and the errors of `refuseTooManyTracks`.
 */
export async function saveTracks(
  ctx: MemberContext,
  trx: Transaction,
  playlist: ClaimedPlaylist,
  wanted: RequestedTracks & { operation_id?: string | undefined },
): Promise<void> {
  if (!wanted.track_ids && !wanted.track_changes) return
  if (await wasApplied(trx, playlist, wanted.operation_id)) return
  const entries = await readEntries(trx, playlist)
  const trackIds = await applyRequestedTracks(
    trx,
    playlist,
    entries,
    wanted,
    () => ctx.actor.user_id,
  )
  if (hasNew(entries, trackIds)) {
    refuseTooManyTracks(ctx, playlist.owner_status, await countVisibleTracks(trx, playlist.id))
  }
  if (!needsRecord(playlist, wanted.operation_id)) return
  await recordChange(ctx, trx, playlist, invertChanges(entries, trackIds), wanted.operation_id)
}

export async function readEntries(
  trx: Transaction,
  playlist: ClaimedPlaylist,
): Promise<OwnedEntry[]> {
  return trx.query
    .selectFrom('playlist_tracks as e')
    .innerJoin('tracks as t', 't.id', 'e.track_id')
    .select(['e.id', 'e.track_id', 'e.order_index', 'e.added_by', 't.is_published'])
    .where('e.playlist_id', '=', playlist.id)
    .orderBy('e.order_index')
    .execute()
}

/**
 * Saves the requested tracks. Returns the ids of the tracks that members see afterwards. `findAdder` returns the member
 * who adds a track.
 */
export async function applyRequestedTracks(
  trx: Transaction,
  playlist: ClaimedPlaylist,
  entries: readonly OwnedEntry[],
  wanted: RequestedTracks,
  findAdder: (trackId: string) => string | null,
): Promise<string[]> {
  const stored = entries.map(({ track_id }) => track_id)
  const hidden = entries.filter(({ is_published }) => !is_published)
  const trackIds =
    resolveRequestedTracks(stored, wanted, new Set(hidden.map(({ track_id }) => track_id))) ??
    stored
  const changes = planTrackChanges(entries, trackIds)
  await refuseHiddenTracks(trx, changes)
  await applyPlannedChanges(trx, playlist, changes, findAdder)
  return trackIds
}

function hasNew(entries: readonly OwnedEntry[], trackIds: readonly string[]): boolean {
  const stored = new Set(entries.map(({ track_id }) => track_id))
  return trackIds.some((id) => !stored.has(id))
}

function invertChanges(entries: readonly OwnedEntry[], trackIds: readonly string[]): Inverse {
  const seen = entries.filter(({ is_published }) => is_published)
  const changes = computeTrackChanges(
    trackIds,
    seen.map(({ track_id }) => track_id),
  )
  const removed = new Set(changes.map((change) => change.action === 'add' && change.track_id))
  const adders = entries.flatMap(({ track_id, added_by }) =>
    added_by !== null && removed.has(track_id) ? [[track_id, added_by] as const] : [],
  )
  return { changes, added_by: Object.fromEntries(adders) }
}

async function refuseHiddenTracks(trx: Transaction, { added }: TrackChanges): Promise<void> {
  const ids = added.map((entry) => entry.track_id)
  const { rows } = await sql<{ seen: number }>`
    select count(*) as seen from tracks where id = any(${ids}::uuid[]) and is_published`.execute(
    trx.query,
  )
  if (rows[0]?.seen !== ids.length) throw new AppError('track_not_found')
}

/** Applies a plan in a single statement, so that the triggers that check the order see only the final list. */
export async function applyPlannedChanges(
  trx: Transaction,
  own: ClaimedPlaylist | CuratedPlaylist,
  { removed, moved, added }: TrackChanges,
  findAdder: (trackId: string) => string | null = () => null,
): Promise<void> {
  const movedIds = moved.map((entry) => entry.id)
  const movedPlaces = moved.map((entry) => entry.order_index)
  const addedIds = added.map((entry) => entry.track_id)
  const addedPlaces = added.map((entry) => entry.order_index)
  const adders = addedIds.map(findAdder)
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
      insert into playlist_tracks (playlist_id, track_id, order_index, added_by)
      select ${own.id}, a.track_id, a.place, a.added_by
        from unnest(${addedIds}::uuid[], ${addedPlaces}::int[], ${adders}::uuid[]) as a (track_id, place, added_by)`.execute(
      trx.query,
    )
  } catch (error) {
    throw toMembershipError(error)
  }
}

/**
 * Locks the tracks that are removed or added. The triggers that count these tracks would also lock them, but only after
 * the first trigger has locked the playlist's summary. Publishing locks the tracks first, so that order could deadlock.
 */
async function lockTracks(trx: Transaction, removed: string[], addedIds: string[]): Promise<void> {
  await sql`
    select from tracks
     where id = any(array(select track_id from playlist_tracks where id = any(${removed}::uuid[]))
                    || ${addedIds}::uuid[])
     order by id for share`.execute(trx.query)
}
