// The state of Browse, stored in the URL: view, category, mood, search text and sort order.
import { sortDirections, trackOrders } from '#contract/tracks.ts'
import type { TrackSort } from '../catalogue/queries/track-queries.ts'

export const browseViews = ['all', 'releases', 'artists', 'liked', 'playlists'] as const
export type BrowseView = (typeof browseViews)[number]

export const viewLabels: Record<BrowseView, string> = {
  all: 'All Tracks',
  releases: 'Releases',
  liked: 'Liked',
  artists: 'Artists',
  playlists: 'Playlists',
}

export interface BrowseFilters {
  view: BrowseView
  /** A category's slug. */
  category: string | null
  mood?: string
  q: string
  sort: TrackSort
}

export function readFilters(address: URLSearchParams): BrowseFilters {
  const view = browseViews.find((known) => known === address.get('view')) ?? 'all'
  const mood = address.get('mood')
  const order = trackOrders.find((known) => known === address.get('order'))
  const direction = sortDirections.find((known) => known === address.get('direction'))
  return {
    view,
    category: address.get('category'),
    ...(mood && { mood }),
    q: address.get('q') ?? '',
    sort: order ? { order, direction: direction ?? 'asc' } : null,
  }
}

export function writeFilters({ view, category, mood, q, sort }: BrowseFilters): URLSearchParams {
  const address = new URLSearchParams()
  if (view !== 'all') address.set('view', view)
  if (category) address.set('category', category)
  if (mood) address.set('mood', mood)
  if (q) address.set('q', q)
  if (sort) {
    address.set('order', sort.order)
    address.set('direction', sort.direction)
  }
  return address
}

/** Selects a view. A view shows all items of its kind, so this clears category and mood, and keeps the search. */
export function chooseView(filters: BrowseFilters, view: BrowseView): BrowseFilters {
  return { ...withoutMood(filters), view, category: null }
}

export function withoutMood({ mood: _, ...filters }: BrowseFilters): BrowseFilters {
  return filters
}

/** Selects a category, or clears it if it is already selected. In both cases the view becomes all tracks. */
export function toggleCategory(filters: BrowseFilters, category: string): BrowseFilters {
  return { ...filters, view: 'all', category: filters.category === category ? null : category }
}
