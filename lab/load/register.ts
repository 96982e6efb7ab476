// A value that one writer writes sequentially. The last acknowledged value must be found, or the value of a later write
// that got no response.

export interface Register<T> {
  /** Returns the last known value. */
  current: () => T
  /** Returns true after a write with an unknown outcome. */
  isUnsure: () => boolean
  /** Sends a write and records its outcome. */
  write: (next: T, send: () => Promise<Outcome>) => Promise<Outcome>
  /**
   * Checks a value that was read. If it is possible, stores it as the known value and returns null. Otherwise returns
   * the problem.
   */
  compare: (found: T) => string | null
  /** Number of acknowledged writes, and of writes with an unknown outcome. */
  counts: () => { acknowledged: number; unknown: number }
}

/** `unknown`: no response, or one that doesn't show whether the write was executed. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown'

export function createRegister<T>(name: string, initial: T): Register<T> {
  let known = initial
  let unsure: T[] = []
  const counts = { acknowledged: 0, unknown: 0 }
  return {
    current: () => known,
    isUnsure: () => unsure.length > 0,
    async write(next, send) {
      unsure.push(next)
      const outcome = await send()
      if (outcome === 'acknowledged') {
        known = next
        unsure = []
        counts.acknowledged++
      } else if (outcome === 'refused') unsure.pop()
      else counts.unknown++
      return outcome
    },
    compare(found) {
      const text = JSON.stringify(found)
      const match = [known, ...unsure].find((value) => JSON.stringify(value) === text)
      if (match === undefined) {
        const allowed = [known, ...unsure].map((value) => JSON.stringify(value)).join(' or ')
        return `${name} is ${text}, but should be ${allowed}`
      }
      known = match
      unsure = []
      return null
    },
    counts: () => ({ ...counts }),
  }
}
