import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { createAuthTestApp, type AuthTestApp } from './auth-test-app.ts'

let database: TestDatabase
let site: AuthTestApp

beforeAll(async () => {
  database = await createTestDatabase()
  site = await createAuthTestApp(database)
})
afterAll(async () => {
  await site.close()
  await database.drop()
})

test('sign up, in, who am I, out', async () => {
  await site.signUp('Mia@Example.com')
  const cookie = await site.signIn('mia@example.com')
  const me = await site.send({ url: '/api/profile', cookie })
  expect(me.body.data).toMatchObject({
    email: 'mia@example.com',
    role: 'member',
    is_premium: false,
  })
  const out = await site.send({ url: '/api/auth/sign-out', body: {}, cookie })
  expect(out.body).toEqual({ success: true })
  expect((await site.send({ url: '/api/profile', cookie })).body.data).toBeNull()
})
