import { expect, test } from 'vitest'
import { createBody, emptyTrackForm, findTrackProblems, wholeSeconds } from './track-form.ts'

test('the problems come in the order of the fields, with the words of the specification', () => {
  const form = { ...emptyTrackForm(' '), title: ' ', duration: '-3' }
  expect(Object.values(findTrackProblems(form))).toEqual([
    'Title is required',
    'Artist is required',
    'Duration must be non-negative',
  ])
  expect(findTrackProblems({ ...emptyTrackForm('Velour'), title: 'Dusk' })).toEqual({})
})

test('a length is a whole number, and 0 without one', () => {
  expect(['', 'x', '65.9', '120'].map(wholeSeconds)).toEqual([0, 0, 65, 120])
})

test('empty choices are sent as none', () => {
  const body = createBody(
    { ...emptyTrackForm('Velour'), title: 'Dusk' },
    { audio_path: 'audio/1', cover_path: undefined },
  )
  expect(body).toMatchObject({ action: 'create', category: null, genre: null, duration: 0 })
})
