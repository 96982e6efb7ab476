// Reproducible random numbers. Every decision uses a stream with its own name, so that changing one part of the
// composer does not change the music of other parts.

export type Random = {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform whole number in [0, count). */
  integer(count: number): number
  /** Uniform in [low, high). */
  range(low: number, high: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Bell-shaped in (-amount, amount), most often near zero. */
  spread(amount: number): number
}

/** FNV-1a, 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

/** The stream (`seed`, `label`): equal arguments give equal numbers on every machine. */
export function createRandom(seed: number, label: string): Random {
  let state = hashText(`${seed}/${label}`)
  // mulberry32: fast, and 32 bits of state are enough for choices and noise.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const integer = (count: number) => Math.floor(next() * count)
  return {
    next,
    integer,
    range: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[integer(items.length)]
      if (item === undefined) throw new Error('Nothing to pick from')
      return item
    },
    spread: (amount) => (next() + next() + next() - 1.5) * (amount / 1.5),
  }
}
