import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyTrackChanges } from './track-changes.ts'
import { computeTrackChanges } from './track-changes-between.ts'

const list = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'))

test('returns changes that turn one list into the other', () => {
  fc.assert(
    fc.property(list, list, (before, after) => {
      expect(applyTrackChanges(before, computeTrackChanges(before, after))).toEqual(after)
    }),
    { numRuns: 3000 },
  )
})

test('creates one change for a moved track and none for equal lists', () => {
  const before = [...'abcdef']
  expect(computeTrackChanges(before, before)).toEqual([])
  expect(computeTrackChanges(before, [...'bcdaef'])).toEqual([
    { action: 'move', track_id: 'a', after: 'd', at: 3 },
  ])
  expect(computeTrackChanges(before, [...'fabcde'])).toEqual([
    { action: 'move', track_id: 'f', after: null, at: 0 },
  ])
})

test('preserves tracks that another user added, and does not restore tracks that another user removed', () => {
  fc.assert(
    fc.property(list, list, list, (before, mine, theirs) => {
      const merged = applyTrackChanges(
        applyTrackChanges(before, computeTrackChanges(before, theirs)),
        computeTrackChanges(before, mine),
      )
      const isIn = (id: string) => {
        if (before.includes(id)) return mine.includes(id) && theirs.includes(id)
        return mine.includes(id) || theirs.includes(id)
      }
      expect(merged.toSorted()).toEqual([...'abcdefghijklmnop'].filter(isIn))
    }),
    { numRuns: 3000 },
  )
})

test("appends both users' additions in the order in which they were saved", () => {
  const before = [...'ab']
  const changes = (after: string) => computeTrackChanges(before, [...after])
  const first = applyTrackChanges(before, changes('abxy'))
  expect(applyTrackChanges(first, changes('abpq'))).toEqual([...'abxypq'])
})

test('moving a track neither duplicates it nor restores it if it was removed', () => {
  expect(applyTrackChanges([...'abc'], [{ action: 'add', track_id: 'b' }])).toEqual([...'abc'])
  expect(applyTrackChanges([...'abc'], [{ action: 'move', track_id: 'x', after: null }])).toEqual([
    ...'abc',
  ])
  expect(applyTrackChanges([...'abc'], [{ action: 'remove', track_id: 'x' }])).toEqual([...'abc'])
})

test('falls back to the index when the preceding track was removed', () => {
  const at1 = { action: 'add', track_id: 'x', after: 'gone', at: 1 } as const
  expect(applyTrackChanges([...'abc'], [at1])).toEqual([...'axbc'])
  expect(applyTrackChanges([], [at1])).toEqual(['x'])
})
