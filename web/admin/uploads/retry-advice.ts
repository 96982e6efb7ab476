// What to do about a failure on the way of a file, and how long to wait before the next try.
import { ApiError } from '../../app/api.ts'

/**
 * `wait`: the same again, later. `afresh`: the permission is used up, ask for a new one. `sent`: the bytes are there
 * already. `stop`: nobody is signed in. `fail`: it will never work.
 */
export type Advice = 'wait' | 'afresh' | 'sent' | 'stop' | 'fail'

export type Step = 'signing' | 'sending' | 'creating'

/** A server that answers with failures is given up on after so many tries; a lost network never. */
export const maxServerFailures = 8
const longestWaitMs = 30_000

const permissionGone: readonly string[] = [
  'upload_expired',
  'upload_token_invalid',
  'upload_not_found',
  'upload_transport',
  'upload_damaged',
  'internal',
]

export function adviseOn(error: unknown, step: Step): Advice {
  if (!(error instanceof ApiError)) return 'fail'
  const { status, code } = error
  // The owner has to make room first.
  if (code === 'storage_full') return 'fail'
  // Locked: by another window, or by a line that broke and has not been noticed yet.
  if (status === 0 || status === 423 || status === 429 || status >= 500) return 'wait'
  if (status === 401) return 'stop'
  if (step === 'sending') {
    if (code === 'upload_used') return 'sent'
    // What is there is asked anew each time.
    if (code === 'upload_offset' || code === 'upload_incomplete') return 'wait'
    // Whatever the question about its length is refused with, the permission is not good any more.
    if (permissionGone.includes(code)) return 'afresh'
  }
  if (step === 'creating' && ['upload_incomplete', 'upload_not_found'].includes(code))
    return 'afresh'
  return 'fail'
}

/** Doubling from one second on, with some spread so that three files do not knock together. */
export function waitBeforeTryMs(error: unknown, tries: number, random = Math.random()): number {
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0
  const growing = Math.min(longestWaitMs, 1000 * 2 ** Math.min(tries, 10))
  return Math.max(asked, growing * (0.75 + random / 2))
}

/** Sleeps, until the network is back at the latest. Throws AbortError when given up. */
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
