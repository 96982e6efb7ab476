// Tests inviting lists of people: the preview, the invitations and their emails.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createInvitation,
  createInvitations,
  listInvitations,
  previewInvitations,
  resendInvitation,
  revokeInvitation,
} from '#contract/admin/admin-invitations.ts'
import { readQueuedMails } from '../../testing/queued-mails.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { sendWaitingInvitations } from './send-waiting-invitations.ts'

let nowMs = Date.now()
let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp({}, { now: () => new Date(nowMs) })
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())
beforeEach(async () => {
  nowMs = Date.now()
  await app.services.db.query.deleteFrom('invitations').execute()
  await sql`delete from jobs.job where name = 'send-mail'`.execute(app.services.db.query)
})

const guests = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ email: `guest-${i}@velour.test` }))

const invite = async (people: { email: string; display_name?: string }[]) => {
  const answer = await admin.call(createInvitations, { body: { people } })
  expect(answer.status).toBe(201)
  return answer.body
}

/** Returns the recipients of the queued emails. */
const mailed = async () => (await readQueuedMails(app)).map(({ to }) => to)

/** Runs the worker's steps until the clock has advanced by one minute. Returns how many invitations were sent. */
async function runWorkerForOneMinute(): Promise<number> {
  let sent = 0
  for (let run = 0; run < 6; run++) {
    sent += await sendWaitingInvitations(app.services)
    nowMs += 10_000
  }
  return sent
}

test('the preview lists each invalid row, and creates no invitations', async () => {
  const mia = await app.makePerson()
  await admin.call(createInvitation, { body: { email: 'invited@velour.test' } })
  const csv = `Email,Name\nnew@velour.test,Neo\n${mia.email},Mia\nINVITED@velour.test,\noops,Ben\n`
  const { rows } = (await admin.call(previewInvitations, { body: { csv } })).body
  expect(rows).toEqual([
    { line: 2, email: 'new@velour.test', display_name: 'Neo', problem: null },
    { line: 3, email: mia.email, display_name: 'Mia', problem: 'has_account' },
    { line: 4, email: 'invited@velour.test', display_name: '', problem: 'already_invited' },
    { line: 5, email: 'oops', display_name: 'Ben', problem: 'invalid_address' },
  ])
  expect((await admin.call(listInvitations, {})).body.pagination.total).toBe(1)
  const empty = await admin.call(previewInvitations, { body: { csv: 'name\nAda' } })
  expect([empty.status, empty.code]).toEqual([400, 'invitation_list_empty'])
})

test('invites 1,000 people, and sends 30 emails per minute', async () => {
  expect(await invite(guests(1000))).toEqual({ invited: 1000, skipped: 0 })
  expect(await mailed()).toEqual([])
  const { data, pagination } = (await admin.call(listInvitations, {})).body
  expect([pagination.total, data[0]?.state, data[0]?.sent_at]).toEqual([1000, 'waiting', null])
  expect(await runWorkerForOneMinute()).toBe(30)
  expect(await runWorkerForOneMinute()).toBe(30)
  expect(await mailed()).toHaveLength(60)
  expect(new Set(await mailed()).size).toBe(60)
})

test('two concurrent workers send each invitation once, and stay within the rate limit', async () => {
  await invite(guests(20))
  const counts = await Promise.all(
    Array.from({ length: 4 }, () => sendWaitingInvitations(app.services)),
  )
  const sent = counts.reduce((sum, count) => sum + count, 0)
  expect(sent).toBeGreaterThanOrEqual(5)
  expect(sent).toBeLessThanOrEqual(20)
  const addresses = await mailed()
  expect([addresses.length, new Set(addresses).size]).toEqual([sent, sent])
})

test('creates one invitation per address, even if the address is in a list twice or in several lists', async () => {
  const people = [...guests(3), { email: 'GUEST-1@velour.test' }]
  const answers = await Promise.all([1, 2, 3].map(() => invite(people)))
  expect(answers.map(({ invited }) => invited).toSorted((a, b) => a - b)).toEqual([0, 0, 3])
  expect(answers.every(({ invited, skipped }) => invited + skipped === 4)).toBe(true)
  await runWorkerForOneMinute()
  expect(await invite(guests(4))).toEqual({ invited: 1, skipped: 3 })
  // An address whose invitation has expired is not invited again.
  nowMs += 8 * 24 * 3_600_000
  const body = { csv: 'guest-1@velour.test' }
  const boss = await app.makePerson({ role: 'admin' })
  const { rows } = (await boss.call(previewInvitations, { body })).body
  expect(rows[0]?.problem).toBe('already_invited')
  await runWorkerForOneMinute()
  expect(await mailed()).toHaveLength(3)
})

test('never sends an invitation that is revoked before it is due', async () => {
  await invite(guests(2))
  const { data } = (await admin.call(listInvitations, {})).body
  const [first, second] = data
  await admin.call(revokeInvitation, { params: { id: first!.id } })
  // An admin has already sent this invitation, so the worker does not send it again.
  await admin.call(resendInvitation, { params: { id: second!.id } })
  expect(await runWorkerForOneMinute()).toBe(0)
  expect(await mailed()).toEqual([second!.email])
})

test('sends no invitation to a person who has created an account in the meantime', async () => {
  const mia = await app.makePerson()
  await invite(guests(1))
  await app.services.db.query.updateTable('invitations').set({ email: mia.email }).execute()
  expect(await runWorkerForOneMinute()).toBe(0)
  expect(await invite([{ email: mia.email }])).toEqual({ invited: 0, skipped: 1 })
})

test('stores the names, the role and the plan, and writes an audit entry for each invitation', async () => {
  const people = [{ email: 'ada@velour.test', display_name: ' Ada ' }, ...guests(1)]
  const body = { people, role: 'editor', subscription_tier: 'comped' } as const
  await admin.call(createInvitations, { body })
  const rows = await app.services.db.query
    .selectFrom('invitations')
    .selectAll()
    .orderBy('email')
    .execute()
  expect(rows).toMatchObject([
    { display_name: 'Ada', role: 'editor', subscription_tier: 'comped', invited_by: admin.id },
    { display_name: '', role: 'editor', subscription_tier: 'comped', invited_by: admin.id },
  ])
  const entries = await app.services.db.query
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'after'])
    .where('entity', '=', 'invitation')
    .where(
      'entity_id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  expect(entries).toHaveLength(2)
  expect(entries[0]).toMatchObject({ action: 'create', actor_id: admin.id })
  expect(JSON.stringify(entries)).not.toContain('velour.test')
})
