import { hashPassword } from 'better-auth/crypto'
import { describe, expect, test } from 'vitest'
import { demoPassword } from '#contract/demo.ts'
import { transaction } from '../../platform/db/database.ts'
import { useAuthTestSite } from '../../testing/auth-test-app.ts'
import { setPassword, setRole } from './create-user.ts'
import { checkNewPassword, hashNewPassword } from './new-password.ts'

const site = useAuthTestSite()
const readErrorCode = (checking: Promise<unknown>) =>
  checking.then(
    () => 'accepted',
    (error: unknown) => (error as { code: string }).code,
  )

test.each([
  ['seven77', 'password_too_short'],
  ['password', 'password_too_common'],
  ['12345678', 'password_too_common'],
  ['PassWord123', 'password_too_common'],
  ['aaaaaaaa', 'password_too_common'],
  ['abababababab', 'password_too_common'],
  ['x'.repeat(129), 'password_too_long'],
  ['an unusual one', 'accepted'],
  [demoPassword, 'accepted'],
])('checkNewPassword(%s) returns %s', async (password, outcome) => {
  expect(await readErrorCode(checkNewPassword(password))).toBe(outcome)
})

test('a new admin password needs at least 12 characters', async () => {
  expect(await readErrorCode(checkNewPassword('eleven char', 'admin'))).toBe(
    'admin_password_too_short',
  )
  expect(await readErrorCode(checkNewPassword('twelve chars', 'admin'))).toBe('accepted')
  expect(await readErrorCode(checkNewPassword('eleven char', 'editor'))).toBe('accepted')
  expect(await readErrorCode(hashNewPassword('eleven char', 'admin'))).toBe(
    'admin_password_too_short',
  )
})

describe('setting a password', () => {
  const refusal = (code: string) => ({ status: 400, body: { error: { code } } })
  const reset = (token: string, newPassword: string) =>
    site.send({ url: '/api/auth/reset-password', body: { token, newPassword } })
  const askForToken = async (email: string) => {
    await site.send({ url: '/api/auth/request-password-reset', body: { email } })
    return site.mailedToken(email)
  }

  test('a sign-up with a common password creates no account', async () => {
    const body = { email: 'common@example.com', password: 'Iloveyou1' }
    const response = await site.send({ url: '/api/auth/sign-up/email', body })
    expect(response).toMatchObject(refusal('password_too_common'))
    const made = site.db.query.selectFrom('profiles').select('id').where('email', '=', body.email)
    expect(await made.execute()).toEqual([])
  })

  test('a reset refuses a common password and leaves the link usable', async () => {
    const email = 'resetting@example.com'
    await site.addMember(email)
    const token = await askForToken(email)
    expect(await reset(token, 'password1')).toMatchObject(refusal('password_too_common'))
    expect((await reset(token, 'eleven char')).status).toBe(200)
  })

  test('a reset by an admin requires 12 characters, and a shorter password leaves the link usable', async () => {
    const email = 'boss@example.com'
    const id = await site.addMember(email)
    await transaction(site.db, (trx) => setRole(trx, id, 'admin'))
    const token = await askForToken(email)
    expect(await reset(token, 'eleven char')).toMatchObject(refusal('admin_password_too_short'))
    expect((await reset(token, 'twelve chars')).status).toBe(200)
    await site.signIn(email, 'twelve chars')
  })

  test('passwords set before these rules were introduced stay valid, even for a member who becomes an admin', async () => {
    const email = 'old-times@example.com'
    const id = await site.addMember(email)
    const hash = await hashPassword('password')
    await transaction(site.db, (trx) => setPassword(trx, id, hash))
    await transaction(site.db, (trx) => setRole(trx, id, 'admin'))
    expect(await site.signIn(email, 'password')).toContain('session_token')
  })
})
