// Which lists of the back office are refetched after a change.
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

/** Lists that members see may be stale, too: they are refetched on the next visit. */
export async function refreshAfterChange(
  queryClient: QueryClient,
  lists: readonly AdminList[],
): Promise<void> {
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => !['admin', 'session', 'site'].includes(String(queryKey[0])),
    refetchType: 'none',
  })
  // Its checklist and figures depend on most of the lists.
  void queryClient.invalidateQueries({ queryKey: ['admin', 'overview'], refetchType: 'none' })
  await Promise.all(
    [...lists, 'audit'].map((list) => queryClient.invalidateQueries({ queryKey: ['admin', list] })),
  )
}
