import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { createAuthTestApp, testPassword, type AuthTestApp } from './auth-test-app.ts'

let database: TestDatabase
let site: AuthTestApp

beforeAll(async () => {
  database = await createTestDatabase()
  site = await createAuthTestApp({ ...database, requireEmailVerification: true })
})
afterAll(async () => {
  await site.close()
  await database.drop()
})

const email = 'new@example.com'
const signIn = () =>
  site.send({ url: '/api/auth/sign-in/email', body: { email, password: testPassword } })

test('where the owner requires it, signing in waits for the link in the mail', async () => {
  const up = await site.send({
    url: '/api/auth/sign-up/email',
    body: { email, password: testPassword },
  })
  expect(up).toMatchObject({ status: 200, body: { confirmEmail: true } })
  expect(await signIn()).toMatchObject({
    status: 403,
    body: { error: { code: 'email_not_verified' } },
  })
  const wrong = { email, password: 'not the password' }
  expect((await site.send({ url: '/api/auth/sign-in/email', body: wrong })).status).toBe(401)

  const mails = await site.mails()
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Welcome to Velour: please confirm your address',
    'Welcome to Velour: please confirm your address',
  ])
  const link = new URL(/http:\/\/\S+/.exec(mails[0]?.text ?? '')?.[0] ?? '')
  const opened = await site.send({ url: link.pathname + link.search })
  expect(opened).toMatchObject({
    status: 303,
    headers: { location: '/auth?confirmed=true' },
    cookies: [],
  })
  expect((await signIn()).status).toBe(200)
})

test('a link that nobody sent leads to a message', async () => {
  for (const token of ['nonsense', 'eyJhbGciOiJub25lIn0.eyJlbWFpbCI6Im5ld0BleGFtcGxlLmNvbSJ9.']) {
    const opened = await site.send({ url: `/api/auth/verify-email?token=${token}` })
    expect(opened).toMatchObject({
      status: 303,
      headers: { location: '/auth?error=confirm_token_invalid' },
    })
  }
})

test('accounts that an admin makes are confirmed', async () => {
  await site.addMember('vouched@example.com')
  expect(await site.signIn('vouched@example.com')).toContain('velour.session_token=')
})
