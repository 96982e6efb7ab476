// Reads bounce messages over a real IMAP connection to a local server.
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getBounceState } from '#contract/admin/service/admin-bounces.ts'
import { getPerson } from '#contract/admin/admin-people.ts'
import { resumeAddress } from '#contract/announcements.ts'
import { getNewsPreferences, updateNewsPreferences } from '#contract/news.ts'
import { makeMailReference, referenceHeader } from '../../platform/mail/mail-reference.ts'
import { welcomeMail } from '../../platform/mail/member-mails.ts'
import { createSecretBox } from '../../platform/security/secret-box.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import {
  createDeliveryReport,
  createFeedbackReport,
  formatHeader,
  noSuchPerson,
} from '../../testing/test-bounces.ts'
import { startTestImap, type TestImap } from '../../testing/test-imap.ts'
import { startTestSmtp, type TestSmtp } from '../../testing/test-smtp.ts'
import { startWorker } from '../../worker.ts'
import { sendQueuedMail, enqueueMail } from '../../platform/mail/mail-queue.ts'
import { transaction } from '../../platform/db/database.ts'
import { createUnsubscribeLink } from '../news/unsubscribe.ts'
import { mailMaxBytes } from './open-mailbox.ts'
import { enqueueDueBounces, readBounces } from './read-bounces.ts'

const closers: (() => Promise<void>)[] = []
let app: TestApp
let smtp: TestSmtp
let imap: TestImap
let admin: Person
let mia: Person
let now = new Date()

