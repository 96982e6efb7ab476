import { expect, test } from 'vitest'
import {
  changedCredits,
  creditsOfTrack,
  lineOf,
  withArtist,
  withCredits,
  type CreditForm,
} from './credits-form.ts'

const credit = (name: string, role: CreditForm['role'], changes: Partial<CreditForm> = {}) => ({
  name,
  role,
  credited_as: '',
  joiner: '',
  ...changes,
})
const solo = { artist: 'Ada', artists: [credit('Ada', 'main'), credit('Bo', 'composer')] }

test('makes the artist line of main and featured artists', () => {
  const credits = [
    credit('Ada', 'main', { joiner: '&' }),
    credit('Bo', 'main', { credited_as: 'Bo!' }),
    credit('', 'featured'),
    credit('Cy', 'featured'),
    credit('Di', 'lyricist'),
  ]
  expect(withCredits(credits).artist).toBe('Ada & Bo! feat. Cy')
})

test('a typed text replaces the artists of the line and keeps the other credits', () => {
  const typed = withArtist(solo, 'Eve')
  expect(typed.artists).toEqual([credit('Eve', 'main'), credit('Bo', 'composer')])
  expect(changedCredits(typed, solo)).toEqual({})
})

test('saves credits only when they changed, with spaces around a typed joiner', () => {
  expect(changedCredits(solo, solo)).toEqual({})
  const artists = [credit('Ada', 'main', { joiner: '&' }), credit('Cy', 'main')]
  expect(changedCredits(withCredits(artists), solo)).toEqual({
    artists: [
      { name: 'Ada', role: 'main', credited_as: null, joiner: ' & ' },
      { name: 'Cy', role: 'main', credited_as: null, joiner: '' },
    ],
  })
})

test('splits a line into credits that make the same line', () => {
  const base = { artist: 'Ada feat. Bo', artists: [credit('Ada feat. Bo', 'main')] }
  const split = withCredits([credit('Ada', 'main'), credit('Bo', 'featured')])
  expect(split.artist).toBe(base.artist)
  expect(changedCredits(split, base).artists).toHaveLength(2)
})

test('shows only joiners that do not follow from the roles', () => {
  const stored = (name: string, role: CreditForm['role'], joiner: string) => ({
    id: name,
    slug: name,
    name,
    role,
    credited_as: null,
    joiner,
  })
  const credits = creditsOfTrack([
    stored('Ada', 'main', ' & '),
    stored('Bo', 'main', ' feat. '),
    stored('Cy', 'featured', ''),
  ])
  expect(credits.map(({ joiner }) => joiner)).toEqual([' & ', '', ''])
  expect(lineOf(credits)).toBe('Ada & Bo feat. Cy')
})
