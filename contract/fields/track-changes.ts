// Track changes of a playlist as operations, so that concurrent edits by two people are both preserved.
import * as z from 'zod/mini'

const id = z.uuid()
/**
 * Places the track directly after this one. Null places it at the beginning. If absent, the track is placed at the
 * end. If the track in `after` was removed, `at` gives the position, counting from 0. If `at` is absent as well, the
 * track is placed at the end.
 */
const place = {
  after: z.optional(z.nullable(id)),
  at: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(1_000_000))),
}

export const trackChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('add'), track_id: id, ...place }),
  z.object({ action: z.literal('move'), track_id: id, ...place }),
  z.object({ action: z.literal('remove'), track_id: id }),
])
export type TrackChange = z.infer<typeof trackChange>

/** Maximum number of changes per request. Split larger changes into several requests. */
export const maxTrackChanges = 2000

export const trackChanges = z.array(trackChange).check(z.maxLength(maxTrackChanges))

/**
 * Applies the changes in order. Adding a track that is present, removing one that is absent, and moving one that was
 * removed have no effect: a removal takes precedence over a move.
 */
export function applyTrackChanges(
  trackIds: readonly string[],
  changes: readonly TrackChange[],
): string[] {
  const list = [...trackIds]
  const present = new Set(list)
  for (const change of changes) {
    const { action, track_id } = change
    if (present.has(track_id) === (action === 'add')) continue
    if (action !== 'add') list.splice(list.indexOf(track_id), 1)
    if (action === 'remove') present.delete(track_id)
    else {
      list.splice(findPosition(list, change), 0, track_id)
      present.add(track_id)
    }
  }
  return list
}

function findPosition(
  list: readonly string[],
  { after, at }: { after?: string | null | undefined; at?: number | undefined },
): number {
  if (after === null) return 0
  const before = after === undefined ? -1 : list.indexOf(after)
  if (before >= 0) return before + 1
  return Math.min(at ?? list.length, list.length)
}
