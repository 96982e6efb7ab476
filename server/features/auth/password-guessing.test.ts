// When someone guesses one account's password from many addresses, strangers are throttled, and the owner can still
// sign in.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { authLimits } from '#contract/rate-limit.ts'
import { getAddressKey } from '../../platform/limits/limit-keys.ts'
import {
  toCookieHeader,
  readKnownBrowserCookie,
  testPassword,
  useAuthTestSite,
} from '../../testing/auth-test-app.ts'

const site = useAuthTestSite({ minResponseMs: 0 })

let addresses = 0
const freshAddress = () => `127.3.${Math.floor(++addresses / 250)}.${1 + (addresses % 250)}`
const signIn = (email: string, password = testPassword, cookie = '') =>
  site.send({
    url: '/api/auth/sign-in/email',
    body: { email, password },
    cookie,
    remoteAddress: freshAddress(),
  })
/** Sends `count` wrong passwords concurrently and returns the status codes in ascending order. */
const guess = async (email: string, count: number) => {
  const attempts = Array.from({ length: count }, (_, i) => signIn(email, `wrong guess ${i}`))
  return (await Promise.all(attempts)).map(({ status }) => status).toSorted((a, b) => a - b)
}
const warning = 'Someone is guessing the password of your Velour account'
const warningsTo = async (email: string) =>
  (await site.subjectsTo(email)).filter((subject) => subject === warning)
const expireLimit = (name: string) =>
  site.db.query
    .updateTable('rate_limits')
    .set({ resets_at: sql`now() - interval '1 second'` })
    .where('key', 'like', `${name}:%`)
    .execute()

test('after 20 wrong passwords in an hour, checks one attempt per 45 seconds', async () => {
  const email = 'guessed@example.com'
  await site.addMember(email)
  expect(await guess(email, 23)).toEqual([...Array<number>(21).fill(401), 429, 429])
  const refused = await signIn(email)
  expect(refused.status).toBe(429)
  const seconds = Number(refused.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(45)
  await expireLimit('sign-in-slow')
  expect((await signIn(email)).status).toBe(200)
})

test('the owner gets at most one email an hour; its link sets a new password that works immediately', async () => {
  const email = 'warned@example.com'
  await site.addMember(email)
  await guess(email, 20)
  expect(await warningsTo(email)).toEqual([])
  await guess(email, 10)
  expect(await warningsTo(email)).toEqual([warning])
  const body = { token: await site.mailedToken(email), newPassword: 'a brand new password' }
  const reset = await site.send({ url: '/api/auth/reset-password', body })
  expect(reset.status).toBe(200)
  // The guessing continues while the owner resets the password.
  expect((await guess(email, 1))[0]).toBe(429)
  const known = readKnownBrowserCookie(reset.cookies)
  expect((await signIn(email, body.newPassword, known)).status).toBe(200)
  await expireLimit('guess-warning')
  await guess(email, 1)
  expect(await warningsTo(email)).toEqual([warning, warning])
})

test('a known browser is not throttled for the account that it signed in to, but for other accounts', async () => {
  const [email, other] = ['regular@example.com', 'neighbor@example.com']
  for (const each of [email, other]) await site.addMember(each)
  const known = readKnownBrowserCookie((await signIn(email)).cookies)
  expect(known).not.toBe('')
  await guess(email, 25)
  expect((await signIn(email)).status).toBe(429)
  expect((await signIn(email, testPassword, known)).status).toBe(200)
  expect((await signIn(email, testPassword, known.slice(0, -2))).status).toBe(429)
  await guess(other, 25)
  expect((await signIn(other, testPassword, known)).status).toBe(429)
  // The known-browser cookie is not accepted as a session.
  expect((await site.send({ url: '/api/profile', cookie: known })).body).toEqual({ data: null })
})

test('wrong passwords from a known browser have their own limit', async () => {
  const email = 'shared-computer@example.com'
  await site.addMember(email)
  const known = readKnownBrowserCookie((await signIn(email)).cookies)
  const statuses: number[] = []
  for (let i = 0; i < 22; i++) statuses.push((await signIn(email, `wrong ${i}`, known)).status)
  expect(statuses).toEqual([...Array<number>(20).fill(401), 429, 429])
})

test('attempts that are refused for one network address do not throttle the account', async () => {
  const email = 'one-address@example.com'
  await site.addMember(email)
  const remoteAddress = freshAddress()
  for (let i = 0; i < 30; i++) {
    const body = { email, password: 'wrong' }
    await site.send({ url: '/api/auth/sign-in/email', body, remoteAddress })
  }
  expect(await warningsTo(email)).toEqual([])
  expect((await signIn(email)).status).toBe(200)
})

test('an address without an account gets the same response, and no email is sent', async () => {
  const before = (await site.mails()).length
  expect(await guess('stranger@example.com', 23)).toEqual([
    ...Array<number>(21).fill(401),
    429,
    429,
  ])
  expect(await site.mails()).toHaveLength(before)
})

test('a correct password sets the known-browser cookie as HttpOnly and only for /api/auth', async () => {
  await site.addMember('cookies@example.com')
  const answer = await signIn('cookies@example.com')
  const { text } = answer.cookies.find(({ name }) => name === 'velour.known_browser')!
  expect(text.split('; ').slice(1)).toEqual([
    'Max-Age=31536000',
    'Path=/api/auth',
    'HttpOnly',
    'SameSite=Lax',
  ])
  expect(text).not.toContain('cookies')
  expect(toCookieHeader(answer.cookies)).not.toContain('known_browser')
})

test('a whole IPv6 /56 network is allowed four times the attempts of a single /64', async () => {
  const { count } = authLimits.mailTokenAddress
  const guessToken = (net: number) =>
    site.send({
      url: '/api/auth/reset-password',
      body: { token: 'guess', newPassword: 'a brand new password' },
      remoteAddress: `2001:db8:1:10${net.toString(16).padStart(2, '0')}::1`,
    })
  expect(getAddressKey('2001:db8:1:1000::1')).not.toBe(getAddressKey('2001:db8:1:1001::1'))
  for (let net = 0; net < 4; net++) {
    const responses = await Promise.all(Array.from({ length: count }, () => guessToken(net)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]))
  }
  expect((await guessToken(4)).status).toBe(429)
})
