// One thing that is written again and again, by one writer, one write after the other. What was acknowledged last is
// what must be found; of writes without an answer since then any may have happened, or none.

export interface Register<T> {
  /** The value that the writer goes on from. */
  current: () => T
  /** True after a write whose outcome nobody told. */
  isUnsure: () => boolean
  /** Sends a write; gives whether it was acknowledged. */
  write: (next: T, send: () => Promise<Outcome>) => Promise<Outcome>
  /** What was read: null when it may be, else why it may not. A value that may be ends the uncertainty. */
  compare: (found: T) => string | null
  /** Writes that were acknowledged, and those of which nobody knows. */
  counts: () => { acknowledged: number; unknown: number }
}

/** `unknown`: no answer, or one that does not say whether it happened. */
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
        return `${name} is ${text}, and was told to be ${allowed}`
      }
      known = match
      unsure = []
      return null
    },
    counts: () => ({ ...counts }),
  }
}
