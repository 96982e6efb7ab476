// Tests sessions whose cookie still has the name of version 0.1, on a service with https.
import { expect, test } from 'vitest'
import {
  toCookieHeader,
  testPassword,
  testSecret,
  useAuthTestSite,
} from '../../testing/auth-test-app.ts'
import { findCookie, renameFormerCookies, withFormerNames } from './cookie-names.ts'
import { createSessionCookie } from '../../features/auth/sessions/session-cookie.ts'

const publicUrl = 'https://music.example'
const headers = { origin: publicUrl, host: 'music.example' }
const site = useAuthTestSite({ publicUrl })

async function signIn(email: string) {
  const { cookies } = await site.send({
    url: '/api/auth/sign-in/email',
    body: { email, password: testPassword },
    headers,
  })
  const [current, former] = cookies.map((cookie) => toCookieHeader([cookie]))
  return { current: current!, former: former! }
}

const findEmail = async (cookie: string) => {
  const { body } = await site.send({ url: '/api/profile', cookie, headers })
  return (body as { data: { email: string } | null }).data?.email ?? null
}

const signOut = (cookie: string) =>
  site.send({ url: '/api/auth/sign-out', body: {}, cookie, headers })

test('accepts a session cookie with the former name, also for signing out', async () => {
  await site.addMember('former@example.com')
  const { former } = await signIn('former@example.com')
  expect(former).toMatch(/^__Secure-velour\.session_token=/)
  expect(await findEmail(former)).toBe('former@example.com')
  expect((await signOut(former)).status).toBe(200)
  expect(await findEmail(former)).toBe(null)
})

test("prefers this host's cookie to one with the former name that another host may have set, in either order", async () => {
  await site.addMember('self@example.com')
  await site.addMember('planter@example.com')
  const own = await signIn('self@example.com')
  const planted = await signIn('planter@example.com')
  expect(await findEmail(`${own.current}; ${planted.former}`)).toBe('self@example.com')
  expect(await findEmail(`${planted.former}; ${own.current}`)).toBe('self@example.com')
  // better-auth ends the same session that our check found.
  const out = await signOut(`${planted.former}; ${own.current}`)
  expect(await findEmail(own.current)).toBe(null)
  expect(await findEmail(planted.former)).toBe('planter@example.com')
  expect(
    out.cookies.filter(({ value }) => value === '').map(({ name }) => name),
    'both names are deleted',
  ).toEqual(
    expect.arrayContaining(['__Host-velour.session_token', '__Secure-velour.session_token']),
  )
})

test('renews a session cookie under both names', async () => {
  await site.addMember('renewed@example.com')
  const { former } = await signIn('renewed@example.com')
  await site.db.query
    .updateTable('sessions as s')
    .from('profiles as p')
    .set({ expires_at: new Date(Date.now() + 20 * 24 * 3600 * 1000).toISOString() })
    .whereRef('p.id', '=', 's.user_id')
    .where('p.email', '=', 'renewed@example.com')
    .execute()
  const { cookies } = await site.send({ url: '/api/profile', cookie: former, headers })
  expect(cookies.map((cookie) => toCookieHeader([cookie]))).toEqual([
    former.replace('__Secure-', '__Host-'),
    former,
  ])
})

test('deletes a session cookie under both names, and passes it to better-auth under one name', async () => {
  await site.addMember('passed@example.com')
  const { current, former } = await signIn('passed@example.com')
  const cookie = createSessionCookie([testSecret], true)
  expect(cookie.clear.map((text) => text.split('=')[0])).toEqual([
    '__Host-velour.session_token',
    '__Secure-velour.session_token',
  ])
  expect(cookie.resign(`a=1; ${former.replace(/=./, '=x')}; ${current}`)).toBe(`${current}; a=1`)
})

test('finds cookies by their full names, and replaces former names', () => {
  expect(findCookie('xa=1; a=2; b=3', ['b', 'a'])).toBe('3')
  expect(findCookie('xa=1', ['a'])).toBe(null)
  const header = '__Secure-velour.two_factor=1; other=2; __Secure-velour.a=3; __Host-velour.a=4'
  expect(renameFormerCookies(header)).toBe('__Host-velour.two_factor=1; other=2; __Host-velour.a=4')
  expect(withFormerNames(['velour.a=1; Path=/'])).toEqual(['velour.a=1; Path=/'])
})
