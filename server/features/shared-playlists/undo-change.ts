// Undoes a person's own last change of a playlist's tracks. The undo is applied as track changes, so later changes by
// others are kept.
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/shared-playlists.ts'
import type { TrackChange } from '#contract/fields/track-changes.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { claimPlaylist, refuseTooManyTracks } from '../playlists/playlist-access.ts'
import { loadReadablePlaylist } from '../playlists/playlist-operations.ts'
import { undoLastChange } from '../playlists/record-change.ts'
import { applyRequestedTracks, readEntries } from '../playlists/save-tracks.ts'
import { countVisibleTracks } from '../playlists/visible-tracks.ts'

export async function undoPlaylistChange(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.undoPlaylistChange>,
): Promise<Output<typeof contract.undoPlaylistChange>> {
  return transaction(ctx.db, async (trx) => {
    const playlist = await claimPlaylist(ctx, trx, params.id, 'change_tracks')
    const inverse = await undoLastChange(ctx, trx, playlist)
    if (!inverse) throw new AppError('undo_expired')
    const entries = await readEntries(trx, playlist)
    const adders = new Map(entries.map(({ track_id, added_by }) => [track_id, added_by]))
    const isPublished = await publishedAmong(trx, inverse.changes)
    const track_changes = inverse.changes.filter(({ action, track_id }) => {
      if (action === 'add') return isPublished.has(track_id)
      // Do not remove a track that someone else has added again in the meantime.
      return action === 'move' || (adders.get(track_id) ?? playlist.owner_id) === ctx.actor.user_id
    })
    const findAdder = (id: string) => inverse.added_by[id] ?? null
    const trackIds = await applyRequestedTracks(
      trx,
      playlist,
      entries,
      { track_changes },
      findAdder,
    )
    if (trackIds.some((id) => !adders.has(id))) {
      refuseTooManyTracks(ctx, playlist.owner_status, await countVisibleTracks(trx, playlist.id))
    }
    return loadReadablePlaylist(ctx, trx, playlist.id)
  })
}

/** Leaves out tracks that have been unpublished or deleted in the meantime. */
async function publishedAmong(
  trx: Transaction,
  changes: readonly TrackChange[],
): Promise<ReadonlySet<string>> {
  const ids = changes.map(({ track_id }) => track_id)
  const rows = await trx.query
    .selectFrom('tracks')
    .select('id')
    .where('id', 'in', ids)
    .where('is_published', '=', true)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
