import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test.each([
  ['PUT', '/api/tracks', 'GET, HEAD'],
  ['OPTIONS', '/api/tracks', 'GET, HEAD'],
  ['QUERY', '/api/tracks', 'GET, HEAD'],
  ['PROPFIND', '/api/profile?x=1', 'GET, HEAD, PATCH'],
  ['LOCK', '/healthz', 'GET, HEAD'],
  // Paths that also match a route with a parameter.
  ['GET', '/api/admin-tracks/by-hash', 'POST'],
  ['PATCH', '/api/admin-tracks/import', 'POST'],
  ['DELETE', '/api/admin-users/export.csv', 'GET, HEAD'],
  ['POST', '/api/admin-genres/0191a0c0-0000-7000-8000-00000000dead', 'PATCH, DELETE'],
])('refuses %s %s and lists the allowed methods: %s', async (method, path, allow) => {
  const response = await app.nobody.send(method, path)
  expect([response.status, response.code]).toEqual([405, 'method_not_allowed'])
  expect(response.headers.get('allow')).toBe(allow)
})

test.each(['GET', 'OPTIONS', 'QUERY', 'PUT'])(
  'returns 404 for %s on an unknown path',
  async (method) => {
    const response = await app.nobody.send(method, '/api/nothing-here')
    expect([response.status, response.code]).toEqual([404, 'not_found'])
    expect(response.headers.get('allow')).toBeNull()
  },
)

test('no header or parameter overrides the method', async () => {
  const admin = await app.makePerson({ role: 'admin' })
  const person = await app.makePerson()
  for (const path of [
    `/api/admin-users/${person.id}`,
    `/api/admin-users/${person.id}?_method=DELETE`,
  ]) {
    for (const name of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const response = await admin.send('POST', path, {
        body: { _method: 'DELETE' },
        headers: { [name]: 'DELETE' },
      })
      expect(response.code).toBe('method_not_allowed')
    }
  }
})
