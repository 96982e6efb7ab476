import { expect, test } from 'vitest'
import type { AdminReleaseTrack } from '#contract/admin/admin-releases.ts'
import { addDisc, addToDraft, toDraftItems, toReleaseTracks } from './release-draft.ts'
import { moveItem } from '../track-order/list-items.ts'

const track = (id: string, disc = 1) => ({ id, disc, position: 1 }) as AdminReleaseTrack

test('converts tracks with disc numbers to one list with breaks, and back', () => {
  const items = toDraftItems([track('a'), track('b'), track('c', 2), track('d', 2)])
  expect(items.map(({ track: one }) => one?.id ?? 'disc')).toEqual(['a', 'b', 'disc', 'c', 'd'])
  expect(toReleaseTracks(items)).toEqual([
    { track_id: 'a', disc: 1 },
    { track_id: 'b', disc: 1 },
    { track_id: 'c', disc: 2 },
    { track_id: 'd', disc: 2 },
  ])
})

test('moves a track to another disc when it is dragged past a break', () => {
  const items = moveItem(toDraftItems([track('a'), track('b'), track('c', 2)]), 1, 2)
  expect(toReleaseTracks(items)).toEqual([
    { track_id: 'a', disc: 1 },
    { track_id: 'b', disc: 2 },
    { track_id: 'c', disc: 2 },
  ])
})

test('omits a disc without tracks', () => {
  const items = addToDraft(addDisc(addDisc(toDraftItems([track('a', 2)]))), track('b'))
  expect(toReleaseTracks(items)).toEqual([
    { track_id: 'a', disc: 1 },
    { track_id: 'b', disc: 2 },
  ])
})

test('appends a track, unless the release already contains it', () => {
  const items = toDraftItems([track('a')])
  expect(addToDraft(items, track('a'))).toHaveLength(1)
})
