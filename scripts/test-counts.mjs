// Vitest reporter that passes the counts of a run to `npm test`, which adds them up over its suites.
import { writeFileSync } from 'node:fs'

export default class TestCountsReporter {
  onTestRunEnd(testModules, unhandledErrors) {
    const counts = countTests(testModules, unhandledErrors)
    if (process.env.VELOUR_TEST_COUNTS) {
      writeFileSync(process.env.VELOUR_TEST_COUNTS, JSON.stringify(counts))
    }
  }
}

/** A file or hook that throws counts as one failure in addition to its tests. So does each unhandled error. */
export function countTests(testModules, unhandledErrors) {
  const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
  for (const testModule of testModules) {
    counts.failed += testModule.errors().length
    for (const suite of testModule.children.allSuites()) counts.failed += suite.errors().length
    for (const test of testModule.children.allTests()) {
      const { state } = test.result()
      counts[state === 'pending' ? 'skipped' : state]++
    }
  }
  return counts
}

export function addCounts(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  }
}

/** The last line that `npm test` prints. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
