// Ends a request whose connection was lost without notice, as behind a router that restarts: the browser alone would
// wait for it for many minutes.
import { ApiError } from '../../app/api.ts'

const silenceMs = 60_000

/**
 * Runs `work`. Without a result or a call of `onProgress` for a minute its signal is aborted, and an ApiError with status
 * 0 is thrown, as for any other lost connection.
 */
export async function unlessSilent<Result>(
  signal: AbortSignal,
  work: (signal: AbortSignal, onProgress: () => void) => Promise<Result>,
): Promise<Result> {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMs)
  }
  restart()
  try {
    return await work(AbortSignal.any([signal, silence.signal]), restart)
  } catch (error) {
    if (!silence.signal.aborted || signal.aborted) throw error
    throw new ApiError('network', 0, 'The server has not answered for a minute.')
  } finally {
    clearTimeout(timer)
  }
}
