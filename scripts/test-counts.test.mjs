import { expect, test } from 'vitest'
import { addCounts, formatSummary, countTests } from './test-counts.mjs'

const module = (states, errors = [], suiteErrors = []) => ({
  relativeModuleId: 'a.test.ts',
  errors: () => errors,
  children: {
    allSuites: () => [{ fullName: 'group', errors: () => suiteErrors }],
    allTests: () =>
      states.map((state, index) => ({
        fullName: `group > test ${index}`,
        result: () => ({
          state,
          errors: state === 'failed' ? [new Error('expected 1\nto be 2')] : [],
        }),
      })),
  },
})

test('counts passed and skipped tests, and names failed ones', () => {
  const modules = [module(['passed', 'failed', 'passed']), module(['skipped', 'pending'])]
  expect(countTests(modules, [])).toEqual({
    passed: 2,
    skipped: 2,
    failures: ['a.test.ts > group > test 1: expected 1'],
  })
})

test('counts files and hooks that throw, and unhandled errors, as failures and names them', () => {
  const broken = [module([], [new Error('import')]), module(['passed'], [], [new Error('hook')])]
  expect(countTests(broken, [new Error('stray')])).toEqual({
    passed: 1,
    skipped: 0,
    failures: ['outside all tests: stray', 'a.test.ts: import', 'a.test.ts > group: hook'],
  })
})

test('prints each failure, then the sums of all suites', () => {
  const sum = addCounts(
    { passed: 5, skipped: 0, failures: [] },
    { passed: 2, skipped: 0, failures: ['a.test.ts: import'] },
  )
  expect(formatSummary(sum)).toBe('FAILED a.test.ts: import\n7 passed, 1 failed')
  expect(formatSummary({ passed: 1, skipped: 2, failures: [] })).toBe(
    '1 passed, 0 failed, 2 skipped',
  )
})
