import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyTrackChanges } from '#contract/track-changes.ts'
import { sendInParts, trackChangesBetween } from './track-changes-between.ts'

const list = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'))

test('applied to the list they were made from, the changes give the other list', () => {
  fc.assert(
    fc.property(list, list, (before, after) => {
      expect(applyTrackChanges(before, trackChangesBetween(before, after))).toEqual(after)
    }),
    { numRuns: 3000 },
  )
})

test('one moved track is one change, and equal lists are none', () => {
  const before = [...'abcdef']
  expect(trackChangesBetween(before, before)).toEqual([])
  expect(trackChangesBetween(before, [...'bcdaef'])).toEqual([
    { action: 'move', track_id: 'a', after: 'd', at: 3 },
  ])
  expect(trackChangesBetween(before, [...'fabcde'])).toEqual([
    { action: 'move', track_id: 'f', after: null, at: 0 },
  ])
})

test('two people who change one list lose nothing that the other added, and bring back nothing removed', () => {
  fc.assert(
    fc.property(list, list, list, (before, mine, theirs) => {
      const merged = applyTrackChanges(
        applyTrackChanges(before, trackChangesBetween(before, theirs)),
        trackChangesBetween(before, mine),
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

test('what both append stands one behind the other in the order of saving', () => {
  const before = [...'ab']
  const changes = (after: string) => trackChangesBetween(before, [...after])
  const first = applyTrackChanges(before, changes('abxy'))
  expect(applyTrackChanges(first, changes('abpq'))).toEqual([...'abxypq'])
})

test('what was already added stays where it is; a moved track that was removed stays removed', () => {
  expect(applyTrackChanges([...'abc'], [{ action: 'add', track_id: 'b' }])).toEqual([...'abc'])
  expect(applyTrackChanges([...'abc'], [{ action: 'move', track_id: 'x', after: null }])).toEqual([
    ...'abc',
  ])
  expect(applyTrackChanges([...'abc'], [{ action: 'remove', track_id: 'x' }])).toEqual([...'abc'])
})

test('behind a track that is gone a change falls back to its number', () => {
  const at1 = { action: 'add', track_id: 'x', after: 'gone', at: 1 } as const
  expect(applyTrackChanges([...'abc'], [at1])).toEqual([...'axbc'])
  expect(applyTrackChanges([], [at1])).toEqual(['x'])
})

test('more changes than one request takes are sent in several, the words with the first', async () => {
  const before = Array.from({ length: 5000 }, (_, index) => `${index}`)
  const track_changes = trackChangesBetween(before, [])
  const sent: object[] = []
  await sendInParts({ title: 'Mix', track_changes }, async (part) => sent.push(part))
  expect(sent).toEqual([
    { title: 'Mix', track_changes: track_changes.slice(0, 2000) },
    { track_changes: track_changes.slice(2000, 4000) },
    { track_changes: track_changes.slice(4000) },
  ])
})