beforeEach(async () => {
  now = new Date()
  imap = await startTestImap()
  smtp = await startTestSmtp()
  app = await createTestApp(
    { alertMailTo: [], smtpUrl: smtp.url, bounceMailboxUrl: imap.url },
    { now: () => now },
  )
  closers.push(imap.close, smtp.close, app.close)
  admin = await app.makePerson({ role: 'admin' })
  mia = await app.makePerson()
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** Sends an email through the queue, and returns its headers as the mail server received them. */
async function send(to = mia.email): Promise<string> {
  const { db, jobs, secretBox } = app.services
  const site = { publicUrl: app.url, brandName: 'Velour' }
  const before = smtp.received.length
  await transaction(db, (trx) =>
    enqueueMail(trx, { jobs, secretBox, now: () => now }, welcomeMail(to, site)),
  )
  const { rows } = await sql<{ data: never }>`
    select data from jobs.job where name = 'send-mail'`.execute(db.query)
  for (const { data } of rows) {
    await sendQueuedMail(app.services, data, { isLastAttempt: false })
  }
  await sql`delete from jobs.job where name = 'send-mail'`.execute(db.query)
  expect(smtp.received).toHaveLength(before + 1)
  return formatHeader((await smtp.received.at(-1)?.mail)!)
}

const neverAborted = () => ({ signal: new AbortController().signal })
const read = () => readBounces(app.services, neverAborted())
const state = async () => (await admin.call(getBounceState, {})).body
const person = async () => (await admin.call(getPerson, { params: { id: mia.id } })).body
const bounce = (head: string, changes: Record<string, string> = {}) =>
  createDeliveryReport({ head, recipients: [{ ...noSuchPerson(mia.email), ...changes }] })

test("a bounce is counted for the recipient's address, and other messages are left unread", async () => {
  imap.deliver('From: fan@example.com\r\nSubject: Hello\r\nContent-Type: text/plain\r\n\r\nHi')
  const report = imap.deliver(bounce(await send()))
  await read()
  expect(await state()).toMatchObject({ read: 2, bounced: 1, ignored: 1, failure: null })
  expect((await state()).read_at).not.toBeNull()
  expect((await person()).mail_refusal).toMatchObject({
    source: 'bounce',
    refusals: 1,
    is_suspended: false,
    reason: '550 5.1.1 <(address)>: no such person',
  })
  expect(imap.mails.map(({ seen }) => seen)).toEqual([false, true])
  expect(imap.sent).toEqual([report.uid])
  await read()
  expect(await state()).toMatchObject({ read: 2, bounced: 1 })
})

test('suspends news after three bounced emails, although the mail server accepts each email', async () => {
  await mia.call(updateNewsPreferences, { body: { announcements: true } })
  for (let time = 1; time <= 3; time += 1) {
    imap.deliver(bounce(await send()))
    await read()
  }
  expect((await person()).mail_refusal).toMatchObject({ refusals: 3, is_suspended: true })
  await app.services.db.query
    .updateTable('profiles')
    .set({ email_verified: true })
    .where('id', '=', mia.id)
    .execute()
  expect((await mia.call(getNewsPreferences, {})).body.mail_problem).toBe('suspended')
  await admin.call(resumeAddress, { params: { id: mia.id } })
  expect((await person()).mail_refusal).toBeNull()
})

test('counts a bounced email once, even if several reports arrive or the mailbox assigns new UIDs', async () => {
  const head = await send()
  imap.deliver(bounce(head))
  imap.deliver(bounce(head))
  await read()
  imap.renumber()
  imap.deliver(bounce(head))
  await read()
  expect((await person()).mail_refusal).toMatchObject({ refusals: 1 })
  expect(await state()).toMatchObject({ read: 5, bounced: 1, ignored: 4 })
})

test('the fifth temporary failure counts as a permanent failure; delays never count', async () => {
  const head = await send()
  imap.deliver(bounce(head, { Action: 'delayed', Status: '4.4.1' }))
  for (let time = 1; time <= 4; time += 1) {
    imap.deliver(bounce(await send(), { Status: '4.2.2', 'Diagnostic-Code': 'smtp; 452 full' }))
  }
  await read()
  expect(await state()).toMatchObject({ bounced: 4, ignored: 1 })
  expect((await person()).mail_refusal).toBeNull()
  imap.deliver(bounce(await send(), { Status: '4.2.2', 'Diagnostic-Code': 'smtp; 452 full' }))
  await read()
  expect((await person()).mail_refusal).toMatchObject({ refusals: 1, reason: '452 full' })
})

test('ignores a report that is not about an email we sent to that address', async () => {
  const head = await send()
  const { secretBox } = app.services
  const references = {
    none: 'Message-ID: <made-up@velour.test>',
    otherService: `Message-ID: <${makeMailReference(createSecretBox(['of another service, 32 characters']), { to: mia.email, sentAt: now })}@velour.test>`,
    otherPurpose: `${referenceHeader}: ${createUnsubscribeLink({ publicUrl: app.url, secretBox }, mia.id, 'releases').split('/').at(-1)}`,
    changed: head.replaceAll(/v1\.[\w-]{5}/g, 'v1.AAAAA'),
    quoted: head.replaceAll(/^(?:message-id|x-mail-reference):/gim, 'References:'),
  }
  for (const forged of Object.values(references)) imap.deliver(bounce(forged))
  // This message is not a report, although it contains the reference header of an email.
  imap.deliver(`${head}\r\nContent-Type: text/plain\r\n\r\n550 no such person`)
  await read()
  expect(await state()).toMatchObject({ read: 6, bounced: 0, ignored: 6 })
  expect((await person()).mail_refusal).toBeNull()
  imap.deliver(bounce(head))
  now = new Date(now.getTime() + 31 * 24 * 3600 * 1000)
  await read()
  // The clock has moved past the end of the sessions, so read the tables directly.
  const { query } = app.services.db
  expect(await query.selectFrom('refused_addresses').selectAll().execute()).toEqual([])
  const after = await query.selectFrom('bounce_state').selectAll().executeTakeFirstOrThrow()
  expect(after).toMatchObject({ read_count: 7, bounced_count: 0 })
})

test('ignores failures for other reasons than the address, such as policy, size or relaying', async () => {
  imap.deliver(bounce(await send(), { Status: '5.7.1' }))
  imap.deliver(
    bounce(await send(), { Status: '5.0.0', 'Diagnostic-Code': 'smtp; 550 5.7.26 policy' }),
  )
  imap.deliver(bounce(await send(), { Status: '5.3.4' }))
  imap.deliver(bounce(await send(), { 'Diagnostic-Code': 'smtp; 554 Relay access denied' }))
  imap.deliver(bounce(await send(), { Action: 'delivered', Status: '2.0.0' }))
  await read()
  expect(await state()).toMatchObject({ bounced: 0, ignored: 5 })
})

test('counts a report about the address that the recipient forwards to, unless another recipient got the email', async () => {
  const other = noSuchPerson('mia@elsewhere.example')
  imap.deliver(createDeliveryReport({ head: await send(), recipients: [other] }))
  const arrived = { ...other, Action: 'relayed', Status: '2.0.0' }
  imap.deliver(createDeliveryReport({ head: await send(), recipients: [other, arrived] }))
  imap.deliver(
    createDeliveryReport({ head: await send(), recipients: [arrived, noSuchPerson(mia.email)] }),
  )
  await read()
  expect(await state()).toMatchObject({ bounced: 2, ignored: 1 })
  expect((await person()).mail_refusal).toMatchObject({ refusals: 2 })
})

test("finds the reported email by its reference header, its Message-ID or the report's In-Reply-To", async () => {
  const lines = (await send()).split('\r\n')
  const only = (name: string, all = lines) =>
    all.find((line) => line.toLowerCase().startsWith(name))!
  const recipients = [noSuchPerson(mia.email)]
  imap.deliver(
    createDeliveryReport({
      head: only(referenceHeader),
      recipients,
      returnedType: 'text/rfc822-headers',
    }),
  )
  const second = (await send()).split('\r\n')
  imap.deliver(createDeliveryReport({ head: only('message-id', second), recipients }))
  const third = (await send()).split('\r\n')
  const header = `${only('message-id', third).replace(/^message-id/i, 'In-Reply-To')}\r\n`
  imap.deliver(createDeliveryReport({ head: 'Subject: none', recipients, header }))
  await read()
  expect(await state()).toMatchObject({ bounced: 3, ignored: 0 })
})

test('a spam complaint withdraws the consent to news', async () => {
  const body = { announcements: true, release_mail: 'each' as const }
  await mia.call(updateNewsPreferences, { body })
  imap.deliver(createFeedbackReport(await send(), 'not-spam'))
  await read()
  expect((await person()).mail_complaint_at).toBeNull()
  imap.deliver(createFeedbackReport(await send(), 'abuse'))
  await read()
  expect(await state()).toMatchObject({ complaints: 1, ignored: 1 })
  expect((await mia.call(getNewsPreferences, {})).body).toMatchObject({
    announcements: false,
    release_mail: 'off',
  })
  const { query } = app.services.db
  const consents = await query.selectFrom('news_consents').selectAll().execute()
  expect(consents.filter(({ way }) => way === 'complaint')).toHaveLength(2)
  expect((await person()).mail_complaint_at).not.toBeNull()
  expect((await person()).mail_refusal).toBeNull()
})

test('ignores oversized and deeply nested messages, and reads the messages after them', async () => {
  const head = await send()
  const report = 'Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n'
  const huge = imap.deliver(`${bounce(head)}${'x'.repeat(mailMaxBytes)}`)
  const nested = Array.from(
    { length: 5000 },
    (_, at) => `--b${at}\r\nContent-Type: multipart/mixed; boundary=b${at + 1}\r\n\r\n`,
  )
  imap.deliver(`${report.replace('=b\r', '=b0\r')}\r\n${nested.join('')}`)
  imap.deliver(`${report}\r\n--b\r\n${'X-A: b\r\n'.repeat(40_000)}`)
  imap.deliver(report)
  imap.deliver(`Content-Type: multipart/report; boundary="\r\n\r\n`)
  imap.deliver(Buffer.concat([Buffer.from(`${report}\r\n--b\r\n`), Buffer.alloc(2000, 0xff)]))
  const charset = 'Content-Type: message/delivery-status; charset="no-such-charset"'
  imap.deliver(bounce(head).replace('Content-Type: message/delivery-status', charset))
  imap.deliver(
    bounce(await send(), { 'Diagnostic-Code': `smtp; 550\0 \x07${'\u{1F600}'.repeat(400)}` }),
  )
  await read()
  expect(imap.sent).not.toContain(huge.uid)
  expect(await state()).toMatchObject({ read: 8, bounced: 2, ignored: 6, failure: null })
})

test('counts an email once when several instances read concurrently', async () => {
  for (let time = 1; time <= 6; time += 1) imap.deliver(bounce(await send()))
  await Promise.all([read(), read(), read()])
  expect(await state()).toMatchObject({ read: 6, bounced: 6, ignored: 0 })
  expect((await person()).mail_refusal).toMatchObject({ refusals: 6 })
})

test('a new run continues where an interrupted run stopped, and counts nothing twice', async () => {
  for (let time = 1; time <= 4; time += 1) imap.deliver(bounce(await send()))
  let texts = 0
  imap.onCommand = (command) => {
    if (command.includes('BODY.PEEK[]') && ++texts === 3) throw new Error('killed')
  }
  await read()
  expect(await state()).toMatchObject({ read: 2, failure: { reason: 'closed' } })
  // The process is killed after the commit and before the message is marked as read.
  imap.onCommand = (command) => {
    if (command.startsWith('UID STORE')) throw new Error('killed')
  }
  await read()
  imap.onCommand = () => {}
  await app.restart()
  await read()
  expect(await state()).toMatchObject({ read: 4, bounced: 4, failure: null, failed_at: null })
  expect((await person()).mail_refusal).toMatchObject({ refusals: 4 })
})

test('sends emails while the mailbox is unreachable', async () => {
  await imap.close()
  await read()
  expect(await state()).toMatchObject({ failure: { reason: 'refused', reply: null } })
  await send()
})

test('the worker reads the mailbox in one job at a time', async () => {
  imap.deliver(bounce(await send()))
  const { services } = app
  await Promise.all([enqueueDueBounces(services), enqueueDueBounces(services)])
  const worker = await startWorker(services)
  closers.push(worker.stop)
  await expect.poll(state, { timeout: 15_000 }).toMatchObject({ read: 1, bounced: 1 })
  await enqueueDueBounces(services)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from jobs.job where name = 'read-bounces' and state < 'active'`.execute(
    services.db.query,
  )
  expect(rows[0]?.count).toBe(0)
})

test('counts bounces for an address without an account, and stores no data about the address', async () => {
  const head = await send('guest@example.com')
  imap.deliver(createDeliveryReport({ head, recipients: [noSuchPerson('guest@example.com')] }))
  await read()
  expect(await state()).toMatchObject({ read: 1, bounced: 1 })
  expect(await app.services.db.query.selectFrom('mail_bounces').selectAll().execute()).toEqual([])
})
