// Tests invitations over HTTP, from the email to the signed-in account.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from '#contract/admin/admin-invitations.ts'
import { createAdminUser, deleteUser, updateUserRole } from '#contract/admin/admin-users.ts'
import { acceptInvitation, openInvitation } from '#contract/invitations.ts'
import { getProfile } from '#contract/profiles.ts'
import { readQueuedMails } from '../../testing/queued-mails.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { deleteOldInvitations } from './invitation-operations.ts'

const hourMs = 3_600_000
let nowMs = Date.now()
let app: TestApp
let admin: Person
let count = 0

beforeAll(async () => {
  app = await createTestApp({}, { now: () => new Date(nowMs) })
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())
beforeEach(async () => {
  nowMs = Date.now()
  await app.services.db.query.deleteFrom('invitations').execute()
  await app.services.db.query.deleteFrom('rate_limits').execute()
})

const newAddress = () => `guest-${++count}@velour.test`
const password = 'a quiet blue morning'

/** Returns the queued invitation emails to this address, oldest first. */
const mailsTo = async (email: string) =>
  (await readQueuedMails(app)).filter(
    ({ to, button }) => to === email && button.label === 'Accept the invitation',
  )

async function mailedToken(email: string): Promise<string> {
  const link = (await mailsTo(email)).at(-1)!.button.link
  return new URL(link).hash.replace('#invitation=', '')
}

interface Options {
  by?: Person
  role?: 'admin' | 'editor'
  subscription_tier?: 'premium'
  display_name?: string
}

async function invite(email: string, { by = admin, ...body }: Options = {}) {
  const answer = await by.call(createInvitation, { body: { email, ...body } })
  expect(answer.status).toBe(201)
  return answer.body
}

async function inviteAndOpen(options: Options = {}) {
  const email = newAddress()
  const { id } = await invite(email, options)
  return { id, email, token: await mailedToken(email) }
}

const accept = (token: string, body: { name?: string; password?: string } = {}) =>
  app.nobody.call(acceptInvitation, { body: { token, password, ...body } })

const profilesOf = (email: string) =>
  app.services.db.query
    .selectFrom('profiles as p')
    .innerJoin('user_roles as r', 'r.user_id', 'p.id')
    .selectAll('p')
    .select('r.role')
    .where('p.email', '=', email)
    .execute()

test('the emailed link creates the account, confirms the address and signs in', async () => {
  const email = newAddress()
  const sent = await invite(email.toUpperCase(), {
    display_name: 'Mia',
    subscription_tier: 'premium',
  })
  expect(sent).toMatchObject({ email, state: 'open', role: 'member', display_name: 'Mia' })
  expect(sent.invited_by?.id).toBe(admin.id)
  const [mail] = await mailsTo(email)
  expect(mail?.subject).toBe('You are invited to Velour')
  expect(mail?.paragraphs.join(' ')).toContain('comes with Premium')
  const token = await mailedToken(email)
  const opened = await app.nobody.call(openInvitation, { body: { token } })
  expect(opened.body).toEqual({ email, display_name: 'Mia', role: 'member' })

  const accepted = await accept(token, { name: 'Mia M.' })
  expect([accepted.status, accepted.body]).toEqual([200, { status: true }])
  const cookie = accepted.headers.getSetCookie().map((line) => line.split(';')[0])
  const { data } = (await app.as(cookie.join('; ')).call(getProfile, {})).body
  expect(data).toMatchObject({
    email,
    email_verified: true,
    display_name: 'Mia M.',
    role: 'member',
    is_premium: true,
  })
  expect((await admin.call(listInvitations, {})).body.data).toEqual([])
  expect((await readQueuedMails(app)).at(-1)).toMatchObject({
    to: email,
    subject: 'Your Velour account is ready',
  })
})

test('stores only a hash of the token; neither the audit log nor the queue contains the token', async () => {
  const { token, id, email } = await inviteAndOpen()
  await accept(token)
  const tables = await sql<{ text: string }>`
    select row_to_json(a)::text as text from audit_log a
    union all select row_to_json(j)::text from jobs.job j where name = 'send-mail'
    union all select row_to_json(i)::text from invitations i`.execute(app.services.db.query)
  const text = tables.rows.map((row) => row.text).join('\n')
  expect(text).not.toContain(token)
  const audit = await app.services.db.query
    .selectFrom('audit_log')
    .select(['action', 'entity', 'actor_id', 'after'])
    .where((eb) => eb.or([eb('entity_id', '=', id), eb(sql`after->>'invitation_id'`, '=', id)]))
    .orderBy('id')
    .execute()
  const [user] = await profilesOf(email)
  expect(audit).toMatchObject([
    { action: 'create', entity: 'invitation', actor_id: admin.id },
    { action: 'create', entity: 'user', actor_id: user!.id, after: { invited_by: admin.id } },
  ])
  expect(JSON.stringify(audit)).not.toContain(email)
})

test('only one of ten concurrent requests to accept an invitation creates the account', async () => {
  const { token, email } = await inviteAndOpen()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => accept(token, { name: `Guest ${i}` })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['invitation_invalid']))
  expect(await profilesOf(email)).toHaveLength(1)
  expect((await accept(token)).code).toBe('invitation_invalid')
})

