// Sort orders for lists of tracks. The last sort key is always the id, so that the order is total and a cursor is
// unambiguous.
import { sql, type RawBuilder } from 'kysely'
import type { SortDirection, TrackOrder } from '#contract/tracks.ts'
import { matchRank } from '../../platform/db/search-pattern.ts'

export interface SortedBy {
  /** The sort keys, and the types that a cursor's values are cast to. The last key is unique. */
  keys: readonly (readonly [
    value: RawBuilder<unknown>,
    type: 'integer' | 'timestamptz' | 'text' | 'uuid',
  ])[]
  direction: SortDirection
  isByCreation?: boolean
}

const createdAt = [sql`t.created_at`, 'timestamptz'] as const
const trackId = [sql`t.id`, 'uuid'] as const

/** Each order has an index on published tracks, which is read forward or backward. */
const keysByOrder: Record<TrackOrder, SortedBy['keys']> = {
  newest: [createdAt, trackId],
  title: [[sql`lower(t.title)`, 'text'], trackId],
  artist: [[sql`lower(t.artist)`, 'text'], trackId],
  duration: [[sql`t.duration`, 'integer'], trackId],
}

export function getTrackOrder({
  order = 'newest',
  direction = order === 'newest' ? 'desc' : 'asc',
}: {
  order?: TrackOrder | undefined
  direction?: SortDirection | undefined
}): SortedBy {
  return { keys: keysByOrder[order], direction, isByCreation: order === 'newest' }
}

export const byMatch = (q: string): SortedBy => ({
  keys: [[matchRank('t.search_folded', q), 'integer'], createdAt, trackId],
  direction: 'desc',
})
