// Sends cross-site requests with the cookie of a signed-in admin to every operation that changes something. Forms,
// images and scripts of other sites must be refused and change nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findContractEndpoints } from './contract-endpoints.ts'
import { createTestApp, type Person, type TestApp } from './test-app.ts'

const changing = (await findContractEndpoints()).filter(({ endpoint }) => endpoint.method !== 'GET')
let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const buildUrl = (path: string) => path.replaceAll(/:\w+/g, '0191a0c0-0000-7000-8000-00000000dead')

describe.each([
  ['another site', { origin: 'https://evil.example' }],
  ['a subdomain', { origin: 'http://evil.127.0.0.1.example' }],
  ['a frame without an origin', { origin: 'null' }],
  ['another port', { origin: 'http://127.0.0.1:1' }],
  ['a page that hides its origin', { 'sec-fetch-site': 'cross-site' }],
])('requests from %s', (_name, headers) => {
  test.each(changing)('are refused by $name', async ({ endpoint }) => {
    const response = await admin.send(endpoint.method, buildUrl(endpoint.path), {
      body: {},
      headers: { ...headers, 'sec-fetch-mode': 'no-cors' },
    })
    expect([response.status, response.code]).toEqual([403, 'foreign_origin'])
  })
})

test.each(changing.filter(({ endpoint }) => endpoint.body))(
  '$name accepts no content type that a form can send',
  async ({ endpoint }) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain; application/json',
    ]) {
      const response = await admin.send(endpoint.method, buildUrl(endpoint.path), {
        body: '{}',
        headers: { 'content-type': type },
      })
      expect([response.status, response.code]).toEqual([415, 'unsupported_content_type'])
    }
  },
)

test('no GET operation changes anything', async () => {
  const reading = (await findContractEndpoints()).filter(
    ({ endpoint }) => endpoint.method === 'GET',
  )
  // Links in emails are GET requests, and their token authorizes the change.
  expect(reading.filter(({ endpoint }) => endpoint.body)).toEqual([])
})

test("the admin's session survived all requests", async () => {
  expect((await admin.send('GET', '/api/admin-settings')).status).toBe(200)
})