test("an invitation's link expires after 7 days, and the invitation is deleted 30 days later", async () => {
  const { token, email, id } = await inviteAndOpen()
  nowMs += 7 * 24 * hourMs - 1000
  expect((await app.nobody.call(openInvitation, { body: { token } })).status).toBe(200)
  nowMs += 2000
  expect((await app.nobody.call(openInvitation, { body: { token } })).code).toBe(
    'invitation_invalid',
  )
  expect((await accept(token)).code).toBe('invitation_invalid')
  expect((await admin.call(listInvitations, {})).body.data[0]?.state).toBe('expired')
  // A new invitation replaces the expired one.
  const again = await invite(email)
  expect([again.id, again.state]).toEqual([id, 'open'])
  const countAfter = async (days: number) => {
    await deleteOldInvitations(app.services.db, new Date(nowMs + days * 24 * hourMs))
    return (await app.services.db.query.selectFrom('invitations').select('id').execute()).length
  }
  expect([await countAfter(36), await countAfter(38)]).toEqual([1, 0])
})

test('an invitation can be resent after 5 minutes, with a new link', async () => {
  const { token, id, email } = await inviteAndOpen()
  const resend = () => admin.call(resendInvitation, { params: { id } })
  expect((await resend()).code).toBe('invitation_just_sent')
  expect(await mailsTo(email)).toHaveLength(1)
  nowMs += 5 * 60_000
  expect((await resend()).status).toBe(200)
  expect(await mailsTo(email)).toHaveLength(2)
  expect((await accept(token)).code).toBe('invitation_invalid')
  expect((await accept(await mailedToken(email))).status).toBe(200)
})

test('a revoked invitation can no longer be accepted', async () => {
  const { token, id } = await inviteAndOpen()
  expect((await admin.call(revokeInvitation, { params: { id } })).status).toBe(204)
  expect((await accept(token)).code).toBe('invitation_invalid')
  expect((await admin.call(revokeInvitation, { params: { id } })).code).toBe('not_found')
})

test('rejects an invitation to an address that has an account or an invitation', async () => {
  const mia = await app.makePerson()
  const call = (email: string) => admin.call(createInvitation, { body: { email } })
  expect((await call(mia.email.toUpperCase())).code).toBe('email_exists')
  const { email, token, id } = await inviteAndOpen()
  expect((await call(email)).code).toBe('invitation_exists')
  // An admin creates an account with the invited address.
  await admin.call(createAdminUser, { body: { email, password } })
  expect((await accept(token)).code).toBe('email_exists')
  expect((await app.nobody.call(openInvitation, { body: { token } })).code).toBe('email_exists')
  expect((await admin.call(resendInvitation, { params: { id } })).code).toBe('email_exists')
  expect((await admin.call(listInvitations, {})).body.data).toEqual([])
  const [user] = await profilesOf(email)
  await admin.call(deleteUser, { params: { id: user!.id } })
  expect((await accept(token)).code).toBe('invitation_invalid')
})

test('an invitation to become an admin requires a long password, and grants the role', async () => {
  const { token, email } = await inviteAndOpen({ role: 'admin' })
  expect((await accept(token, { password: 'eleven-char' })).code).toBe('admin_password_too_short')
  expect((await accept(token)).status).toBe(200)
  expect(await profilesOf(email)).toMatchObject([{ role: 'admin' }])
})

test('grants a role only if the admin who sent the invitation is still an admin', async () => {
  const boss = await app.makePerson({ role: 'admin' })
  const asEditor = await inviteAndOpen({ by: boss, role: 'editor' })
  const asMember = await inviteAndOpen({ by: boss })
  await admin.call(updateUserRole, { params: { id: boss.id }, body: { role: 'member' } })
  const { data } = (await admin.call(listInvitations, {})).body
  expect(data.map(({ id, state }) => [id, state])).toEqual([
    [asMember.id, 'open'],
    [asEditor.id, 'void'],
  ])
  nowMs += hourMs
  const resent = await admin.call(resendInvitation, { params: { id: asEditor.id } })
  expect(resent.code).toBe('invitation_void')
  expect((await accept(asEditor.token)).code).toBe('invitation_invalid')
  expect((await accept(asMember.token)).status).toBe(200)
})

test('an invitation can still be accepted after a password was rejected', async () => {
  const { token } = await inviteAndOpen()
  expect((await accept(token, { password: 'password' })).code).toBe('password_too_common')
  expect((await accept(token, { password: 'short' })).code).toBe('password_too_short')
  expect((await accept(token)).status).toBe(200)
})

test('uses the name that the admin entered unless the person chooses another name', async () => {
  const { token, email } = await inviteAndOpen({ display_name: 'Mia' })
  await accept(token)
  expect(await profilesOf(email)).toMatchObject([{ display_name: 'Mia' }])
})
