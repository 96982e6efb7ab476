import { expect, test } from 'vitest'
import {
  createBody,
  emptyTrackForm,
  findTrackProblems,
  updateBody,
  wholeSeconds,
} from './track-form.ts'

test('returns validation errors in the order of the fields, with the texts of the specification', () => {
  const form = { ...emptyTrackForm(' '), title: ' ', duration: '-3' }
  expect(Object.values(findTrackProblems(form))).toEqual([
    'Title is required',
    'Artist is required',
    'Duration must be non-negative',
  ])
  expect(findTrackProblems({ ...emptyTrackForm('Velour'), title: 'Dusk' })).toEqual({})
})

test('parses the duration as an integer, and returns 0 without one', () => {
  expect(['', 'x', '65.9', '120'].map(wholeSeconds)).toEqual([0, 0, 65, 120])
})

test('sends null for selects that are set to none', () => {
  const body = createBody(
    { ...emptyTrackForm('Velour'), title: 'Dusk' },
    { audio_path: 'audio/1', cover_path: undefined },
  )
  expect(body).toMatchObject({ action: 'create', category: null, genre: null, duration: 0 })
})

test('sends all categories in order, and only when they changed', () => {
  const base = {
    ...emptyTrackForm('Velour'),
    title: 'Dusk',
    category: 'focus',
    more_categories: ['sleep', 'study'],
    moods: ['calm'],
  }
  const files = { audio_path: undefined, cover_path: undefined }
  const changes = (form: Partial<typeof base>) => updateBody({ ...base, ...form }, base, files)
  expect(changes({ title: 'Dawn' })).toEqual({ ...files, title: 'Dawn' })
  expect(changes({ category: 'sleep' })).toEqual({
    ...files,
    category: 'sleep',
    categories: ['sleep', 'study'],
  })
  expect(changes({ category: '' })).toEqual({ ...files, category: null, categories: [] })
  expect(changes({ moods: ['calm', 'warm'] })).toEqual({ ...files, moods: ['calm', 'warm'] })
})
