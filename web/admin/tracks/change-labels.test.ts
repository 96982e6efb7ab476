import { expect, test } from 'vitest'
import { changedLabels, labelsOf } from './change-labels.ts'

const none = { addedCategories: [], removedCategories: [], addedMoods: [], removedMoods: [] }
const track = { category: 'focus', categories: ['focus', 'sleep'], moods: ['Calm', 'late'] }

test('adds behind what is there, and removes', () => {
  const changes = { ...none, addedCategories: ['gym', 'sleep'], removedMoods: ['calm'] }
  expect(changedLabels(track, changes)).toEqual({
    categories: ['focus', 'sleep', 'gym'],
    moods: ['late'],
  })
})

test('the next category is first when the first one is removed', () => {
  const changes = { ...none, removedCategories: ['focus'] }
  expect(changedLabels(track, changes)).toEqual({ categories: ['sleep'] })
})

test('a track that has them so already is not changed', () => {
  const changes = { ...none, addedMoods: ['CALM'], removedCategories: ['gym'] }
  expect(changedLabels(track, changes)).toBeNull()
})

test('lists what some of the tracks have', () => {
  const other = { category: null, categories: [], moods: ['bright', 'late'] }
  expect(labelsOf([track, other])).toEqual({
    categories: ['focus', 'sleep'],
    moods: ['bright', 'Calm', 'late'],
  })
})
