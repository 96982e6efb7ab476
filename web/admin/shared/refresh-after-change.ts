// Refetches lists of the back office after a change.
import type { QueryClient } from '@tanstack/react-query'

/** The second element of query keys that start with 'admin'. */
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

/**
 * Refetches the given lists of the back office. Lists of the member area become stale and are refetched when visited.
 */
export async function refreshAfterChange(
  queryClient: QueryClient,
  lists: readonly AdminList[],
): Promise<void> {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => !['admin', 'session', 'site'].includes(String(queryKey[0])),
    refetchType: 'none',
  })
  // The overview depends on most lists. Mark it as stale without refetching it now.
  void queryClient.invalidateQueries({ queryKey: ['admin', 'overview'], refetchType: 'none' })
  await Promise.all(
    [...lists, 'audit'].map((list) => queryClient.invalidateQueries({ queryKey: ['admin', list] })),
  )
}
