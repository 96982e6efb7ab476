// Tests whether two series of measurements have the same distribution, without assumptions about the noise.

export interface Difference {
  /** Difference of the two medians, in the unit of the measurements. */
  medians: number
  /** How often random reassignments of the values to the two series differ at least as much. */
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

/** Shuffles in place (Fisher–Yates). */
export function shuffle<T>(values: T[]): T[] {
  for (let last = values.length - 1; last > 0; last--) {
    const chosen = Math.floor(Math.random() * (last + 1))
    const [a, b] = [values[last]!, values[chosen]!]
    values[last] = b
    values[chosen] = a
  }
  return values
}
