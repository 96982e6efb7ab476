// Whether two series of measurements come from the same source, without assuming how the noise of the machine is spread.

export interface Difference {
  /** Of the medians, in the unit of the series. */
  medians: number
  /** How often chance alone, dealing out the same values anew, parts them as far. */
  probability: number
}

const deals = 2000

/** A permutation test on the difference of medians. */
export function tellApart(one: readonly number[], other: readonly number[]): Difference {
  const medians = median(one) - median(other)
  const all = [...one, ...other]
  let asFar = 0
  for (let deal = 0; deal < deals; deal++) {
    shuffle(all)
    const chance = median(all.slice(0, one.length)) - median(all.slice(one.length))
    if (Math.abs(chance) >= Math.abs(medians)) asFar++
  }
  return { medians, probability: asFar / deals }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

/** Fisher and Yates, in place. */
export function shuffle<T>(values: T[]): T[] {
  for (let last = values.length - 1; last > 0; last--) {
    const chosen = Math.floor(Math.random() * (last + 1))
    const [a, b] = [values[last]!, values[chosen]!]
    values[last] = b
    values[chosen] = a
  }
  return values
}
