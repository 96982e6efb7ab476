// Random numbers that can be reproduced: the seed is printed, and can be set with FAULT_SEED.
import { randomInt } from 'node:crypto'

export interface SeededRandom {
  readonly seed: number
  /** Returns a number from 0 up to but not including `limit`. */
  below: (limit: number) => number
  pick: <T>(from: readonly T[]) => T
  shuffle: <T>(of: readonly T[]) => T[]
}

const twoTo32 = 2 ** 32

export function createSeededRandom(): SeededRandom {
  const seed = Number(process.env['FAULT_SEED'] ?? randomInt(twoTo32)) >>> 0
  process.stdout.write(`  chance: FAULT_SEED=${seed}\n`)
  let state = seed
  // A Weyl sequence with a 32-bit mixer, which is short and good enough for tests.
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
    return ((z ^ (z >>> 15)) >>> 0) / twoTo32
  }
  const below = (limit: number) => next() * limit
  return {
    seed,
    below,
    pick: (from) => from[Math.floor(below(from.length))]!,
    shuffle: (of) =>
      of
        .map((value) => ({ value, at: next() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ value }) => value),
  }
}
