import { expect, test } from 'vitest'
import {
  chooseView,
  readFilters,
  toggleCategory,
  withoutMood,
  writeFilters,
} from './browse-filters.ts'

const all = readFilters(new URLSearchParams())

test('shows all tracks for a URL without filters', () => {
  expect(all).toEqual({ view: 'all', category: null, q: '', sort: null })
  expect(readFilters(new URLSearchParams('view=nonsense'))).toEqual(all)
})

test('parses the filters that it writes to the URL', () => {
  const sort = { order: 'artist', direction: 'desc' } as const
  const filters = { view: 'liked', category: 'late-night', q: 'rain & velvet', sort } as const
  expect(readFilters(new URLSearchParams(writeFilters(filters).toString()))).toEqual(filters)
  expect(writeFilters(all).toString()).toBe('')
})

test('toggles a category and resets the view to all; the search stays', () => {
  const liked = { view: 'liked', category: null, q: 'rain', sort: null } as const
  const focus = toggleCategory(liked, 'focus')
  expect(focus).toEqual({ view: 'all', category: 'focus', q: 'rain', sort: null })
  expect(toggleCategory(focus, 'study').category).toBe('study')
  expect(toggleCategory(focus, 'focus')).toEqual({
    view: 'all',
    category: null,
    q: 'rain',
    sort: null,
  })
})

test('clears the category when a view is chosen', () => {
  const focus = toggleCategory(all, 'focus')
  expect(chooseView(focus, 'liked')).toEqual({ view: 'liked', category: null, q: '', sort: null })
  expect(chooseView(focus, 'all')).toEqual(all)
})

test('combines a mood with a category, and clears the mood when the user removes it or chooses a view', () => {
  const calm = readFilters(new URLSearchParams('mood=late night&q=rain'))
  expect(calm).toEqual({
    view: 'all',
    category: null,
    mood: 'late night',
    q: 'rain',
    sort: null,
  })
  const focus = toggleCategory(calm, 'focus')
  expect(readFilters(writeFilters(focus))).toEqual({ ...calm, category: 'focus' })
  expect(withoutMood(focus)).toEqual({ view: 'all', category: 'focus', q: 'rain', sort: null })
  expect(chooseView(focus, 'liked')).toEqual({
    view: 'liked',
    category: null,
    q: 'rain',
    sort: null,
  })
})
