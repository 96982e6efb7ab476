import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './project-paths.mjs'
import { packageLists, listPackages } from './wanted-packages.mjs'

const read = (path) => readFileSync(join(root, path), 'utf8')
const list = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)

test('finds the dependencies of a list, nested versions first, and nothing else', () => {
  const packages = {
    '': { dependencies: { a: '1' }, devDependencies: { b: '1' } },
    'packages/testing': { dependencies: { c: '1' } },
    'node_modules/a': { dependencies: { shared: '1' } },
    'node_modules/b': { optionalDependencies: { absent: '1' } },
    'node_modules/c': { dependencies: { shared: '2' }, devDependencies: { unwanted: '1' } },
    'node_modules/c/node_modules/shared': {},
    'node_modules/shared': {},
    'node_modules/unwanted': {},
  }
  const ofStart = ['node_modules/a', 'node_modules/b', 'node_modules/shared']
  expect(listPackages({ packages })).toEqual(new Set(ofStart))
  const ofTests = [...ofStart, 'node_modules/c', 'node_modules/c/node_modules/shared']
  expect(listPackages({ packages }, [packageLists.testing])).toEqual(new Set(ofTests))
})

const testing = Object.keys(JSON.parse(read('packages/testing/package.json')).dependencies)

test('`npm start` needs no package that only tests use', () => {
  const isForTests =
    /\.test\.|\.(?:scale|security|engine|fault|load)\.ts$|\/testing\/|^(?:e2e|lab)\/|^vitest\.config|^knip\.config/
  // Files that only `npm test` and `npm run check` load.
  const tools = ['scripts/bundled-chromium.mjs', 'scripts/deployment-linters.mjs']
  const files = list('ls-files', '*.ts', '*.tsx', '*.mjs')
  const production = files.filter((file) => !isForTests.test(file) && !tools.includes(file))
  const found = production.flatMap((file) =>
    testing.filter((name) => imports(read(file), name)).map((name) => `${file}: ${name}`),
  )
  expect(found).toEqual([])
})

/** Packages that no file imports: command-line programs and type declarations. */
const notImported =
  /^@types\/|^(?:kubernetes-types|knip|oxfmt|oxlint|oxlint-tsgolint|typescript|jsdom)$/

test('every test package is used', () => {
  const files = list('ls-files', '*.ts', '*.tsx', '*.mjs').map(read)
  const unused = testing.filter((name) => !notImported.test(name))
  expect(unused.filter((name) => !files.some((text) => imports(text, name)))).toEqual([])
})

function imports(text, name) {
  return new RegExp(`(?:from |import\\(|import |resolve\\()'${name}(?:/[^']*)?'`).test(text)
}
