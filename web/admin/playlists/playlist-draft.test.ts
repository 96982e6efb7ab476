import { expect, test } from 'vitest'
import {
  addToDraft,
  hasSameOrder,
  moveInDraft,
  removeFromDraft,
  type DraftTrack,
} from './playlist-draft.ts'

const track = (id: string): DraftTrack => ({
  id,
  title: id,
  artist: 'Velour',
  duration: 60,
  cover_url: null,
  cover_tint: null,
  cover_placeholder: null,
  is_published: true,
})
const titles = (entries: { track: DraftTrack }[]) => entries.map((entry) => entry.track.title)
const abc = ['a', 'b', 'c'].map((id) => ({ id: `entry-${id}`, track: track(id) }))

test('a track is added at the end, once', () => {
  expect(titles(addToDraft(abc, track('d')))).toEqual(['a', 'b', 'c', 'd'])
  expect(titles(addToDraft(abc, track('b')))).toEqual(['a', 'b', 'c'])
})

test('entries move up and down and leave', () => {
  expect(titles(moveInDraft(abc, 0, 2))).toEqual(['b', 'c', 'a'])
  expect(titles(moveInDraft(abc, 2, 0))).toEqual(['c', 'a', 'b'])
  expect(titles(removeFromDraft(abc, 'entry-b'))).toEqual(['a', 'c'])
})

test('a moved order is another one until it is moved back', () => {
  const moved = moveInDraft(abc, 0, 1)
  expect(hasSameOrder(abc, moved)).toBe(false)
  expect(hasSameOrder(abc, moveInDraft(moved, 0, 1))).toBe(true)
})
