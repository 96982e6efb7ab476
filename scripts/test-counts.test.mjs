import { expect, test } from 'vitest'
import { addCounts, closingLine, countTests } from './test-counts.mjs'

const module = (states, errors = [], suiteErrors = []) => ({
  errors: () => errors,
  children: {
    allSuites: () => [{ errors: () => suiteErrors }],
    allTests: () => states.map((state) => ({ result: () => ({ state }) })),
  },
})

test('counts passed, failed and skipped tests', () => {
  const modules = [module(['passed', 'failed', 'passed']), module(['skipped', 'pending'])]
  expect(countTests(modules, [])).toEqual({ passed: 2, failed: 1, skipped: 2 })
})

test('counts files and hooks that throw, and unhandled errors, as failures', () => {
  const broken = [module([], [new Error('import')]), module(['passed'], [], [new Error('hook')])]
  expect(countTests(broken, [new Error('stray')])).toEqual({ passed: 1, failed: 3, skipped: 0 })
})

test('prints one line with the sums of all suites', () => {
  const sum = addCounts({ passed: 5, failed: 0, skipped: 0 }, { passed: 2, failed: 1, skipped: 0 })
  expect(closingLine(sum)).toBe('7 passed, 1 failed')
  expect(closingLine({ passed: 1, failed: 0, skipped: 2 })).toBe('1 passed, 0 failed, 2 skipped')
})
