import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../db/database.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { startWorker } from '../../worker.ts'
import { readTraceparent } from './tracer.ts'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: object }[]
}

let collector: Server
let app: TestApp
const received: { path: string; headers: IncomingHttpHeaders; spans: Span[]; service: unknown }[] =
  []

beforeAll(async () => {
  collector = createServer((request, response) => {
    const take = async () => {
      const body = (await json(request)) as {
        resourceSpans: { resource: unknown; scopeSpans: { spans: Span[] }[] }[]
      }
      const [{ resource, scopeSpans } = { resource: null, scopeSpans: [] }] = body.resourceSpans
      const spans = scopeSpans.flatMap((scope) => scope.spans)
      received.push({ path: request.url ?? '', headers: request.headers, spans, service: resource })
      response.end('{}')
    }
    take().catch((error: unknown) => response.destroy(error as Error))
  })
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  app = await createTestApp({
    traces: {
      endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
      headers: { 'x-key': 'of-the-owner' },
      serviceName: 'velour-test',
    },
  })
})
afterAll(async () => {
  await app.close()
  collector.close()
})

const spansNamed = async (name: string) => {
  await app.services.tracer?.flush()
  return received.flatMap(({ spans }) => spans).filter((span) => span.name === name)
}

test('records a request as a span in the trace of its caller, without ids and queries', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const path = '/api/tracks/6f8f7d1e-0000-4000-8000-000000000000?token=abc'
  await app.nobody.send('GET', path, { headers: { traceparent } })
  await expect.poll(() => spansNamed('GET /api/tracks/:id')).toHaveLength(1)
  const [span] = await spansNamed('GET /api/tracks/:id')
  expect(span).toMatchObject({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: 'b7ad6b7169203331',
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    kind: 2,
  })
  expect(span?.attributes).toContainEqual({
    key: 'http.response.status_code',
    value: { intValue: '401' },
  })
  const tookNs = BigInt(span!.endTimeUnixNano) - BigInt(span!.startTimeUnixNano)
  expect(Number(tookNs)).toBeGreaterThan(0)
  expect(Math.abs(Number(BigInt(span!.endTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(
    60_000,
  )
  expect(JSON.stringify(span)).not.toMatch(/6f8f7d1e|abc/)
  expect(received[0]).toMatchObject({
    path: '/v1/traces',
    headers: { 'x-key': 'of-the-owner', 'content-type': 'application/json' },
    service: { attributes: [{ key: 'service.name', value: { stringValue: 'velour-test' } }] },
  })
})

test('records nothing for an unsampled caller, and starts a new trace without a caller', async () => {
  const unsampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
  await app.nobody.send('GET', '/api/site', { headers: { traceparent: unsampled } })
  await app.nobody.send('GET', '/api/site')
  await expect.poll(() => spansNamed('GET /api/site')).toHaveLength(1)
  expect((await spansNamed('GET /api/site'))[0]).not.toHaveProperty('parentSpanId')
})

test('records a job as a span', async () => {
  const { db, jobs } = app.services
  const track_id = crypto.randomUUID()
  await transaction(db, (trx) => jobs.enqueue(trx, 'retag-track', { track_id }))
  const worker = await startWorker(app.services)
  await expect.poll(() => spansNamed('job retag-track'), { timeout: 10_000 }).toHaveLength(1)
  await worker.stop()
})

test('ignores an invalid traceparent header', () => {
  const zeros = '0'.repeat(32)
  for (const header of ['', 'x', `00-${zeros}-b7ad6b7169203331-01`, undefined]) {
    expect(readTraceparent(header)).toBeNull()
  }
})
