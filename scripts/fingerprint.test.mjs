import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isTestFile } from './build-web.mjs'
import { computeFingerprint, readStamp } from './fingerprint.mjs'

let root

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'velour-fingerprint-'))
  mkdirSync(join(root, 'web/ui'), { recursive: true })
  writeFileSync(join(root, 'web/ui/button.tsx'), 'button')
  writeFileSync(join(root, 'web/main.tsx'), 'main')
})
afterEach(() => rmSync(root, { recursive: true }))

const take = () => computeFingerprint(root, ['web', 'missing.ts'], isTestFile)

test('the fingerprint depends on content and names, not on times', () => {
  const before = take()
  utimesSync(join(root, 'web/main.tsx'), 0, 0)
  expect(take()).toBe(before)
  writeFileSync(join(root, 'web/ui/button.tsx'), 'buttons')
  const changed = take()
  expect(changed).not.toBe(before)
  renameSync(join(root, 'web/main.tsx'), join(root, 'web/start.tsx'))
  expect(take()).not.toBe(changed)
})

test('the fingerprint changes when content moves from one file to the next', () => {
  const before = take()
  writeFileSync(join(root, 'web/main.tsx'), 'mai')
  writeFileSync(join(root, 'web/ui/button.tsx'), 'nbutton')
  expect(take()).not.toBe(before)
})

test('the fingerprint ignores tests, and changes when a file is added', () => {
  const before = take()
  writeFileSync(join(root, 'web/main.test.tsx'), 'test')
  expect(take()).toBe(before)
  writeFileSync(join(root, 'missing.ts'), 'here now')
  expect(take()).not.toBe(before)
})

test('returns the stored fingerprint, or null if there is none', () => {
  writeFileSync(join(root, 'stamp'), 'abc\n')
  expect(readStamp(join(root, 'stamp'))).toBe('abc')
  expect(readStamp(join(root, 'none'))).toBe(null)
})
