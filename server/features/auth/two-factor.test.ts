import { expect, test } from 'vitest'
import { transaction } from '../../platform/db/database.ts'
import {
  createAuthenticator,
  runBeforeSessionInsert,
  toCookieHeader,
  createAuthTestApp,
  testPassword,
  useAuthTestSite,
} from '../../testing/auth-test-app.ts'
import { banAccount } from './ban-account.ts'

const site = useAuthTestSite()

const post = (path: string, body: object, cookie?: string) =>
  site.send({ url: `/api/auth/two-factor/${path}`, body, cookie })
const signIn = (email: string, remoteAddress = '127.0.0.1') =>
  site.send({
    url: '/api/auth/sign-in/email',
    body: { email, password: testPassword },
    remoteAddress,
  })
const me = async (cookie: string) => (await site.send({ url: '/api/profile', cookie })).body

interface Enrolled {
  id: string
  codeNow: () => Promise<string>
  backupCodes: string[]
  cookie: string
}

async function enrol(email: string): Promise<Enrolled> {
  const id = await site.addMember(email)
  const cookie = await site.signIn(email)
  const { status, body } = await post('enable', { password: testPassword }, cookie)
  expect(status).toBe(200)
  const { totpURI, backupCodes } = body as { totpURI: string; backupCodes: string[] }
  const uri = new URL(totpURI)
  expect(decodeURIComponent(uri.pathname)).toContain(email)
  expect(uri.searchParams.get('issuer')).toBe('Velour')
  const codeNow = createAuthenticator(totpURI)
  const verified = await post('verify-totp', { code: await codeNow() }, cookie)
  expect(verified).toMatchObject({ status: 200, body: { status: true } })
  return { id, codeNow, backupCodes, cookie: toCookieHeader(verified.cookies) }
}

test('a person enables the second factor, signs in with a code, sees it in the profile, and disables it', async () => {
  const email = 'second@example.com'
  const { codeNow, cookie } = await enrol(email)
  expect(await me(cookie)).toMatchObject({ data: { two_factor_enabled: true } })

  const begun = await signIn(email)
  expect(begun).toMatchObject({ status: 200, body: { twoFactorRedirect: true } })
  const pending = toCookieHeader(begun.cookies)
  expect(await me(pending)).toEqual({ data: null })
  expect(await post('verify-totp', { code: '000000' }, pending)).toMatchObject({
    status: 401,
    body: { error: { code: 'two_factor_invalid' } },
  })
  const code = await codeNow()
  const spaced = `${code.slice(0, 3)} ${code.slice(3)} `
  const finished = await post('verify-totp', { code: spaced }, pending)
  const session = toCookieHeader(finished.cookies)
  expect(await me(session)).toMatchObject({ data: { email } })

  expect(await post('disable', { password: 'not the password' }, session)).toMatchObject({
    status: 403,
    body: { error: { code: 'password_wrong' } },
  })
  const off = await post('disable', { password: testPassword }, session)
  expect(off.status).toBe(200)
  expect(await me(toCookieHeader(off.cookies))).toMatchObject({
    data: { two_factor_enabled: false },
  })
  await site.signIn(email)
})

