import { expect, test } from 'vitest'
import { applyLabelChanges, collectLabels } from './change-labels.ts'

const none = { addedCategories: [], removedCategories: [], addedMoods: [], removedMoods: [] }
const track = { category: 'focus', categories: ['focus', 'sleep'], moods: ['Calm', 'late'] }

test('appends added labels, and removes others', () => {
  const changes = { ...none, addedCategories: ['gym', 'sleep'], removedMoods: ['calm'] }
  expect(applyLabelChanges(track, changes)).toEqual({
    categories: ['focus', 'sleep', 'gym'],
    moods: ['late'],
  })
})

test('makes the second category the first one when the first is removed', () => {
  const changes = { ...none, removedCategories: ['focus'] }
  expect(applyLabelChanges(track, changes)).toEqual({ categories: ['sleep'] })
})

test('returns null for a track that needs no change', () => {
  const changes = { ...none, addedMoods: ['CALM'], removedCategories: ['gym'] }
  expect(applyLabelChanges(track, changes)).toBeNull()
})

test('lists labels that at least one of the tracks has', () => {
  const other = { category: null, categories: [], moods: ['bright', 'late'] }
  expect(collectLabels([track, other])).toEqual({
    categories: ['focus', 'sleep'],
    moods: ['bright', 'Calm', 'late'],
  })
})
