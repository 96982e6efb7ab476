// Falls back to downloaded data when a request gets no response. Invariant: data on screen is never replaced by
// downloaded data, which has less detail.
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { ApiError } from '../api/api.ts'

/** How long to wait for the server before using downloaded data, if there is any. */
const timeoutMs = 5000

interface QueryContext {
  client: QueryClient
  queryKey: QueryKey
  signal: AbortSignal
}

/** Returns a query function that fetches from the server, and falls back to downloaded data if there is no response. */
export function withDownloadFallback<Data>(
  fetchData: (context: QueryContext) => Promise<Data>,
  readDownload: () => Promise<Data | undefined>,
): (context: QueryContext) => Promise<Data> {
  return (context) =>
    context.client.getQueryData(context.queryKey) === undefined
      ? withDownloadFallbackAfterTimeout(() => fetchData(context), readDownload)
      : fetchData(context)
}

export async function withDownloadFallbackAfterTimeout<Data>(
  fetchData: () => Promise<Data>,
  readDownload: () => Promise<Data | undefined>,
): Promise<Data> {
  const pending = fetchData()
  // Avoid an unhandled rejection if the request fails after the timeout.
  pending.catch(() => {})
  const timedOut = new Promise<'too late'>((resolve) => setTimeout(resolve, timeoutMs, 'too late'))
  try {
    const first = await Promise.race([pending, timedOut])
    if (first !== 'too late') return first
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'network')) throw error
  }
  return (await readDownload()) ?? pending
}

/** Reads data that exists only on this device. Throws an ApiError when the data no longer exists. */
export async function fromDownloads<Data>(
  readDownload: () => Promise<Data | undefined>,
): Promise<Data> {
  const kept = await readDownload()
  if (kept !== undefined) return kept
  throw new ApiError('playlist_not_found', 404, 'Playlist not found')
}
