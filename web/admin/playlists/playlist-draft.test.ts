import { expect, test } from 'vitest'
import { emptyAvailability } from '../availability/availability-form.ts'
import { addToDraft, draftChanges, isSameDraft, type DraftTrack } from './playlist-draft.ts'
import { moveItem, removeItem } from '../track-order/list-items.ts'

const track = (id: string): DraftTrack => ({
  id,
  title: id,
  artist: 'Velour',
  duration: 60,
  explicit: false,
  ai_disclosure: 'human',
  loudness_lufs: null,
  true_peak_dbtp: null,
  cover_url: null,
  cover_tint: null,
  cover_placeholder: null,
  is_published: true,
})
const titles = (entries: { track: DraftTrack }[]) => entries.map((entry) => entry.track.title)
const abc = ['a', 'b', 'c'].map((id) => ({ id: `entry-${id}`, track: track(id) }))

test('appends a track, unless the playlist already contains it', () => {
  expect(titles(addToDraft(abc, track('d')))).toEqual(['a', 'b', 'c', 'd'])
  expect(titles(addToDraft(abc, track('b')))).toEqual(['a', 'b', 'c'])
})

test('moves entries up and down, and removes them', () => {
  expect(titles(moveItem(abc, 0, 2))).toEqual(['b', 'c', 'a'])
  expect(titles(moveItem(abc, 2, 0))).toEqual(['c', 'a', 'b'])
  expect(titles(removeItem(abc, 'entry-b'))).toEqual(['a', 'c'])
})

test('sends only changed fields', () => {
  const before = {
    title: 'Mix',
    description: '',
    is_curated: true,
    availability: emptyAvailability(),
    entries: abc,
  }
  expect(draftChanges(before, before, true)).toEqual({})
  const moved = { ...before, entries: moveItem(abc, 0, 1) }
  expect(draftChanges(moved, before, true)).toEqual({
    track_changes: [{ action: 'move', track_id: 'b', after: null, at: 0 }],
  })
  expect(isSameDraft({ ...moved, entries: moveItem(moved.entries, 0, 1) }, before)).toBe(true)
  expect(draftChanges({ ...before, title: 'Mixed', description: ' ' }, before, true)).toEqual({
    title: 'Mixed',
    description: null,
  })
  const dated = {
    ...before,
    availability: {
      ...before.availability,
      release_date: '2090-01-01',
      release_zone: 'UTC',
      early_access_days: '3',
    },
  }
  expect(draftChanges(dated, before, false)).toEqual({
    release_at: '2090-01-01T00:00:00.000Z',
    release_zone: 'UTC',
    early_access_days: 3,
  })
  // The playlist is published, so no publication date is sent.
  expect(draftChanges(dated, before, true)).toEqual({ early_access_days: 3 })
})
