// Style sheets share common declarations through the mixins in mixins.css.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolveMixins } from '../vite.mixins.ts'

const folder = join(import.meta.dirname, '..', 'web')
const source = 'base/ui/theme/mixins.css'
const defined = readFileSync(join(folder, source), 'utf8').match(/(?<=@mixin )--[\w-]+/g)
const css = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.css') && path !== source)
  .map((path) => readFileSync(join(folder, path), 'utf8'))
  .join('\n')

test('style sheets apply only known mixins', () => {
  const resolved = resolveMixins(css)
  expect(resolved).not.toMatch(/@apply|@mixin/)
  expect(resolved.length).toBeGreaterThan(css.length)
  expect(() => resolveMixins('a { @apply --unknown; }')).toThrow('--unknown')
})

test.each(defined)('mixin %s is used at least twice', (name) => {
  expect(css.split(`@apply ${name};`).length).toBeGreaterThan(2)
})

test('no rule repeats a selector', () => {
  const lists = css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .match(/[^{};]+(?=\{)/g)
    .filter((list) => !list.includes('('))
    .map((list) => list.split(',').map((selector) => selector.trim()))
  expect(lists.filter((list) => new Set(list).size < list.length)).toEqual([])
})
