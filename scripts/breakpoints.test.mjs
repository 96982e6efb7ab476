// Media queries must use the named breakpoints. With a literal width or a misspelled name, the layout would silently
// break at some window widths.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolveBreakpoints } from '../vite.breakpoints.ts'

const folder = join(import.meta.dirname, '..', 'web')
const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.css'))
  .map((path) => ({ path, css: readFileSync(join(folder, path), 'utf8') }))
const widthsIn = (css) => css.match(/@media[^{]*\bwidth\b[^{]*/g) ?? []

test('style sheets use named breakpoints', () => {
  expect(sheets.length).toBeGreaterThan(100)
  expect(sheets.filter(({ css }) => widthsIn(css).length > 0).map(({ path }) => path)).toEqual([])
})

test('the build resolves the name of every breakpoint', () => {
  const resolved = sheets.map(({ css }) => resolveBreakpoints(css)).join('\n')
  expect(widthsIn(resolved).length).toBeGreaterThan(50)
  expect(resolved).not.toMatch(/@media[^{]*\(--/)
  expect(() => resolveBreakpoints('@media (--tablets) {}')).toThrow('--tablets')
})
