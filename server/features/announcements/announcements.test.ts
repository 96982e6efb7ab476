import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as contract from '#contract/announcements.ts'
import { updateNewsPreferences } from '#contract/news.ts'
import { sendQueuedMail } from '../../platform/mail/mail-queue.ts'
import { readQueuedMails } from '../../testing/queued-mails.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { sendAnnouncementMails } from './send-announcement-mails.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())
beforeEach(async () => {
  const { query } = app.services.db
  await query.deleteFrom('announcements').execute()
  await query.deleteFrom('news_preferences').execute()
  await query.deleteFrom('tracked_mails').execute()
  await sql`delete from jobs.job`.execute(query)
})

async function makeReader(
  tier: 'free' | 'premium' = 'free',
  announcements = true,
): Promise<Person> {
  const person = await app.makePerson({ tier })
  await app.services.db.query
    .updateTable('profiles')
    .set({ email_verified: true })
    .where('id', '=', person.id)
    .execute()
  await person.call(updateNewsPreferences, { body: { announcements } })
  return person
}
const words = { subject: 'Concert in May', body: '**Hello**, [see you](/browse).' }
async function write(audience: contract.AnnouncementAudience = 'all', changes: object = {}) {
  const body = { ...words, audience, ...changes }
  return (await admin.call(contract.createAnnouncement, { body })).body
}
const send = (id: string) => admin.call(contract.sendAnnouncement, { params: { id } })
async function work(): Promise<void> {
  while ((await sendAnnouncementMails(app.services)) > 0);
}
const receivers = async () => (await readQueuedMails(app)).map(({ to }) => to).toSorted()
const shown = async (id: string) =>
  (await admin.call(contract.listAnnouncements, {})).body.data.find((one) => one.id === id)

test.each([
  ['all', ['free', 'premium']],
  ['free', ['free']],
  ['premium', ['premium']],
] as const)('sends to members of the audience %s who consented', async (audience, expected) => {
  const people = { free: await makeReader('free'), premium: await makeReader('premium') }
  await makeReader('free', false)
  await makeReader('premium', false)
  const count = await admin.call(contract.countAnnouncementRecipients, { query: { audience } })
  expect(count.body).toEqual({ count: expected.length, minutes: 1 })
  const { id } = await write(audience)
  expect(await readQueuedMails(app)).toEqual([])
  expect((await send(id)).body).toMatchObject({
    state: 'sending',
    recipient_count: expected.length,
  })
  await work()
  expect(await receivers()).toEqual(expected.map((kind) => people[kind].email).toSorted())
})

test('sends each email once, even if two requests and two workers run concurrently', async () => {
  await makeReader()
  await makeReader()
  const { id } = await write()
  const codes = (await Promise.all([send(id), send(id)])).map(({ status, code }) => code ?? status)
  expect(codes.map(String).toSorted()).toEqual(['200', 'announcement_sent'])
  await Promise.all([work(), work()])
  await work()
  expect(new Set(await receivers()).size).toBe(2)
  expect(await receivers()).toHaveLength(2)
  expect((await send(id)).code).toBe('announcement_sent')
  const body = { ...words, audience: 'all' as const }
  expect((await admin.call(contract.updateAnnouncement, { params: { id }, body })).code).toBe(
    'announcement_sent',
  )
  expect((await admin.call(contract.deleteAnnouncement, { params: { id } })).code).toBe(
    'announcement_sent',
  )
})

test('shows how many emails were sent, were rejected, or were skipped because of a withdrawn consent', async () => {
  const people = [await makeReader(), await makeReader(), await makeReader(), await makeReader()]
  const { id } = await write()
  await send(id)
  expect((await shown(id))?.figures).toMatchObject({ waiting: 4, sent: 0 })
  // One member withdraws consent before the email is created, another one before it is sent.
  const refuse = (person: Person) =>
    person.call(updateNewsPreferences, { body: { announcements: false } })
  await refuse(people[0]!)
  await work()
  const jobs = await app.services.db.query
    .selectFrom(sql<{ data: never }>`jobs.job`.as('j'))
    .select('j.data')
    .execute()
  expect(jobs).toHaveLength(3)
  await refuse(people[1]!)
  const refused = people[2]!.email
  const mailer = {
    send: ({ to }: { to: string }) =>
      to === refused
        ? Promise.reject(
            Object.assign(new Error('no such person'), { code: 'EENVELOPE', responseCode: 550 }),
          )
        : Promise.resolve('smtp' as const),
  }
  for (const { data } of jobs) {
    await sendQueuedMail({ ...app.services, mailer }, data, { isLastAttempt: false })
  }
  expect(await shown(id)).toMatchObject({
    state: 'sent',
    recipient_count: 4,
    figures: { waiting: 0, sent: 1, refused: 1, failed: 0, skipped: 2 },
  })
})

test('renders Markdown in the email, without HTML and images from the draft', async () => {
  const body = {
    subject: 'News',
    audience: 'all' as const,
    body: '# Big\n\n[here](/browse) [bad](javascript:alert(1)) <script>x</script> ![pixel](https://evil.example/p.png)',
  }
  const { html, text } = (await admin.call(contract.previewAnnouncement, { body })).body
  const { publicUrl } = app.services.config
  expect(html).toContain('<h1>Big</h1>')
  expect(html).toContain(`<a href="${publicUrl}/browse">here</a>`)
  expect(html).not.toMatch(/<script|javascript:|<img|evil\.example/)
  expect(text).toContain('# Big')
  expect(text).toContain('Stop announcement emails')
  expect(await readQueuedMails(app)).toEqual([])
})

test('sends a test email only to the admin who requested it', async () => {
  await makeReader()
  const { id } = await write()
  expect((await admin.call(contract.testAnnouncement, { params: { id } })).status).toBe(204)
  expect((await readQueuedMails(app)).map(({ to, subject }) => [to, subject])).toEqual([
    [admin.email, 'Test: Concert in May'],
  ])
  expect((await shown(id))?.state).toBe('draft')
})

test('rejects sending an announcement without recipients or without text', async () => {
  expect((await send((await write('all')).id)).code).toBe('announcement_no_recipients')
  await makeReader()
  expect((await send((await write('premium')).id)).code).toBe('announcement_no_recipients')
  expect((await send((await write('all', { body: ' ' })).id)).code).toBe('announcement_empty')
})

test("returns 'forbidden' for members", async () => {
  const member = await makeReader()
  const { id } = await write()
  const call = { params: { id } }
  expect((await member.call(contract.sendAnnouncement, call)).code).toBe('forbidden')
  expect((await member.call(contract.listAnnouncements, {})).code).toBe('forbidden')
  expect(await readQueuedMails(app)).toEqual([])
})

test('lists suspended addresses, and lifts the suspension of an address', async () => {
  const person = await makeReader()
  const { query } = app.services.db
  const row = { user_id: person.id, email: person.email, refusals: 3, reason: 'no such person' }
  const suspended_at = new Date().toISOString()
  await query
    .insertInto('refused_addresses')
    .values({ ...row, suspended_at })
    .execute()
  const list = async () => (await admin.call(contract.listSuspendedAddresses, {})).body.data
  expect(await list()).toEqual([{ ...row, suspended_at }])
  const { count } = (
    await admin.call(contract.countAnnouncementRecipients, { query: { audience: 'all' } })
  ).body
  expect(count).toBe(0)
  const resume = () => admin.call(contract.resumeAddress, { params: { id: person.id } })
  expect((await resume()).status).toBe(204)
  expect((await resume()).code).toBe('not_found')
  expect(await list()).toEqual([])
})
