// Pool of the buffers that chunks of files are read into. Buffers are reused, so a day of streaming needs no more
// memory than a minute. Sizes are powers of two, so that a released buffer fits the next listener.

const smallestBytes = 8 * 1024
/** Bytes of each size that stay allocated. */
const minSpareBytes = 2 * 1024 * 1024

export interface StreamMemory {
  /** Returns a buffer of at least this size. Its content is undefined. */
  take(byteCount: number): Buffer
  /** Call it once with the buffer from `take`, when nothing reads or writes it any more. */
  giveBack(memory: Buffer): void
  /** Frees the buffers that were unused since the last call. */
  trim(): void
  clear(): void
}

interface Shelf {
  spare: Buffer[]
  /** Number of buffers that were unused since the last trim. */
  fewest: number
  /** Number of buffers that stay allocated. */
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

/** How often the smallest size is doubled to hold this many bytes. */
function sizeClass(byteCount: number): number {
  return byteCount <= smallestBytes ? 0 : 32 - Math.clz32((byteCount - 1) / smallestBytes)
}

const sizeOf = (byteCount: number) => smallestBytes * 2 ** sizeClass(byteCount)
