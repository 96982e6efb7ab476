// Decides which playlists admins may edit: the curated ones. No other file makes this decision.
import { sql } from 'kysely'
import type { Transaction } from '../../platform/db/database.ts'
import type { AvailabilityColumns } from '../availability/change-availability.ts'
import { AppError } from '../../platform/operations/app-error.ts'

declare const checked: unique symbol

/** A curated playlist whose row is locked until the transaction ends. */
export interface CuratedPlaylist extends AvailabilityColumns {
  readonly id: string
  readonly cover_id: string | null
  readonly is_visible: boolean
  readonly version: number
  readonly changed_by: string | null
  readonly changed_at: string | null
  readonly [checked]: 'curated'
}

/** Locks a curated playlist. Admins cannot edit members' own playlists. Throws `playlist_not_found`. */
export async function claimCuratedPlaylist(trx: Transaction, id: string): Promise<CuratedPlaylist> {
  const claimed = await trx.query
    .updateTable('playlists')
    .set({ updated_at: sql`now()` })
    .where('id', '=', id)
    .where('is_curated', '=', true)
    .returning([
      'id',
      'cover_id',
      'is_visible',
      'release_at',
      'release_zone',
      'early_access_days',
      'early_access_until',
      'audience',
      'version',
      'changed_by',
      'changed_at',
    ])
    .executeTakeFirst()
  if (!claimed) throw new AppError('playlist_not_found')
  return claimed as CuratedPlaylist
}
