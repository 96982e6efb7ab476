// Deletes a playlist's rows, and stores a copy of them for as long as the deletion can be undone.
import { sql } from 'kysely'
import type { Transaction } from '../../platform/db/database.ts'
import { restoreRows } from '../deletions/restore-rows.ts'
import { recordDeletion, claimDeletion } from '../deletions/pending-deletion.ts'
import { AppError } from '../../platform/operations/app-error.ts'

/** A deleted playlist's rows as returned by `to_jsonb`. */
interface DownloadedPlaylist {
  playlist: { created_by: string | null; is_curated: boolean }
  entries: object[]
  /**
   * Missing if the playlist was deleted before the upgrade that introduced members. Invitation links are not kept,
   * because the deletion revokes them.
   */
  members?: object[]
}

/**
 * Deletes a playlist. `ownerId` is null for a curated playlist. Throws `playlist_not_found` if the playlist belongs to
 * someone else.
 */
export async function deletePlaylistRows(
  trx: Transaction,
  id: string,
  ownerId: string | null,
): Promise<void> {
  const { rows } = await sql<{ playlist: DownloadedPlaylist['playlist']; cover_id: string | null }>`
    select to_jsonb(p) as playlist, p.cover_id from playlists p
     where p.id = ${id}
       and case when ${ownerId}::uuid is null then p.is_curated
                else not p.is_curated and p.created_by = ${ownerId}::uuid end
       for update`.execute(trx.query)
  const [found] = rows
  if (!found) throw new AppError('playlist_not_found')
  const entries = await sql<{ entry: object }>`
    select to_jsonb(e) as entry from playlist_tracks e
     where e.playlist_id = ${id} order by e.order_index`.execute(trx.query)
  const members = await sql<{ member: object }>`
    select to_jsonb(m) as member from playlist_members m where m.playlist_id = ${id}`.execute(
    trx.query,
  )
  const kept: DownloadedPlaylist = {
    playlist: found.playlist,
    entries: entries.rows.map(({ entry }) => entry),
    members: members.rows.map(({ member }) => member),
  }
  await recordDeletion(trx, {
    entity: 'playlist',
    entity_id: id,
    owner_id: ownerId,
    cover_id: found.cover_id,
    kept,
  })
  await trx.query.deleteFrom('playlists').where('id', '=', id).execute()
}

/** Restores a deleted playlist. Returns false if it was already restored. Throws `undo_expired`. */
export async function restorePlaylistRows(
  trx: Transaction,
  id: string,
  ownerId: string | null,
): Promise<boolean> {
  const present = await trx.query
    .selectFrom('playlists')
    .select('id')
    .where('id', '=', id)
    .where('is_curated', '=', ownerId === null)
    .$if(ownerId !== null, (query) => query.where('created_by', '=', ownerId))
    // The caller reads the playlist next, so prevent its deletion until this transaction commits.
    .forKeyShare()
    .executeTakeFirst()
  if (present) return false
  const deletion = { entity: 'playlist', entity_id: id, owner_id: ownerId } as const
  const { playlist, entries, members = [] } = await claimDeletion<DownloadedPlaylist>(trx, deletion)
  const maker = sql`(select f.id from profiles f where f.id = kept.created_by)`
  await restoreRows(trx, 'playlists', [playlist], {
    replaced: {
      // A curated playlist may outlive the account that created it.
      created_by: maker,
      // These columns are missing if the playlist was deleted before the upgrade that added them.
      early_access_days: sql`coalesce(kept.early_access_days, 0)`,
      audience: sql`coalesce(kept.audience, 'members')`,
    },
  })
  // Some of the playlist's tracks may have been permanently deleted since. Renumber the others without gaps.
  await restoreRows(trx, 'playlist_tracks', entries, {
    from: sql`kept join tracks t on t.id = kept.track_id`,
    replaced: { order_index: sql`row_number() over (order by kept.order_index) - 1` },
  })
  await restoreRows(trx, 'playlist_members', members, {
    from: sql`kept join profiles f on f.id = kept.user_id`,
  })
  return true
}
