// The demo's public password is refused for requests from other machines.
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { demoPassword } from '#contract/demo.ts'
import { useAuthTestSite } from '../../testing/auth-test-app.ts'

const email = 'somebody@example.com'
const site = useAuthTestSite({ minResponseMs: 0 })
beforeAll(async () => {
  await site.addMember(email, demoPassword)
})

// Delete the counts, because refused sign-ins count as wrong passwords.
beforeEach(() => site.db.query.deleteFrom('rate_limits').execute())

const signIn = (request: { headers?: Record<string, string>; remoteAddress?: string }) =>
  site.send({ url: '/api/auth/sign-in/email', body: { email, password: demoPassword }, ...request })

test.each([
  [{ headers: { 'x-forwarded-for': '8.8.8.8' } }],
  [{ headers: { 'x-forwarded-proto': 'https' } }],
  [{ headers: { forwarded: 'for=8.8.8.8' } }],
  [{ headers: { via: '1.1 proxy' } }],
  [{ headers: { host: 'music.example' } }],
  [{ headers: { host: '192.168.1.5:3000' } }],
  [{ remoteAddress: '192.168.1.9', headers: { host: '127.0.0.1:3000' } }],
])('refuses the demo password in a request with %o', async (request) => {
  const response = await signIn(request)
  expect([response.status, response.body]).toMatchObject([
    401,
    { error: { code: 'invalid_credentials' } },
  ])
  expect(response.cookies.filter(({ value }) => value)).toEqual([])
})

test.each(['127.0.0.1:3000', 'localhost:3000', 'velour.localhost', '[::1]:3000'])(
  'accepts the demo password from this machine under the host name %s',
  async (host) => {
    expect((await signIn({ headers: { host } })).status).toBe(200)
  },
)
