// Vitest reporter that passes the results of a run to `npm test`, which adds them up over its suites.
import { writeFileSync } from 'node:fs'

export default class TestCountsReporter {
  onTestRunEnd(testModules, unhandledErrors) {
    const counts = countTests(testModules, unhandledErrors)
    if (process.env.VELOUR_TEST_COUNTS) {
      writeFileSync(process.env.VELOUR_TEST_COUNTS, JSON.stringify(counts))
    }
  }
}

/**
 * A file or hook that throws counts as one failure in addition to its failed tests. So does each unhandled error.
 * `failures` has one line per failure: file, title and the first line of the error.
 */
export function countTests(testModules, unhandledErrors) {
  const counts = { passed: 0, skipped: 0, failures: [] }
  const addFailures = (where, errors) => {
    for (const error of errors) counts.failures.push(`${where}: ${firstLine(error)}`)
  }
  addFailures('outside all tests', unhandledErrors)
  for (const testModule of testModules) {
    const file = testModule.relativeModuleId
    addFailures(file, testModule.errors())
    for (const suite of testModule.children.allSuites()) {
      addFailures(`${file} > ${suite.fullName}`, suite.errors())
    }
    for (const test of testModule.children.allTests()) {
      const { state, errors } = test.result()
      if (state === 'passed') counts.passed++
      else if (state === 'failed') addFailures(`${file} > ${test.fullName}`, [errors?.[0]])
      else counts.skipped++
    }
  }
  return counts
}

function firstLine(error) {
  return String(error?.message ?? 'no message')
    .trim()
    .split('\n')[0]
}

export function addCounts(a, b) {
  return {
    passed: a.passed + b.passed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
  }
}

/** The last lines that `npm test` prints: each failure, then the sums. */
export function formatSummary({ passed, skipped, failures }) {
  const sums = `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  return [...failures.map((failure) => `FAILED ${failure}`), sums].join('\n')
}
