// Aborts a request that makes no progress, for example after a router was restarted. Browsers notice a dead connection
// only after many minutes.
import { ApiError } from '../../../base/api/api.ts'

const stallTimeoutMs = 60_000

/**
 * Runs `work`. If a minute passes without a result or a call of `onProgress`, aborts the signal given to `work` and
 * throws an ApiError with status 0, like for any lost connection.
 */
export async function abortWhenStalled<Result>(
  signal: AbortSignal,
  work: (signal: AbortSignal, onProgress: () => void) => Promise<Result>,
): Promise<Result> {
  const stalled = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stalled.abort(), stallTimeoutMs)
  }
  restart()
  try {
    return await work(AbortSignal.any([signal, stalled.signal]), restart)
  } catch (error) {
    if (!stalled.signal.aborted || signal.aborted) throw error
    throw new ApiError('network', 0, 'The server has not responded for a minute.')
  } finally {
    clearTimeout(timer)
  }
}
