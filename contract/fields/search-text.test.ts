// The web app's search.
import { expect, test } from 'vitest'
import { foundTitles, otherTitles, rankedTitles } from './search-cases.ts'
import { containsText, rankTitle } from './search-text.ts'

test.each(foundTitles)('%s matches %s', (q, title) => {
  expect(containsText(title, q)).toBe(true)
})

test.each(otherTitles)('%s does not match %s', (q, title) => {
  expect(containsText(title, q)).toBe(false)
})

test.each(rankedTitles)('%s: the most relevant title has the highest rank', (q, titles) => {
  const ranks = titles.map((title) => rankTitle(title, q))
  expect(ranks).toEqual([4, 3, 2, 0])
})
