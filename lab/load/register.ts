// A value that one writer changes again and again, and which values the service may have for it: the last acknowledged
// one, or one of a later write that got no response.

export interface Register<T> {
  /** Returns the last value that is known to be stored. */
  current: () => T
  /** Returns true if a write since then had an unknown outcome. */
  isUnsure: () => boolean
  /** Sends a write of the value `next` and records its outcome. */
  write: (next: T, send: () => Promise<Outcome>) => Promise<Outcome>
  /**
   * Checks a value that was read from the service. If it is possible, records it as the known value and returns null.
   * Otherwise returns the problem as a message.
   */
  compare: (found: T) => string | null
  /** Number of acknowledged writes, and of writes with an unknown outcome. */
  counts: () => { acknowledged: number; unknown: number }
}

/** `unknown`: there was no response, or one that doesn't tell whether the write was executed. */
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
