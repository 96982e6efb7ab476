// Public information about the service, over HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPassword } from '#contract/demo.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
  app.services.demoProgress = () => ({ tracks_ready: 1, tracks_total: 20 })
})
afterAll(() => app.close())

test('includes the demo accounts in responses to requests from this machine', async () => {
  const response = await app.nobody.send('GET', '/api/site')
  expect(response.body).toMatchObject({ demo: { password: demoPassword, tracks_ready: 1 } })
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
})

test.each<Record<string, string>>([
  { 'x-forwarded-for': '8.8.8.8' },
  { 'x-forwarded-host': 'music.example' },
  { forwarded: 'for=8.8.8.8' },
])('hides the demo accounts from requests with %o', async (headers) => {
  const response = await app.nobody.send('GET', '/api/site', { headers })
  expect(response.body).toMatchObject({ brand_name: 'Velour', demo: null })
  expect(JSON.stringify(response.body)).not.toContain(demoPassword)
})

test("leaves out the demo accounts if the request's host name is not a loopback name", async () => {
  const response = await app.app.inject({ url: '/api/site', headers: { host: '192.168.1.5:3000' } })
  expect(response.json()).toMatchObject({ demo: null })
})
