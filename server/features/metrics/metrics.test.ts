import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

const token = 'a-token-of-the-collector'
let server: TestApp

beforeAll(async () => {
  server = await createTestApp({ metricsToken: token })
})
afterAll(() => server.close())

const scrape = (authorization?: string) =>
  fetch(`${server.url}/metrics`, { headers: authorization ? { authorization } : {} })

test('counts requests by route, and returns gauges for streams, connections and jobs', async () => {
  await server.nobody.send('GET', '/api/tracks/6f8f7d1e-0000-4000-8000-000000000000')
  await server.nobody.send('GET', '/api/tracks/6f8f7d1e-0000-4000-8000-000000000001')
  const response = await scrape(`Bearer ${token}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  expect(text).toMatch(
    /velour_http_request_duration_seconds_count\{method="GET",route="\/api\/tracks\/:id",status="401"\} 2/,
  )
  expect(text).toContain('velour_streams_active 0')
  expect(text).toContain('velour_events_connected 1')
  expect(text).toContain('velour_jobs{job="process-track",state="failed"} 0')
  expect(text).toMatch(/process_resident_memory_bytes \d/)
  expect(text).not.toContain('6f8f7d1e')
})

test('returns exactly the metrics that docs/operations.md documents', async () => {
  const page = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| `velour_'))
  const explained = rows.flatMap((row) => row.split('|')[1]!.match(/velour_\w+/g) ?? [])
  const text = await (await scrape(`Bearer ${token}`)).text()
  const exposed = [...text.matchAll(/^# TYPE (velour_\w+)/gm)].map(([, name = '']) => name)
  expect(explained.toSorted()).toEqual(exposed.toSorted())
})

test.each([undefined, 'Bearer ', 'Bearer wrong-token-of-someone', token])(
  'returns 401 for the authorization %j',
  async (authorization) => {
    const response = await scrape(authorization)
    expect(response.status).toBe(401)
    expect(await response.text()).not.toContain('velour_')
  },
)

test('returns 404 when no token is configured', async () => {
  const other = await createTestApp()
  const response = await fetch(`${other.url}/metrics`, {
    headers: { authorization: 'Bearer null' },
  })
  expect(response.status).toBe(404)
  await other.close()
})
