// docs/caches.md must list every server file with an in-memory cache.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path) => readFileSync(join(root, path), 'utf8')

test('docs/caches.md lists exactly the files with a cache', () => {
  const files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join('server', path))
    .filter((path) => /new LRUCache|bus\.onMissed\(/.test(read(path)))
    // This file is not a cache, because it only forwards events to browsers.
    .filter((path) => path !== 'server/features/live-events/live-events.ts')
  const named = [...read('docs/caches.md').matchAll(/^\| `(server\/[^`]+)`/gm)]
  expect([...new Set(named.map(([, path]) => path))].toSorted()).toEqual(files.toSorted())
})
