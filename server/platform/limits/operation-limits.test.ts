import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type Caller, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ trustProxy: ['127.0.0.1'] })
})
afterAll(() => app.close())

const visit = (caller: Caller, address: string) =>
  caller.send('POST', '/api/not-found-visits', {
    body: { path: '/gone' },
    headers: { 'x-forwarded-for': address },
  })

test('counts visitors by the IP address that the proxy reports', async () => {
  const codes = []
  for (let i = 0; i < 31; i++) codes.push((await visit(app.nobody, '203.0.113.9')).code)
  expect(codes.filter(Boolean)).toEqual(['rate_limited'])
  // Only the last entry of X-Forwarded-For is from the proxy. Earlier ones are ignored.
  expect((await visit(app.nobody, '198.51.100.1, 203.0.113.9')).code).toBe('rate_limited')
  expect((await visit(app.nobody, '203.0.113.10')).status).toBe(204)
})

test('counts signed-in people by account across addresses', async () => {
  const [person, other] = [await app.makePerson(), await app.makePerson()]
  const codes = []
  for (let i = 0; i < 31; i++) codes.push((await visit(person, `203.0.113.${i + 20}`)).code)
  expect(codes.filter(Boolean)).toEqual(['rate_limited'])
  const refused = await visit(person, '203.0.113.200')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await visit(other, '203.0.113.20')).status).toBe(204)
})

test('ignores X-Forwarded-For without a trusted proxy', async () => {
  const direct = await createTestApp()
  const codes = []
  for (let i = 0; i < 31; i++) codes.push((await visit(direct.nobody, `203.0.113.${i}`)).code)
  expect(codes.filter(Boolean)).toEqual(['rate_limited'])
  await direct.close()
})
