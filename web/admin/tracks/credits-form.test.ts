import { expect, test } from 'vitest'
import {
  getChangedCredits,
  toCreditForms,
  toArtistText,
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

test('builds the artist line from main and featured artists', () => {
  const credits = [
    credit('Ada', 'main', { joiner: '&' }),
    credit('Bo', 'main', { credited_as: 'Bo!' }),
    credit('', 'featured'),
    credit('Cy', 'featured'),
    credit('Di', 'lyricist'),
  ]
  expect(withCredits(credits).artist).toBe('Ada & Bo! feat. Cy')
})

test('replaces the artists of the artist line by the typed text, and keeps the other credits', () => {
  const typed = withArtist(solo, 'Eve')
  expect(typed.artists).toEqual([credit('Eve', 'main'), credit('Bo', 'composer')])
  expect(getChangedCredits(typed, solo)).toEqual({})
})

test('sends credits only when they changed, and puts spaces around a typed joiner', () => {
  expect(getChangedCredits(solo, solo)).toEqual({})
  const artists = [credit('Ada', 'main', { joiner: '&' }), credit('Cy', 'main')]
  expect(getChangedCredits(withCredits(artists), solo)).toEqual({
    artists: [
      { name: 'Ada', role: 'main', credited_as: null, joiner: ' & ' },
      { name: 'Cy', role: 'main', credited_as: null, joiner: '' },
    ],
  })
})

test('converts an artist line to credits that produce the same line', () => {
  const base = { artist: 'Ada feat. Bo', artists: [credit('Ada feat. Bo', 'main')] }
  const split = withCredits([credit('Ada', 'main'), credit('Bo', 'featured')])
  expect(split.artist).toBe(base.artist)
  expect(getChangedCredits(split, base).artists).toHaveLength(2)
})

test('shows a joiner only if it differs from the default one', () => {
  const stored = (name: string, role: CreditForm['role'], joiner: string) => ({
    id: name,
    slug: name,
    name,
    role,
    credited_as: null,
    joiner,
  })
  const credits = toCreditForms([
    stored('Ada', 'main', ' & '),
    stored('Bo', 'main', ' feat. '),
    stored('Cy', 'featured', ''),
  ])
  expect(credits.map(({ joiner }) => joiner)).toEqual([' & ', '', ''])
  expect(toArtistText(credits)).toBe('Ada & Bo feat. Cy')
})
