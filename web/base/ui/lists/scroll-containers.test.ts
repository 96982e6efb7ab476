// A scroll container clips an absolutely positioned descendant, such as visually hidden text, only if the container
// itself is positioned. Otherwise the descendant widens the whole page.
import { expect, test } from 'vitest'

const styleSheets = import.meta.glob<string>('../../../**/*.css', {
  query: '?raw',
  import: 'default',
  eager: true,
})

test('positions every scroll container', () => {
  const rules = Object.entries(styleSheets).flatMap(([file, css]) =>
    [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
      name: `${file} ${selector.trim()}`,
      body,
    })),
  )
  const scrolling = rules.filter(({ body }) => /overflow(-[xy])?:\s*(auto|scroll)/.test(body))
  expect(scrolling.length).toBeGreaterThan(15)
  const unpositioned = scrolling.filter(
    ({ body }) => !/position:\s*(relative|absolute|fixed|sticky)/.test(body),
  )
  expect(unpositioned.map(({ name }) => name)).toEqual([])
})
