import { afterAll, beforeAll, expect, test } from 'vitest'
import { findContractEndpoints } from '../../testing/contract-endpoints.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const today = new Date().toISOString().slice(0, 10)
const range = `start=${today}&end=${today}`
const queries: Record<string, string[]> = {
  '/api/admin-insights/export.csv': ['days', 'tracks', 'ledger'].map(
    (what) => `${range}&what=${what}`,
  ),
  '/api/admin-royalties/export.csv': ['month=2026-01&currency=usd'],
}
const endpoints = (await findContractEndpoints()).map(({ endpoint }) => endpoint)
const exports = endpoints
  .filter(({ produces }) => produces === 'text/csv')
  .flatMap(({ path }) => (queries[path] ?? ['']).map((query) => `${path}?${query}`))

test('the contract has exports of people, the audit log and Insights', () => {
  expect(exports.length).toBeGreaterThanOrEqual(5)
})

test.each(exports)(
  '%s starts with a UTF-8 byte-order mark, followed by the column names',
  async (path) => {
    const response = await fetch(app.url + path, { headers: { cookie: admin.cookie } })
    expect(response.status).toBe(200)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(bytes.subarray(3).toString()).toMatch(/^\w+,[\w,]+\n/)
  },
)
