// Sorting a list of tracks by its columns.
import type { SortDirection, TrackOrder } from '#contract/tracks.ts'
import type { TrackSort } from './track-queries.ts'

export interface SortedColumn {
  order: TrackOrder
  /** Direction of the first click. The second click reverses it; the third returns to the list's default order. */
  first: SortDirection
}

/** Sortable columns by heading. */
export const sortedColumns: Partial<Record<string, SortedColumn>> = {
  Title: { order: 'title', first: 'asc' },
  Artist: { order: 'artist', first: 'asc' },
  Added: { order: 'newest', first: 'desc' },
  Duration: { order: 'duration', first: 'asc' },
}

export function nextSort(sort: TrackSort, { order, first }: SortedColumn): TrackSort {
  if (sort?.order !== order) return { order, direction: first }
  if (sort.direction !== first) return null
  return { order, direction: first === 'asc' ? 'desc' : 'asc' }
}

/** Options of the sort menu. */
export const sortLabels: readonly { sort: NonNullable<TrackSort>; label: string }[] = [
  { sort: { order: 'newest', direction: 'desc' }, label: 'Newest first' },
  { sort: { order: 'newest', direction: 'asc' }, label: 'Oldest first' },
  { sort: { order: 'title', direction: 'asc' }, label: 'Title A–Z' },
  { sort: { order: 'title', direction: 'desc' }, label: 'Title Z–A' },
  { sort: { order: 'artist', direction: 'asc' }, label: 'Artist A–Z' },
  { sort: { order: 'artist', direction: 'desc' }, label: 'Artist Z–A' },
  { sort: { order: 'duration', direction: 'asc' }, label: 'Shortest first' },
  { sort: { order: 'duration', direction: 'desc' }, label: 'Longest first' },
]
