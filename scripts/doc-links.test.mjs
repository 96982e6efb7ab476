// Relative links in the documents must lead to an existing file and heading. Paths and code names in the pages for
// contributors must exist.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path) => readFileSync(join(root, path), 'utf8')

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
  'CHANGELOG.md',
  'lab/README.md',
  'lab/notebook.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
]
const pagesAboutCode = ['architecture.md', 'flows.md', 'recipes/add-a-track-field.md']

const withoutFences = (text) => text.replaceAll(/^```[^]*?^```$/gm, '')

/** Returns the anchors that GitHub generates for the headings of a page. A repeated heading gets a numeric suffix. */
function listAnchors(text) {
  const seen = new Map()
  return [...withoutFences(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => {
    const anchor = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}

function findLinks(text) {
  const prose = withoutFences(text).replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/i.test(target))
}

function findLinkProblem(from, target) {
  const [path, anchor] = target.split('#')
  const file = path === '' ? join(root, from) : resolve(root, dirname(from), path)
  if (relative(root, file).startsWith('..')) return 'leaves the repository'
  if (!existsSync(file)) return 'no such file'
  if (anchor === undefined || !file.endsWith('.md')) return null
  return listAnchors(readFileSync(file, 'utf8')).includes(anchor) ? null : 'no such heading'
}

/** Returns true if the text declares the name: in TypeScript, as a member of an object or class, or in SQL. */
function declares(text, name) {
  const declared = `\\b(?:function\\*?|const|let|class|interface|type|trigger) ${name}\\b`
  return new RegExp(`${declared}|^\\s*(?:async )?${name}[(:]`, 'm').test(text)
}

const codePath = /(?<![\w/.-])(?:server|web|contract|e2e|scripts|lab)\/[\w./-]*/g
/** Matches `path` → `name`, or several names: `a`, `b` and `c`. */
const namedCode = /`([\w./-]+\/[\w.-]+)` → `\w+`(?:(?:, | and )`\w+`)*/g

function findCodeProblems(page) {
  const text = read(page).replaceAll(/\s+/g, ' ')
  const lost = [...text.matchAll(codePath)]
    .map(([path]) => path.replace(/\.$/, ''))
    .filter((path) => !path.includes('NNNN') && !existsSync(join(root, path)))
  const unnamed = [...text.matchAll(namedCode)].flatMap(([said, path]) => {
    const isFile = existsSync(join(root, path)) && statSync(join(root, path)).isFile()
    const names = [...said.split('→')[1].matchAll(/`(\w+)`/g)].map(([, name]) => name)
    return names
      .filter((name) => !isFile || !declares(read(path), name))
      .map((name) => `${path} has no ${name}`)
  })
  return [...lost.map((path) => `${path} does not exist`), ...unnamed]
}

test.each(documents)('%s: each relative link leads to a file and a heading', (document) => {
  const broken = findLinks(read(document)).flatMap((target) => {
    const problem = findLinkProblem(document, target)
    return problem ? [`${target}: ${problem}`] : []
  })
  expect(broken).toEqual([])
})

test.each(pagesAboutCode)('docs/%s: all paths and names of code exist', (page) => {
  const path = join('docs', page)
  expect(read(path).match(namedCode)?.length ?? 0).toBeGreaterThan(10)
  expect(findCodeProblems(path)).toEqual([])
})

test('reports broken links and missing names', () => {
  expect(findLinks('[a](docs/x.md#y) `[b](c.md)` ![d](e.png) <https://f> [g](https://h)')).toEqual([
    'docs/x.md#y',
    'e.png',
  ])
  expect(findLinkProblem('README.md', 'docs/nothing.md')).toBe('no such file')
  expect(findLinkProblem('docs/caches.md', '../SECURITY.md#the-demo')).toBeNull()
  expect(findLinkProblem('docs/caches.md', '../SECURITY.md#nothing')).toBe('no such heading')
  expect(listAnchors('# A `b`: c?\n\n## Same\n\n## Same')).toEqual(['a-b-c', 'same', 'same-1'])
  const code = 'export function make(): void {}\n  async stop() {}\ncreate trigger told after'
  expect(['make', 'stop', 'told', 'void'].map((name) => declares(code, name))).toEqual([
    true,
    true,
    true,
    false,
  ])
})
