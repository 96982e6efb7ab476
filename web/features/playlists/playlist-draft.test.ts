import { expect, test } from 'vitest'
import { makeTrack } from '../../testing/track-fixture.ts'
import {
  addTrack,
  draftChanges,
  moveTrack,
  removeTrack,
  restoreTrack,
  type PlaylistDraft,
} from './playlist-draft.ts'

const [a, b, c, d] = [makeTrack(1), makeTrack(2), makeTrack(3), makeTrack(4)] as const
const saved: PlaylistDraft = {
  title: 'Evening',
  description: '',
  is_public: false,
  cover_path: null,
  tracks: [a, b, c],
}

const titles = (draft: PlaylistDraft) => draft.tracks.map((track) => track.title).join(' ')

test('has nothing to save when nothing changed', () => {
  expect(draftChanges(saved, { ...saved, tracks: [a, b, c] })).toBeNull()
  expect(draftChanges(saved, moveTrack(moveTrack(saved, 0, 2), 2, 0))).toBeNull()
})

test('saves only what changed', () => {
  expect(draftChanges(saved, { ...saved, title: 'Night' })).toEqual({ title: 'Night' })
  expect(draftChanges({ ...saved, description: 'Old' }, saved)).toEqual({ description: null })
  expect(draftChanges(saved, { ...saved, is_public: true, cover_path: 'covers/1' })).toEqual({
    is_public: true,
    cover_path: 'covers/1',
  })
  expect(draftChanges(saved, moveTrack(saved, 2, 0))).toEqual({
    track_changes: [{ action: 'move', track_id: c.id, after: null, at: 0 }],
  })
})

test('adds a track at the end, and does not add it twice', () => {
  const added = addTrack(saved, d)
  expect(titles(added)).toBe('Track 1 Track 2 Track 3 Track 4')
  expect(addTrack(added, d)).toBe(added)
})

test('moves a track up and down to the given index', () => {
  expect(titles(moveTrack(saved, 0, 2))).toBe('Track 2 Track 3 Track 1')
  expect(titles(moveTrack(saved, 2, 0))).toBe('Track 3 Track 1 Track 2')
  expect(moveTrack(saved, 1, 1)).toBe(saved)
  expect(moveTrack(saved, 9, 0)).toBe(saved)
})

test('restores a removed track at its previous position', () => {
  const removed = removeTrack(saved, b.id)
  expect(titles(removed)).toBe('Track 1 Track 3')
  expect(restoreTrack(removed, b, 1)).toEqual(saved)
  expect(restoreTrack(saved, b, 0)).toBe(saved)
})
