import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerSupportThread } from '#contract/admin/service/admin-support.ts'
import { addSupportMessage, createSupportThread } from '#contract/support.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { notifyAdminsOfMessages } from './notify-admins.ts'

let app: TestApp
let admin: Person
let mia: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  mia = await app.makePerson()
})
afterAll(() => app.close())

const notifyAdmins = () => notifyAdminsOfMessages(app.services)
const advanceOneHour = () =>
  sql`update support_notice set sent_at = sent_at - interval '61 minutes'`.execute(
    app.services.db.query,
  )
async function countMails(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from jobs.job where name = 'send-mail'`.execute(app.services.db.query)
  return rows[0]!.count
}

test('emails admins at most once an hour, and only if there are new messages', async () => {
  await notifyAdmins()
  expect(await countMails()).toBe(0)
  const body = { subject: 'A question', text: 'How?' }
  const { id } = (await mia.call(createSupportThread, { body })).body
  await Promise.all([notifyAdmins(), notifyAdmins(), notifyAdmins()])
  expect(await countMails()).toBe(1)

  await mia.call(addSupportMessage, { params: { id }, body: { text: 'Hello?' } })
  await notifyAdmins()
  expect(await countMails()).toBe(1)
  await advanceOneHour()
  await notifyAdmins()
  expect(await countMails()).toBe(2)
  // No message was written after the last email.
  await sql`update support_threads set last_message_at = now() - interval '2 hours'`.execute(
    app.services.db.query,
  )
  await sql`update support_notice set sent_at = now() - interval '90 minutes'`.execute(
    app.services.db.query,
  )
  await notifyAdmins()
  expect(await countMails()).toBe(2)
})

test('sends no email about a message that was already answered', async () => {
  const body = { subject: 'Another', text: 'Why?' }
  const { id } = (await mia.call(createSupportThread, { body })).body
  await sql`update support_threads set state = 'closed', waiting_since = null`.execute(
    app.services.db.query,
  )
  await admin.call(answerSupportThread, { params: { id }, body: { text: 'So.', closes: true } })
  await advanceOneHour()
  const before = await countMails()
  await notifyAdmins()
  expect(await countMails()).toBe(before)
})
