// Fuzzes every operation as every kind of person, with valid and invalid inputs. FUZZ_SEED repeats a run, FUZZ_REQUESTS
// makes it longer.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fuzzEndpoints } from './fuzz-endpoints.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 50_000)

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ trustProxy: ['127.0.0.1'] })
})
afterAll(() => app.close())

test(
  `${requests} generated requests get only responses that the contract declares`,
  { timeout: 1_800_000 },
  async () => {
    process.stdout.write(`  FUZZ_SEED=${seed}\n`)
    const report = await fuzzEndpoints(app, { requests, seed })
    const { problems, statuses, slowestMs } = report
    process.stdout.write(`  ${JSON.stringify(statuses)}, slowest ${Math.round(slowestMs)} ms\n`)
    expect(problems.length, problems.slice(0, 20).join('\n')).toBe(0)
    // Afterwards the server must still be ready.
    expect((await app.nobody.send('GET', '/readyz')).status).toBe(200)
  },
)
