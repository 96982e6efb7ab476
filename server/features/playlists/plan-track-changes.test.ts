import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planTrackChanges, type StoredEntry } from './plan-track-changes.ts'

const trackId = fc.integer({ min: 0, max: 15 }).map((n) => `track-${n}`)

const stored = fc
  .uniqueArray(fc.tuple(trackId, fc.boolean()), { selector: ([id]) => id })
  .map((rows): StoredEntry[] =>
    rows.map(([track_id, is_published], order_index) => ({
      id: `entry-${track_id}`,
      track_id,
      order_index,
      is_published,
    })),
  )

/** Applies a plan to stored entries, as the database would. */
function applyPlan(entries: StoredEntry[], trackIds: string[]): string[] {
  const { removed, moved, added } = planTrackChanges(entries, trackIds)
  const places = new Map(entries.map((entry) => [entry.track_id, entry.order_index]))
  for (const id of removed) places.delete(id.replace('entry-', ''))
  for (const { id, order_index } of moved) places.set(id.replace('entry-', ''), order_index)
  for (const { track_id, order_index } of added) {
    expect(places.has(track_id)).toBe(false)
    places.set(track_id, order_index)
  }
  const rows = [...places].toSorted(([, a], [, b]) => a - b)
  expect(rows.map(([, place]) => place)).toEqual(rows.map((_, i) => i))
  return rows.map(([id]) => id)
}

test('the plan turns any stored list into the given tracks in their order, keeps every hidden track, and leaves no gaps', () => {
  fc.assert(
    fc.property(stored, fc.uniqueArray(trackId), (entries, trackIds) => {
      const result = applyPlan(entries, trackIds)
      const kept = entries.filter(
        (entry) => !entry.is_published && !trackIds.includes(entry.track_id),
      )
      const isKept = new Set(kept.map((entry) => entry.track_id))
      expect(result.filter((id) => !isKept.has(id))).toEqual(trackIds)
      expect(result.filter((id) => isKept.has(id))).toEqual(kept.map((entry) => entry.track_id))
    }),
    { numRuns: 2000 },
  )
})

test('an unchanged list changes nothing', () => {
  fc.assert(
    fc.property(stored, (entries) => {
      const visible = entries.filter((entry) => entry.is_published).map((entry) => entry.track_id)
      expect(planTrackChanges(entries, visible)).toEqual({ removed: [], moved: [], added: [] })
    }),
  )
})
