import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOrder } from './folder-order.mjs'
import { drawFolders, drawPictures, findFaults, readFolders } from './folder-graph.mjs'

const root = join(import.meta.dirname, '..')
const { imports, sources } = readFolders(root)

test('folders import only folders above them in the declared order', () => {
  expect(imports.length).toBeGreaterThan(1000)
  expect(findFaults(imports, sources)).toEqual([])
})

test('every listed folder has files', () => {
  const folders = new Set(sources.map((file) => file.slice(0, file.lastIndexOf('/'))))
  const listed = Object.values(folderOrder).flat()
  expect(listed.filter((folder) => !folders.has(folder))).toEqual([])
})

test('docs/architecture.md shows the current folders (after a change, run npm run format)', () => {
  const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8')
  expect(page.match(/<!-- folders below/g)).toHaveLength(5)
  expect(page).toBe(drawPictures(page, imports))
})

describe('findFaults', () => {
  const order = { web: ['web/base', 'web/features/a', 'web/features/b'] }
  const report = (from, to) =>
    findFaults(
      [{ from, to }],
      ['web/base/x.ts', 'web/features/a/x.ts', 'web/features/b/x.ts'],
      order,
    )

  test.each([
    ['an import that goes up', 'web/features/a/x.ts', 'web/features/b/y.ts'],
    ['an import of the server in the browser', 'web/base/x.ts', 'server/app.ts'],
    ['an import of test support', 'web/features/b/x.ts', 'web/testing/mount-app.tsx'],
  ])('reports %s', (_title, from, to) => {
    expect(report(from, to)).toEqual([expect.stringContaining(`${from} imports ${to}`)])
  })

  test('accepts imports of folders above in the list', () => {
    expect(report('web/features/b/x.ts', 'web/base/y.ts')).toEqual([])
  })

  test('reports a folder that is not listed', () => {
    expect(findFaults([], ['web/new/x.ts'], order)).toEqual([expect.stringContaining('web/new is')])
  })

  test('reports a folder with too many files', () => {
    const many = Array.from({ length: 27 }, (_, index) => `web/base/file-${index}.ts`)
    expect(findFaults([], many, order)).toEqual([expect.stringContaining('27 files')])
  })
})

test('omits an arrow between folders that are connected through others', () => {
  const chain = [
    { from: 'web/base/ui/overlays/a.ts', to: 'web/base/ui/controls/b.ts' },
    { from: 'web/base/ui/controls/b.ts', to: 'web/base/ui/layout/c.ts' },
    { from: 'web/base/ui/overlays/a.ts', to: 'web/base/ui/layout/c.ts' },
  ]
  const arrows = drawFolders(chain, 'web/base/ui/').match(/\w+ --> \w+/g)
  expect(arrows).toEqual(['overlays --> controls', 'controls --> layout'])
})
