// Falls back to downloaded data when a request gets no response. Invariant: data on screen is never replaced by
// downloaded data, which has less detail.
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { ApiError } from '../api/api.ts'

/** Timeout before the fallback, if there is one. */
const patienceMs = 5000

interface QueryContext {
  client: QueryClient
  queryKey: QueryKey
  signal: AbortSignal
}

/** A query function that asks the server, and falls back to this device without a response. */
export function orKept<Answer>(
  ask: (context: QueryContext) => Promise<Answer>,
  readKept: () => Promise<Answer | undefined>,
): (context: QueryContext) => Promise<Answer> {
  return (context) =>
    context.client.getQueryData(context.queryKey) === undefined
      ? keptWhenSilent(() => ask(context), readKept)
      : ask(context)
}

export async function keptWhenSilent<Answer>(
  ask: () => Promise<Answer>,
  readKept: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const asking = ask()
  // A failure after the timeout is ignored.
  asking.catch(() => {})
  const tooLate = new Promise<'too late'>((resolve) => setTimeout(resolve, patienceMs, 'too late'))
  try {
    const first = await Promise.race([asking, tooLate])
    if (first !== 'too late') return first
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'network')) throw error
  }
  return (await readKept()) ?? asking
}

/** For what only this device has. Throws an ApiError when it is not there any more. */
export async function onlyKept<Answer>(
  readKept: () => Promise<Answer | undefined>,
): Promise<Answer> {
  const kept = await readKept()
  if (kept !== undefined) return kept
  throw new ApiError('playlist_not_found', 404, 'Playlist not found')
}
