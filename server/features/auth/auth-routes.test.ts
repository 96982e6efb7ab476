import { describe, expect, test } from 'vitest'
import {
  toCookieHeader,
  createAuthTestApp,
  testPassword,
  useAuthTestSite,
} from '../../testing/auth-test-app.ts'

const site = useAuthTestSite()

const signUp = (body: object, remoteAddress?: string) =>
  site.send({ url: '/api/auth/sign-up/email', body, ...(remoteAddress && { remoteAddress }) })
const signIn = (body: object, remoteAddress?: string) =>
  site.send({ url: '/api/auth/sign-in/email', body, ...(remoteAddress && { remoteAddress }) })
const code = (value: string) => ({ error: { code: value } })

describe('sign-up, sign-in and sign-out', () => {
  test('succeed one after the other', async () => {
    const up = await signUp({ email: ' Mia@Example.COM', password: testPassword, name: 'Mia' })
    expect(up).toMatchObject({ status: 200, body: { confirmEmail: false }, cookies: [] })

    const cookie = await site.signIn('MIA@example.com')
    const me = await site.send({ url: '/api/profile', cookie })
    expect(me.body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        email: 'mia@example.com',
        email_verified: false,
        display_name: 'Mia',
        avatar_url: null,
        role: 'member',
        subscription_status: 'inactive',
        subscription_tier: 'free',
        subscription_ends_at: null,
        trial_ends_at: null,
        payment_problem: null,
        is_premium: false,
        two_factor_enabled: false,
        second_factor_required: false,
      },
    })
    expect((await site.send({ url: '/api/auth/get-session', cookie })).body).toEqual({
      session: {
        id: expect.any(String),
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
      },
      user: {
        id: expect.any(String),
        email: 'mia@example.com',
        emailVerified: false,
        name: 'Mia',
        twoFactorEnabled: false,
      },
    })

    const out = await site.send({ url: '/api/auth/sign-out', body: {}, cookie })
    expect(out).toMatchObject({ status: 200, body: { success: true } })
    expect(out.cookies[0]?.text).toContain('Max-Age=0')
    expect((await site.send({ url: '/api/profile', cookie })).body).toEqual({ data: null })
    expect((await site.send({ url: '/api/auth/get-session', cookie })).body).toBeNull()
  })

  test('the response to a sign-in contains no token', async () => {
    await site.addMember('silent@example.com')
    const answer = await signIn({ email: 'silent@example.com', password: testPassword })
    expect(answer.body).toEqual({ twoFactorRedirect: false })
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('return a specific error for an invalid address or password', async () => {
    expect(await signUp({ email: 'nobody', password: testPassword })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_email', message: 'Please enter a valid email address.' } },
    })
    const email = 'careful@example.com'
    expect((await signUp({ email, password: 'short' })).body).toMatchObject(
      code('password_too_short'),
    )
    const long = 'x'.repeat(129)
    expect((await signUp({ email, password: long })).body).toMatchObject(code('password_too_long'))
    expect((await signIn({ email, password: long })).body).toMatchObject(code('password_too_long'))
    const nulled = { email, password: testPassword, name: 'a\0b' }
    expect((await signUp(nulled)).body).toMatchObject(code('invalid_input'))
    expect((await signUp({ email, password: 'long'.repeat(32) })).status).toBe(200)
  })

  test('return the same response for a wrong password and an unknown address', async () => {
    await site.addMember('known@example.com')
    const wrong = await signIn({ email: 'known@example.com', password: 'not the password' })
    const unknown = await signIn({ email: 'unknown@example.com', password: 'not the password' })
    expect(wrong.status).toBe(401)
    expect(wrong.body).toEqual({
      error: { code: 'invalid_credentials', message: 'Invalid email or password' },
    })
    expect(unknown).toMatchObject({ status: wrong.status, body: wrong.body, cookies: [] })
  })
})

