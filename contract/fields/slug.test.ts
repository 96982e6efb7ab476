import { expect, test } from 'vitest'
import { slugMaxLength, toSlug } from './slug.ts'

test.each([
  ['Late Night Jazz', 'late-night-jazz'],
  ['  Late   Night ', 'late-night'],
  ['late-night-ünï', 'late-night-uni'],
  ['Süße Träume', 'susse-traume'],
  ['Åse på Ængen', 'ase-pa-aengen'],
  ['Łódź', 'lodz'],
  ['Ночной джаз', 'nochnoy-dzhaz'],
  ['Йога', 'yoga'],
  ['Νύχτα', 'nychta'],
  ['R&B / Soul', 'r-b-soul'],
  ['夜 Jazz', 'u591c-jazz'],
  ['!!!', ''],
])('turns the name %s into the slug %s', (name, slug) => {
  expect(toSlug(name)).toBe(slug)
})

test('limits the slug to its maximum length, without a trailing hyphen', () => {
  const slug = toSlug(`${'a'.repeat(slugMaxLength - 1)} b`)
  expect(slug).toBe('a'.repeat(slugMaxLength - 1))
})
