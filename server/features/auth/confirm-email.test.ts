import { expect, test } from 'vitest'
import { testPassword, useAuthTestSite } from '../../testing/auth-test-app.ts'

const site = useAuthTestSite({ requireEmailVerification: true })

const email = 'new@example.com'
const signIn = () =>
  site.send({ url: '/api/auth/sign-in/email', body: { email, password: testPassword } })

test('if the owner requires confirmation, sign-in is refused until the link in the email is opened', async () => {
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
  const welcome = 'Your Velour account is ready'
  expect((await site.subjectsTo(email)).at(-1)).toBe(welcome)
  // Opening the link a second time changes nothing.
  await site.send({ url: link.pathname + link.search })
  expect((await site.subjectsTo(email)).filter((subject) => subject === welcome)).toHaveLength(1)
})

test('concurrent requests that confirm an address send one welcome email', async () => {
  const body = { email: 'at-once@example.com', password: testPassword }
  await site.send({ url: '/api/auth/sign-up/email', body })
  const url = `/api/auth/verify-email?token=${await site.mailedToken(body.email)}`
  await Promise.all(Array.from({ length: 5 }, () => site.send({ url })))
  expect(await site.subjectsTo(body.email)).toEqual([
    'Welcome to Velour: please confirm your address',
    'Your Velour account is ready',
  ])
})

test('confirming an address clears its record of bounced emails', async () => {
  const body = { email: 'again@example.com', password: testPassword }
  await site.send({ url: '/api/auth/sign-up/email', body })
  const { query } = site.db
  const person = query.selectFrom('profiles').select('id').where('email', '=', body.email)
  const { id: user_id } = await person.executeTakeFirstOrThrow()
  await query
    .insertInto('refused_addresses')
    .values({ user_id, email: body.email, refusals: 3, reason: 'no room' })
    .execute()
  const token = await site.mailedToken(body.email)
  await site.send({ url: `/api/auth/verify-email?token=${token}` })
  expect(await query.selectFrom('refused_addresses').selectAll().execute()).toEqual([])
})

test('opening the link in the email returns to the page where the sign-up started', async () => {
  const next = '/my-playlists/1?x=1#row'
  const body = { email: 'onward@example.com', password: testPassword, redirectTo: next }
  expect((await site.send({ url: '/api/auth/sign-up/email', body })).status).toBe(200)
  const mail = (await site.mails()).findLast(({ to }) => to?.[0]?.address === body.email)
  const link = new URL(/http:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? '')
  expect(await site.send({ url: link.pathname + link.search })).toMatchObject({
    status: 303,
    headers: { location: `/auth?${new URLSearchParams({ confirmed: 'true', next })}` },
  })
})

test('a link with a return address on another site does not redirect there', async () => {
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
    const query = new URLSearchParams({ token: 'nonsense', next })
    expect(await site.send({ url: `/api/auth/verify-email?${query}` })).toMatchObject({
      status: 303,
      headers: { location: '/auth?error=confirm_token_invalid' },
    })
  }
})

test('opening an invalid link shows a message', async () => {
  for (const token of ['nonsense', 'eyJhbGciOiJub25lIn0.eyJlbWFpbCI6Im5ld0BleGFtcGxlLmNvbSJ9.']) {
    const opened = await site.send({ url: `/api/auth/verify-email?token=${token}` })
    expect(opened).toMatchObject({
      status: 303,
      headers: { location: '/auth?error=confirm_token_invalid' },
    })
  }
})

test('the address of an account that an admin created is confirmed', async () => {
  await site.addMember('vouched@example.com')
  expect(await site.signIn('vouched@example.com')).toContain('velour.session_token=')
})
