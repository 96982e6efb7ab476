// Pool of the buffers that chunks of files are read into. Buffers are reused, so a day of streaming needs no more
// memory than a minute. Sizes are powers of two, so that a released buffer fits the next listener.

const smallestBytes = 8 * 1024
/** Of each size so much is never given up. */
const minSpareBytes = 2 * 1024 * 1024

export interface StreamMemory {
  /** At least so many bytes of anything. */
  take(byteCount: number): Buffer
  /** Call it once, with what `take` returned, when nobody reads or writes it any more. */
  giveBack(memory: Buffer): void
  /** Frees what was spare ever since the last call. */
  trim(): void
  clear(): void
}

interface Shelf {
  spare: Buffer[]
  /** So many were not needed since the last trim. */
  fewest: number
  /** So many are never given up. */
  least: number
}

export function createStreamMemory(): StreamMemory {
  const shelves: (Shelf | undefined)[] = []

  function shelfOf(byteCount: number): Shelf {
    return (shelves[sizeClass(byteCount)] ??= {
      spare: [],
      fewest: 0,
      least: Math.floor(minSpareBytes / sizeOf(byteCount)),
    })
  }

  return {
    take(byteCount) {
      const shelf = shelfOf(byteCount)
      const memory = shelf.spare.pop() ?? Buffer.allocUnsafeSlow(sizeOf(byteCount))
      shelf.fewest = Math.min(shelf.fewest, shelf.spare.length)
      return memory
    },
    giveBack(memory) {
      shelfOf(memory.byteLength).spare.push(memory)
    },
    trim() {
      for (const shelf of shelves) {
        if (!shelf) continue
        const { spare, fewest, least } = shelf
        spare.length -= Math.min(fewest, Math.max(0, spare.length - least))
        shelf.fewest = spare.length
      }
    },
    clear() {
      shelves.length = 0
    },
  }
}

/** How often the smallest size is doubled to hold so many bytes. */
function sizeClass(byteCount: number): number {
  return byteCount <= smallestBytes ? 0 : 32 - Math.clz32((byteCount - 1) / smallestBytes)
}

const sizeOf = (byteCount: number) => smallestBytes * 2 ** sizeClass(byteCount)
