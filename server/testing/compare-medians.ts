// Tests whether two series of measurements come from the same source, without assumptions about the distribution of
// noise.

export interface Difference {
  /** Difference of the medians, in the unit of the series. */
  medians: number
  /** How often a random reassignment of the same values differs as much. */
  probability: number
}

const shuffles = 2000

/** A permutation test on the difference of medians. */
export function compareMedians(one: readonly number[], other: readonly number[]): Difference {
  const medians = median(one) - median(other)
  const all = [...one, ...other]
  let asFar = 0
  for (let round = 0; round < shuffles; round++) {
    shuffle(all)
    const chance = median(all.slice(0, one.length)) - median(all.slice(one.length))
    if (Math.abs(chance) >= Math.abs(medians)) asFar++
  }
  return { medians, probability: asFar / shuffles }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

/** Fisher–Yates, in place. */
export function shuffle<T>(values: T[]): T[] {
  for (let last = values.length - 1; last > 0; last--) {
    const chosen = Math.floor(Math.random() * (last + 1))
    const [a, b] = [values[last]!, values[chosen]!]
    values[last] = b
    values[chosen] = a
  }
  return values
}
