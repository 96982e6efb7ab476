// Decides what to do after an upload error, and how long to wait before the next attempt.
import { ApiError } from '../../../base/api/api.ts'

/**
 * `wait`: try again later. `restart`: this upload is no longer valid, so request a new one. `sent`: the server already
 * has all bytes. `stop`: the session has ended. `fail`: trying again would not help.
 */
export type Advice = 'wait' | 'restart' | 'sent' | 'stop' | 'fail'

export type Step = 'signing' | 'sending' | 'creating'

/** Maximum number of attempts when the server returns errors. After network failures there is no limit. */
export const maxServerFailures = 8
const maxDelayMs = 30_000

const invalidUploadCodes: readonly string[] = [
  'upload_expired',
  'upload_token_invalid',
  'upload_not_found',
  'upload_transport',
  'upload_damaged',
]

export function getRetryAdvice(error: unknown, step: Step): Advice {
  if (!(error instanceof ApiError)) return 'fail'
  const { status, code } = error
  // Trying again doesn't help until the owner frees disk space.
  if (code === 'storage_full') return 'fail'
  // Status 423: another window sends this part, or the server hasn't noticed yet that the connection was lost.
  if (status === 0 || status === 423 || status === 429 || status >= 500) return 'wait'
  if (status === 401) return 'stop'
  if (step === 'sending') {
    if (code === 'upload_used') return 'sent'
    // The next attempt asks first which parts are stored, and sends the missing ones.
    if (code === 'upload_incomplete') return 'wait'
    if (invalidUploadCodes.includes(code)) return 'restart'
  }
  if (step === 'creating' && ['upload_incomplete', 'upload_not_found'].includes(code))
    return 'restart'
  return 'fail'
}

/**
 * Exponential backoff from one second up, with jitter, so that concurrent uploads don't all retry at the same moment.
 */
export function retryDelayMs(error: unknown, tries: number, random = Math.random()): number {
  const retryAfterMs = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
  const growing = Math.min(maxDelayMs, 1000 * 2 ** Math.min(tries, 10))
  return Math.max(retryAfterMs, growing * (0.75 + random / 2))
}

/** Waits for `ms`, or until the network is back if that is earlier. Throws AbortError when aborted. */
export function sleepUntilOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = new AbortController()
    const timer = setTimeout(() => finish(resolve), ms)
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      done.abort()
      settle()
    }
    addEventListener('online', () => finish(resolve), { signal: done.signal })
    signal.addEventListener(
      'abort',
      () => finish(() => reject(new DOMException('Given up', 'AbortError'))),
      { signal: done.signal },
    )
  })
}
