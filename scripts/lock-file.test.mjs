import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findLockProblems } from './lock-file.mjs'
import { root } from './project-paths.mjs'

const integrity = `sha512-${'A'.repeat(86)}==`
const findProblems = (entry) =>
  findLockProblems({
    packages: {
      '': { dependencies: { a: '1.0.0' } },
      'node_modules/a': { integrity, license: 'MIT', dependencies: { b: '1.0.0' } },
      'node_modules/a/node_modules/b': entry,
    },
  })

test('package-lock.json has no problems', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  expect(findLockProblems(lock)).toEqual([])
})

test('ignores licenses of packages that only tests use', () => {
  const packages = {
    '': {},
    'packages/testing': { dependencies: { a: '1.0.0' } },
    'node_modules/velour-testing': { resolved: 'packages/testing', link: true },
    'node_modules/a': { integrity, license: 'AGPL-3.0-only' },
  }
  expect(findLockProblems({ packages })).toEqual([])
})

test.each([
  [{ integrity, license: 'MIT' }, 0],
  [{ integrity, license: '(MIT OR CC0-1.0)' }, 0],
  [{ license: 'MIT' }, 1],
  [{ integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=', license: 'MIT' }, 1],
  [{ integrity, license: 'MIT', resolved: 'git+ssh://git@example.com/a.git' }, 1],
  [{ link: true, license: 'MIT' }, 1],
  [{ integrity, license: 'AGPL-3.0-only' }, 1],
  [{ integrity, license: 'GPL-2.0-or-later' }, 1],
  [{ integrity }, 1],
  [{ integrity, license: 'AGPL-3.0-only', dev: true }, 0],
])('%o has %i problems', (entry, count) => {
  expect(findProblems(entry)).toHaveLength(count)
})
