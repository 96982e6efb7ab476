// A short run of the fuzzing suite; `npm run test:security` is the long one.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fuzzEndpoints } from './fuzz-endpoints.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ trustProxy: ['127.0.0.1'] })
})
afterAll(() => app.close())

test(
  '1,500 generated requests get only responses that the contract declares',
  { timeout: 300_000 },
  async () => {
    const report = await fuzzEndpoints(app, { requests: 1500, seed: 20_261_121 })
    expect(report.problems.join('\n')).toBe('')
    expect(report.statuses['200']).toBeGreaterThan(100)
  },
)