describe('responses do not reveal whether an account exists', () => {
  test('a sign-up with a taken address gets the usual response, and the owner gets an email', async () => {
    await site.addMember('taken@example.com')
    const again = await signUp({ email: 'taken@example.com', password: 'another password' })
    const fresh = await signUp({ email: 'fresh@example.com', password: 'another password' })
    expect({ ...again, headers: null }).toEqual({ ...fresh, headers: null })
    const mails = await site.mails()
    expect(mails.filter(({ to }) => to?.[0]?.address === 'taken@example.com')).toMatchObject([
      { subject: 'You already have a Velour account' },
    ])
    expect((await signIn({ email: 'taken@example.com', password: testPassword })).status).toBe(200)
  })

  test('two concurrent sign-ups with the same address create one account and get the same response', async () => {
    const email = 'twice@example.com'
    const answers = await Promise.all(
      ['first password', 'second password'].map((password) => signUp({ email, password })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const rows = await site.db.query
      .selectFrom('accounts')
      .innerJoin('profiles', 'profiles.id', 'accounts.user_id')
      .select('profiles.id')
      .where('email', '=', email)
      .execute()
    expect(rows).toHaveLength(1)
  })

  // Whether the response times are distinguishable is measured in enumeration.security.ts.
  test('responses take at least the minimum duration, with or without an account', async () => {
    await site.addMember('timed@example.com')
    for (const email of ['timed@example.com', 'untimed@example.com']) {
      for (const send of [
        () => signIn({ email, password: 'not the password' }, '198.51.100.1'),
        () => site.send({ url: '/api/auth/request-password-reset', body: { email } }),
      ]) {
        const start = performance.now()
        await send()
        expect(performance.now() - start).toBeGreaterThanOrEqual(299)
      }
    }
  })
})

describe('sign-in limits', () => {
  test('the sixth attempt from one address within 15 minutes returns 429, even with the correct password', async () => {
    const email = 'guessed@example.com'
    await site.addMember(email)
    for (let i = 0; i < 5; i++) {
      expect((await signIn({ email, password: `guess number ${i}` }, '203.0.113.1')).status).toBe(
        401,
      )
    }
    const refused = await signIn({ email, password: testPassword }, '203.0.113.1')
    expect(refused).toMatchObject({ status: 429, body: code('rate_limited'), cookies: [] })
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBeGreaterThan(14 * 60)
    expect(seconds).toBeLessThanOrEqual(15 * 60)
    expect((await signIn({ email, password: testPassword }, '203.0.113.2')).status).toBe(200)
    const other = { email: 'silent@example.com', password: testPassword }
    expect((await signIn(other, '203.0.113.1')).status).toBe(200)
  })

  test('concurrent guesses are limited like sequential ones', async () => {
    const email = 'parallel@example.com'
    await site.addMember(email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        signIn({ email, password: `guess number ${i}` }, '203.0.113.3'),
      ),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  test('a correct password resets the count', async () => {
    const email = 'forgetful@example.com'
    await site.addMember(email)
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++)
        await signIn({ email, password: `guess number ${i}` }, '203.0.113.4')
      expect((await signIn({ email, password: testPassword }, '203.0.113.4')).status).toBe(200)
    }
  })

  test('a client cannot forge the network address to which its attempts are counted', async () => {
    const email = 'spoofed@example.com'
    await site.addMember(email)
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      const { status } = await site.send({
        url: '/api/auth/sign-in/email',
        body: { email, password: 'not the password' },
        headers: { 'x-forwarded-for': `192.0.2.${i}`, 'x-velour-client-address': `192.0.2.${i}` },
        remoteAddress: '203.0.113.5',
      })
      statuses.push(status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    await site.send({
      url: '/api/auth/sign-in/email',
      body: { email, password: testPassword },
      headers: { 'x-velour-client-address': '192.0.2.9' },
      remoteAddress: '203.0.113.6',
    })
    const session = await site.db.query
      .selectFrom('sessions')
      .innerJoin('profiles', 'profiles.id', 'sessions.user_id')
      .select('ip_address')
      .where('email', '=', email)
      .executeTakeFirst()
    expect(session?.ip_address).toBe('203.0.113.6')
  })

  test('sends at most three reset emails an hour to an address; further requests get the same response', async () => {
    await site.addMember('victim-of-mails@example.com')
    const sent = async (email: string) =>
      (await site.mails()).filter(({ to }) => to?.some(({ address }) => address === email)).length
    for (const [email, mails] of [
      ['victim-of-mails@example.com', 3],
      ['never@example.com', 0],
    ] as const) {
      const answers = []
      for (let i = 0; i < 5; i++) {
        const url = '/api/auth/request-password-reset'
        const { status, body } = await site.send({ url, body: { email } })
        answers.push({ status, body })
      }
      expect(answers).toEqual(Array(5).fill({ status: 200, body: { status: true } }))
      await expect.poll(() => sent(email)).toBe(mails)
    }
  })

  test('limits sign-ups per email address, whether or not it has an account', async () => {
    for (const email of ['silent@example.com', 'brand-new@example.com']) {
      const statuses: number[] = []
      for (let i = 0; i < 4; i++)
        statuses.push((await signUp({ email, password: testPassword })).status)
      expect(statuses).toEqual([200, 200, 200, 429])
    }
  })
})

describe('session cookies', () => {
  test('are HttpOnly, SameSite=Lax, valid for 30 days, and Secure if the site uses HTTPS', async () => {
    await site.addMember('cookie@example.com')
    const plain = await signIn({ email: 'cookie@example.com', password: testPassword })
    const names = plain.cookies.map(({ name }) => name)
    expect(names).toEqual(['velour.session_token', 'velour.known_browser'])
    const attributes = (text: string) => text.split('; ').slice(1).toSorted()
    expect(plain.cookies[0]?.name).toBe('velour.session_token')
    const expected = ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax']
    expect(attributes(plain.cookies[0]!.text)).toEqual(expected)

    const secure = await createAuthTestApp({ ...site.database, publicUrl: 'https://music.example' })
    try {
      const { cookies } = await secure.send({
        url: '/api/auth/sign-in/email',
        body: { email: 'cookie@example.com', password: testPassword },
        headers: { origin: 'https://music.example', host: 'music.example' },
      })
      expect(cookies.map(({ name }) => name)).toEqual([
        '__Host-velour.session_token',
        '__Secure-velour.session_token',
        '__Secure-velour.known_browser',
      ])
      expect(cookies[1]!.text).toBe(cookies[0]!.text.replace('__Host-', '__Secure-'))
      expect(attributes(cookies[0]!.text)).toEqual([...expected, 'Secure'])
      const me = await secure.send({ url: '/api/profile', cookie: toCookieHeader(cookies) })
      expect(me.body).toMatchObject({ data: { email: 'cookie@example.com' } })
      // A cookie without the prefix, which an insecure page could have set, is not accepted as a session.
      const planted = toCookieHeader(cookies.slice(0, 1)).replace('__Host-', '')
      expect((await secure.send({ url: '/api/profile', cookie: planted })).body).toEqual({
        data: null,
      })
    } finally {
      await secure.close()
    }
  })

  test('are rejected if forged, truncated or swapped', async () => {
    await site.addMember('forger@example.com')
    const cookie = await site.signIn('forger@example.com')
    const other = await site.signIn('forger@example.com')
    const [name = '', value = ''] = cookie.split('=')
    const decoded = decodeURIComponent(value)
    const [token = '', signature = ''] = decoded.split('.')
    const otherSignature = decodeURIComponent(other.split('=')[1] ?? '').split('.')[1] ?? ''
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1)
    // The character before the padding contains two bits that decoders ignore, so changing these would change nothing.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    const last = alphabet.indexOf(signature.at(-2) ?? '')
    const respelt = `${signature.slice(0, -2)}${alphabet[last ^ 1]}=`
    const forged = [
      '',
      '.',
      '%',
      '%E0%A4%A',
      token,
      `${token}.`,
      `.${signature}`,
      `${token}.${flipped}`,
      `${token}.${otherSignature}`,
      `${token}.${respelt}`,
      `${token}.${signature.slice(0, -1)}`,
      `${token}.${signature}=`,
      `${token.slice(0, -1)}.${signature}`,
      `${token}x.${signature}`,
      `${token}.${'A'.repeat(43)}=`,
      `${'x'.repeat(5000)}.${signature}`,
    ]
    for (const text of forged) {
      const sent = `${name}=${text.includes('%') ? text : encodeURIComponent(text)}`
      const { status, body } = await site.send({ url: '/api/profile', cookie: sent })
      expect({ text, status, body }).toEqual({ text, status: 200, body: { data: null } })
    }
    for (const similar of [`x${cookie}`, `${name}2=${value}`, `a=${cookie}`]) {
      expect((await site.send({ url: '/api/profile', cookie: similar })).body).toEqual({
        data: null,
      })
    }
    const crowd = `theme=dark;${cookie} ; x=y`
    expect((await site.send({ url: '/api/profile', cookie: crowd })).body).toMatchObject({
      data: { email: 'forger@example.com' },
    })
  })

  test('a sign-in does not reuse an earlier session', async () => {
    await site.addMember('attacker@example.com')
    await site.addMember('victim@example.com')
    const planted = await site.signIn('attacker@example.com')
    const answer = await site.send({
      url: '/api/auth/sign-in/email',
      body: { email: 'victim@example.com', password: testPassword },
      cookie: planted,
    })
    const cookie = toCookieHeader(answer.cookies)
    expect(cookie).not.toBe(planted)
    const me = async (sent: string) => (await site.send({ url: '/api/profile', cookie: sent })).body
    expect(await me(cookie)).toMatchObject({ data: { email: 'victim@example.com' } })
    expect(await me(planted)).toMatchObject({ data: { email: 'attacker@example.com' } })
  })
})

describe('requests from other sites', () => {
  const body = { email: 'cookie@example.com', password: testPassword }

  test.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['the origin null', { origin: 'null' }],
    ['our host as a subdomain of theirs', { origin: 'http://127.0.0.1:3000.evil.example' }],
    [
      'a cross-site form of an old browser',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    ],
  ])('are refused: %s', async (_name, headers: Record<string, string>) => {
    const answer = await site.send({ url: '/api/auth/sign-in/email', body, headers })
    expect(answer).toMatchObject({ status: 403, body: code('foreign_origin'), cookies: [] })
  })

  test('are accepted from our own pages and from non-browser clients', async () => {
    const own: Record<string, string>[] = [
      { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-origin' },
      { origin: 'http://localhost:4000', host: 'localhost:4000' },
      {},
    ]
    for (const headers of own) {
      expect(await site.send({ url: '/api/auth/sign-in/email', body, headers })).toMatchObject({
        status: 200,
      })
    }
  })

  test('form bodies are refused with 415', async () => {
    const answer = await site.app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=cookie%40example.com&password=x',
    })
    expect(answer.statusCode).toBe(415)
  })
})

test('signing out succeeds without a session and without an Origin header', async () => {
  expect((await site.send({ url: '/api/auth/sign-out', body: {} })).status).toBe(200)
  const cookie = await site.signIn('silent@example.com')
  expect((await site.send({ url: '/api/auth/sign-out', body: {}, cookie })).status).toBe(200)
  expect((await site.send({ url: '/api/profile', cookie })).body).toEqual({ data: null })
})
