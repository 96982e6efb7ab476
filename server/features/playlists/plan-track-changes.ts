// Computes the row changes that turn a playlist's entries into a given list. A pure function, so that tests can run it
// on thousands of lists.

/** An entry as stored in the database. Lists of entries are in playlist order. */
export interface StoredEntry {
  id: string
  track_id: string
  order_index: number
  is_published: boolean
}

export interface TrackChanges {
  /** Ids of the entries to remove. */
  removed: string[]
  moved: { id: string; order_index: number }[]
  added: { track_id: string; order_index: number }[]
}

/**
 * Computes changes after which members see exactly `trackIds`. Unpublished tracks are hidden from members, so the list
 * does not contain them; they keep their number of preceding visible tracks.
 */
export function planTrackChanges(
  entries: readonly StoredEntry[],
  trackIds: readonly string[],
): TrackChanges {
  const named = new Set(trackIds)
  const stored = new Map(entries.map((entry) => [entry.track_id, entry]))
  const removed = entries.filter((entry) => entry.is_published && !named.has(entry.track_id))
  const changes: TrackChanges = { removed: removed.map((entry) => entry.id), moved: [], added: [] }
  for (const [order_index, trackId] of mergeHidden(entries, named, trackIds).entries()) {
    const entry = stored.get(trackId)
    if (!entry) changes.added.push({ track_id: trackId, order_index })
    else if (entry.order_index !== order_index) changes.moved.push({ id: entry.id, order_index })
  }
  return changes
}

/** Returns the track ids in their new order, including hidden tracks. */
function mergeHidden(
  entries: readonly StoredEntry[],
  named: ReadonlySet<string>,
  trackIds: readonly string[],
): string[] {
  const merged: string[] = []
  let placed = 0
  let visibleBefore = 0
  for (const entry of entries) {
    if (entry.is_published) {
      visibleBefore++
    } else if (!named.has(entry.track_id)) {
      while (placed < Math.min(visibleBefore, trackIds.length)) merged.push(trackIds[placed++]!)
      merged.push(entry.track_id)
    }
  }
  return [...merged, ...trackIds.slice(placed)]
}
