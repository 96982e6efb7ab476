// Only a valid session exempts a request from the rate limit for visitors.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anonymousRequestsPerMinute } from '../../platform/limits/anonymous-traffic.ts'
import { createTestApp, type Caller, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

async function countRefused(caller: Caller): Promise<number> {
  const statuses: number[] = []
  for (let sent = 0; sent < anonymousRequestsPerMinute + 100; sent += 50) {
    const responses = Array.from({ length: 50 }, () => caller.send('GET', '/api/site'))
    for (const { status } of await Promise.all(responses)) statuses.push(status)
  }
  return statuses.filter((status) => status === 429).length
}

test('requests of signed-in members do not count against the visitor limit, but requests with an ended session do', async () => {
  const [member, gone] = [await app.makePerson(), await app.makePerson()]
  expect(await countRefused(member)).toBe(0)
  expect((await gone.send('POST', '/api/auth/sign-out', { body: {} })).status).toBe(200)
  expect(await countRefused(gone)).toBeGreaterThan(0)
  expect((await app.nobody.send('GET', '/api/site')).status).toBe(429)
  expect((await member.send('GET', '/api/site')).status).toBe(200)
})
