// The search of the web app.
import { expect, test } from 'vitest'
import { foundTitles, otherTitles, rankedTitles } from './search-cases.ts'
import { containsText, rankTitle } from './search-text.ts'

test.each(foundTitles)('%s finds %s', (q, title) => {
  expect(containsText(title, q)).toBe(true)
})

test.each(otherTitles)('%s does not find %s', (q, title) => {
  expect(containsText(title, q)).toBe(false)
})

test.each(rankedTitles)('%s: a better match has a higher rank', (q, titles) => {
  const ranks = titles.map((title) => rankTitle(title, q))
  expect(ranks).toEqual([4, 3, 2, 0])
})
