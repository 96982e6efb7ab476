// Successful and failing account actions on a server whose output is searched for secrets.
import { createOTP } from '@better-auth/utils/otp'
import { expect } from 'vitest'
import { decodeBase32 } from '#server/testing/decode-base32.ts'
import { sellingSettings } from '#server/testing/stripe/stripe-payloads.ts'
import { admin } from '../../e2e/harness/service.ts'
import { createCanary, waitForMailedToken, type WatchedWorld } from './watched-world.ts'
import { createWatchedPerson, signInAs, type WatchedPerson } from './watched-person.ts'

export interface WatchedLife {
  world: WatchedWorld
  owner: WatchedPerson
  member: WatchedPerson
  stranger: WatchedPerson
  email: string
  password: string
  /** Password of the account that an admin creates. */
  invitedPassword: string
}

export function startProcess(world: WatchedWorld): WatchedLife {
  const { service, watch } = world
  const arrive = () => createWatchedPerson(service, watch)
  return {
    world,
    owner: arrive(),
    member: arrive(),
    stranger: arrive(),
    email: 'member@example.com',
    password: watch.keep("a member's password", createCanary('member')),
    invitedPassword: watch.keep('a password that an admin gave', createCanary('given')),
  }
}

export async function setUpOwner({ world, owner, invitedPassword }: WatchedLife): Promise<void> {
  const { secrets, watch } = world
  await signInAs(owner, admin.email, watch.keep('a wrong password', createCanary('wrong')))
  expect((await signInAs(owner, admin.email, secrets.configured.ADMIN_PASSWORD)).status).toBe(200)
  const settings = sellingSettings(secrets.webhookSecret)
  const saved = await owner.send('POST', '/api/admin-settings', { action: 'update', settings })
  expect(saved.status).toBe(200)
  await owner.send('GET', '/api/admin-settings')
  await owner.send('POST', '/api/admin-users', {
    email: 'given@example.com',
    password: invitedPassword,
  })
}

/** Signs up. The mail server first rejects the login and an email, so that jobs fail. */
export async function joinAsMember(life: WatchedLife): Promise<void> {
  const { world, member, stranger, email, password } = life
  const { watch } = world
  const signUp = { email, password, name: 'Member' }
  expect((await stranger.send('POST', '/api/auth/sign-up/email', signUp)).status).toBe(200)
  await stranger.send('POST', '/api/auth/sign-up/email', signUp)
  expect((await signInAs(member, email, password)).status).toBe(403)
  const confirming = await waitForMailedToken(world, email, 1)
  await member.send('GET', `/api/auth/verify-email?token=${confirming}`)
  await member.send(
    'GET',
    `/api/auth/verify-email?token=${watch.keep('a wrong token', createCanary('token'))}`,
  )
  expect((await signInAs(member, email, password)).status).toBe(200)
}

/** Enables two-factor authentication and signs in with it. Returns the recovery codes, the first of which is used. */
export async function useSecondFactor(life: WatchedLife): Promise<string[]> {
  const { world, member, email, password } = life
  const { watch } = world
  const enrolled = await member.send('POST', '/api/auth/two-factor/enable', { password })
  const enable = 'POST /api/auth/two-factor/enable'
  const shared = new URL(enrolled.body.totpURI).searchParams.get('secret') ?? ''
  watch.keep('the secret of the second factor', shared, [enable])
  for (const code of enrolled.body.backupCodes) watch.keep('a recovery code', code, [enable])
  const code = await createOTP(decodeBase32(shared), { period: 30, digits: 6 }).totp()
  const verify = (body: object) => member.send('POST', '/api/auth/two-factor/verify-totp', body)
  expect((await verify({ code })).status).toBe(200)
  await member.send('POST', '/api/auth/sign-out')
  await signInAs(member, email, password)
  expect((await verify({ code: '000000' })).status).toBe(401)
  const [recovery] = enrolled.body.backupCodes
  const recovered = await member.send('POST', '/api/auth/two-factor/verify-backup-code', {
    code: recovery,
  })
  expect(recovered.status).toBe(200)
  await member.send('POST', '/api/auth/two-factor/generate-backup-codes', { password: 'not it' })
  return enrolled.body.backupCodes
}

export async function resetForgottenPassword(
  life: WatchedLife,
  recoveryCodes: string[],
): Promise<void> {
  const { world, member, stranger, email } = life
  const newPassword = world.watch.keep("a member's new password", createCanary('new'))
  const mailsSoFar = world.smtp.received.filter(({ recipients }) =>
    recipients.includes(email),
  ).length
  await stranger.send('POST', '/api/auth/request-password-reset', { email })
  const token = await waitForMailedToken(world, email, mailsSoFar + 1)
  await stranger.send('POST', '/api/auth/reset-password', {
    token: createCanary('guess'),
    newPassword,
  })
  const reset = await stranger.send('POST', '/api/auth/reset-password', { token, newPassword })
  expect(reset.status).toBe(200)
  member.clearCookies()
  expect((await signInAs(member, email, newPassword)).status).toBe(200)
  const [, second] = recoveryCodes
  await member.send('POST', '/api/auth/two-factor/verify-backup-code', { code: second })
}