test('two windows that enable the second factor concurrently on two instances create one working setup', async () => {
  const email = 'two-windows@example.com'
  const id = await site.addMember(email)
  const cookie = await site.signIn(email)
  const other = await createAuthTestApp(site.database)
  try {
    const answers = await Promise.all(
      [site, other].map((instance) =>
        instance.send({
          url: '/api/auth/two-factor/enable',
          body: { password: testPassword },
          cookie,
        }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(refused).toMatchObject({ body: { error: { code: 'conflict' } } })
    const rows = site.db.query.selectFrom('two_factors').select('id').where('user_id', '=', id)
    expect(await rows.execute()).toHaveLength(1)

    const begun = answers.find(({ status }) => status === 200)
    const { totpURI = '' } = (begun?.body ?? {}) as { totpURI?: string }
    const codeNow = createAuthenticator(totpURI)
    expect((await post('verify-totp', { code: await codeNow() }, cookie)).status).toBe(200)
    const pending = toCookieHeader((await signIn(email)).cookies)
    const finished = await post('verify-totp', { code: await codeNow() }, pending)
    expect(await me(toCookieHeader(finished.cookies))).toMatchObject({ data: { email } })
  } finally {
    await other.close()
  }
})

test('a code enables the secret that it was generated from, even if another window requests a new secret in between', async () => {
  const email = 'overwritten@example.com'
  const id = await site.addMember(email)
  const cookie = await site.signIn(email)
  const { body } = await post('enable', { password: testPassword }, cookie)
  const codeNow = createAuthenticator((body as { totpURI: string }).totpURI)
  const code = await codeNow()
  const { answer, result: again } = await runBeforeSessionInsert(
    site,
    () => post('verify-totp', { code }, cookie),
    () => post('enable', { password: testPassword }, cookie),
  )
  expect(again).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
  expect(answer.status).toBe(200)
  const row = site.db.query.selectFrom('two_factors').select('verified').where('user_id', '=', id)
  expect(await row.execute()).toEqual([{ verified: true }])
  const pending = toCookieHeader((await signIn(email)).cookies)
  expect((await post('verify-totp', { code: await codeNow() }, pending)).status).toBe(200)
})

test('a recovery code works once, and regenerating the codes invalidates the old ones', async () => {
  const email = 'recovery@example.com'
  const { backupCodes, cookie } = await enrol(email)
  expect(backupCodes).toHaveLength(10)
  const withCode = async (code: string) =>
    post('verify-backup-code', { code }, toCookieHeader((await signIn(email)).cookies))
  const [first = '', second = ''] = backupCodes
  expect(await me(toCookieHeader((await withCode(first)).cookies))).toMatchObject({
    data: { email },
  })
  expect(await withCode(first)).toMatchObject({ body: { error: { code: 'two_factor_invalid' } } })

  const renewed = await post('generate-backup-codes', { password: testPassword }, cookie)
  const { backupCodes: fresh } = renewed.body as { backupCodes: string[] }
  expect((await withCode(second)).status).toBe(401)
  expect((await withCode(fresh[0] ?? '')).status).toBe(200)
})

test('codes cannot be guessed: after five attempts the person must sign in again', async () => {
  const email = 'brute@example.com'
  await enrol(email)
  const pending = toCookieHeader((await signIn(email)).cookies)
  const answers: unknown[] = []
  for (let i = 0; i < 6; i++)
    answers.push((await post('verify-totp', { code: '000000' }, pending)).body)
  const codes = answers.map((body) => (body as { error: { code: string } }).error.code)
  expect(codes).toEqual([...Array<string>(5).fill('two_factor_invalid'), 'two_factor_expired'])
})

test('a code works for one sign-in only', async () => {
  const email = 'overlooked@example.com'
  const { id, codeNow } = await enrol(email)
  const [mine, theirs] = [await signIn(email), await signIn(email)].map((answer) =>
    toCookieHeader(answer.cookies),
  )
  const code = await codeNow()
  const sessions = () =>
    site.db.query.selectFrom('sessions').select('id').where('user_id', '=', id).execute()
  const before = (await sessions()).length
  const answers = await Promise.all(
    [mine, theirs].map((pending) => post('verify-totp', { code }, pending)),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
  const refused = answers.find(({ status }) => status === 401)
  expect(refused).toMatchObject({ body: { error: { code: 'two_factor_invalid' } }, cookies: [] })
  expect(await sessions()).toHaveLength(before + 1)
})

test('a used code is refused even if another person’s session cookie is sent with it', async () => {
  const email = 'impersonated@example.com'
  const { codeNow } = await enrol(email)
  await site.addMember('impostor@example.com')
  const own = await site.signIn('impostor@example.com')
  const pending = toCookieHeader((await signIn(email)).cookies)
  const again = toCookieHeader((await signIn(email)).cookies)
  const code = await codeNow()
  expect((await post('verify-totp', { code }, pending)).status).toBe(200)
  // Cookie parsers treat these differently: one reads the planted cookie as an invalid session, the other skips it.
  for (const planted of ['velour.session_token =x.y', 'velour.session_token="x.y"']) {
    const answer = await post('verify-totp', { code }, `${planted}; ${own}; ${again}`)
    expect(answer.status).not.toBe(200)
    expect(await me(toCookieHeader(answer.cookies))).toEqual({ data: null })
  }
})

test('refuses a code when no sign-in was started', async () => {
  for (const path of ['verify-totp', 'verify-backup-code']) {
    expect(await post(path, { code: '123456' })).toMatchObject({
      status: 401,
      body: { error: { code: 'two_factor_expired' } },
    })
  }
  for (const path of ['enable', 'disable', 'generate-backup-codes']) {
    expect(await post(path, { password: testPassword })).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthenticated' } },
    })
  }
})

test('changing the second factor requires the password again, and wrong passwords are limited', async () => {
  await site.addMember('settings@example.com')
  const cookie = await site.signIn('settings@example.com')
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) {
    statuses.push((await post('enable', { password: `guess number ${i}` }, cookie)).status)
  }
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429])
})

test('refuses the code if the person was banned during the sign-in', async () => {
  const email = 'banned-midway@example.com'
  const { id, codeNow } = await enrol(email)
  const pending = toCookieHeader((await signIn(email)).cookies)
  await transaction(site.db, (trx) => banAccount(trx, id, new Date()))
  expect(await post('verify-totp', { code: await codeNow() }, pending)).toMatchObject({
    status: 403,
    body: { error: { code: 'banned' } },
  })
})

test('the secret and the recovery codes are not readable in the database', async () => {
  const { id, backupCodes } = await enrol('sealed@example.com')
  const row = await site.db.query
    .selectFrom('two_factors')
    .selectAll()
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(row.secret).toMatch(/^\$ba\$1\$[0-9a-f]+$/)
  expect(row.backup_codes).not.toContain(backupCodes[0])
})
