// Loads the download manager and the service worker once a user is signed in or this device has downloads. Visitors
// of the landing page load neither.
import type { QueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../../base/session/session.ts'
import { hasDownloadMark } from '../../base/offline-store/download-mark.ts'

export function startDownloadManager(queryClient: QueryClient): void {
  const start = async () => {
    const { manageDownloads } = await import('./manage-downloads.ts')
    await manageDownloads(queryClient)
  }
  const isNeeded = () =>
    Boolean(queryClient.getQueryData(sessionQuery.queryKey)) || hasDownloadMark()
  if (isNeeded()) return void start()
  const unsubscribe = queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== sessionQuery.queryKey[0] || !isNeeded()) return
    unsubscribe()
    void start()
  })
}
