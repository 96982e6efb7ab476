// Tests the search of the web app. The server's SQL has its own test.
import { expect, test } from 'vitest'
import { foundTitles, otherTitles, rankedTitles } from './search-cases.ts'
import { containsText, rankTitle } from './search-text.ts'

test.each(foundTitles)('%s matches %s', (q, title) => {
  expect(containsText(title, q)).toBe(true)
})

test.each(otherTitles)('%s does not match %s', (q, title) => {
  expect(containsText(title, q)).toBe(false)
})

test.each(rankedTitles)('%s: ranks the most relevant title highest', (q, titles) => {
  const ranks = titles.map((title) => rankTitle(title, q))
  expect(ranks).toEqual([4, 3, 2, 0])
})
