// Computes the minimal operations that turn one list of tracks into another: removals, additions and moves.
import type { TrackChange } from './track-changes.ts'

/**
 * A track appended at the end has no position, so that it is placed after tracks that other users appended in the
 * meantime.
 */
export function computeTrackChanges(
  before: readonly string[],
  after: readonly string[],
): TrackChange[] {
  const wanted = new Set(after)
  const stored = new Map(before.map((id, index) => [id, index]))
  const changes: TrackChange[] = before
    .filter((id) => !wanted.has(id))
    .map((track_id) => ({ action: 'remove', track_id }))
  const unmoved = longestInOrder(after.filter((id) => stored.has(id)).map((id) => stored.get(id)!))
  const lastKept = after.findLastIndex((id) => stored.has(id))
  for (const [at, track_id] of after.entries()) {
    const index = stored.get(track_id)
    if (index !== undefined && unmoved.has(index)) continue
    const place = at === lastKept + 1 ? {} : { after: after[at - 1] ?? null, at }
    changes.push({ action: index === undefined ? 'add' : 'move', track_id, ...place })
  }
  return changes
}

/** The members of a longest increasing subsequence (patience sorting). */
function longestInOrder(numbers: readonly number[]): Set<number> {
  /** For each length, the smallest number that ends a subsequence of that length. */
  const ends: number[] = []
  const previous = new Map<number, number | undefined>()
  for (const number of numbers) {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]! < number) low = middle + 1
      else high = middle
    }
    previous.set(number, ends[low - 1])
    ends[low] = number
  }
  const run = new Set<number>()
  for (let number = ends.at(-1); number !== undefined; number = previous.get(number)) {
    run.add(number)
  }
  return run
}
