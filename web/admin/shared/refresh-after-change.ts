// Lists of the back office to refetch after a change.
import type { QueryClient } from '@tanstack/react-query'

/** Second part of the query keys `['admin', …]`. */
export type AdminList =
  | 'tracks'
  | 'categories'
  | 'genres'
  | 'artists'
  | 'playlists'
  | 'releases'
  | 'reviews'
  | 'owners'
  | 'royalties'
  | 'imports'
  | 'users'
  | 'billing'
  | 'insights'
  | 'settings'
  | 'announcements'
  | 'features'
  | 'mail'
  | 'spots'
  | 'support'
  | 'webhooks'
  | 'audit'
  | 'system'

/** Refetches the given lists. Marks lists in the member area as stale, so they are refetched on the next visit. */
export async function refreshAfterChange(
  queryClient: QueryClient,
  lists: readonly AdminList[],
): Promise<void> {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => !['admin', 'session', 'site'].includes(String(queryKey[0])),
    refetchType: 'none',
  })
  // The overview's checklist and statistics depend on most of these lists.
  void queryClient.invalidateQueries({ queryKey: ['admin', 'overview'], refetchType: 'none' })
  await Promise.all(
    [...lists, 'audit'].map((list) => queryClient.invalidateQueries({ queryKey: ['admin', list] })),
  )
}
