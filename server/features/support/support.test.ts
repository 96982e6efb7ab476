import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  answerSupportThread,
  changeSupportThread,
  getSupportThread,
  listSupportInbox,
} from '#contract/admin/service/admin-support.ts'
import {
  addSupportMessage,
  createSupportThread,
  listSupportThreads,
  maxOpenThreads,
} from '#contract/support.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { readQueuedMails } from '../../testing/queued-mails.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person
let member: Person
let clockMs = Date.now()

beforeAll(async () => {
  app = await createTestApp({}, { now: () => new Date((clockMs += 1000)) })
  admin = await app.makePerson({ role: 'admin' })
})
beforeEach(async () => {
  await app.services.db.query.deleteFrom('support_threads').execute()
  member = await app.makePerson()
})
afterAll(() => app.close())

async function write(by: Person, subject = 'No sound', text = 'My phone is silent.') {
  const answer = await by.call(createSupportThread, { body: { subject, text } })
  expect(answer.status).toBe(201)
  return answer.body
}
const inbox = async (query: CallInput<typeof listSupportInbox>['query'] = {}) =>
  (await admin.call(listSupportInbox, { query })).body
const subjects = async (query?: CallInput<typeof listSupportInbox>['query']) =>
  (await inbox(query)).data.map(({ subject }) => subject)
const answer = (id: string, text = 'Update the app.', more = {}) =>
  admin.call(answerSupportThread, { params: { id }, body: { text, ...more } })
const mine = async (by = member) => (await by.call(listSupportThreads, {})).body.data

describe('a support message', () => {
  test('is answered in the app and by email, and the member can reply to the answer', async () => {
    const { id } = await write(member)
    const answered = await answer(id, 'Hello,\n\nplease update the app.')
    expect(answered.status).toBe(201)
    expect(answered.body).toMatchObject({ state: 'answered', user: { id: member.id } })
    const [thread] = await mine()
    expect(thread).toMatchObject({ state: 'answered', subject: 'No sound' })
    expect(thread?.messages.map(({ is_answer }) => is_answer)).toEqual([false, true])
    const mail = (await readQueuedMails(app)).at(-1)
    expect(mail).toMatchObject({
      to: member.email,
      subject: 'Re: No sound',
      reply_to: app.services.branding().contact_email,
    })
    expect(mail?.paragraphs).toContain('please update the app.')
    expect(mail?.button.link).toMatch(/\/profile#help$/)
    const body = { text: 'It works now.' }
    const replied = await member.call(addSupportMessage, { params: { id }, body })
    expect(replied.body).toMatchObject({ state: 'open' })
    expect((await inbox({ state: 'open' })).data[0]).toMatchObject({
      id,
      message_count: 3,
      excerpt: 'It works now.',
    })
  })

  test('can be closed with or without an answer, and a new message opens it again', async () => {
    const { id } = await write(member)
    expect((await answer(id, 'Done.', { closes: true })).body.state).toBe('closed')
    await member.call(addSupportMessage, { params: { id }, body: { text: 'Not quite.' } })
    const close = { params: { id }, body: { state: 'closed' as const } }
    expect((await admin.call(changeSupportThread, close)).body.state).toBe('closed')
    expect((await inbox()).open_count).toBe(0)
    const open = { params: { id }, body: { state: 'open' as const } }
    expect((await admin.call(changeSupportThread, open)).body.state).toBe('open')
  })

  test('can be read only by its writer and by admins', async () => {
    const { id } = await write(member)
    const other = await app.makePerson()
    expect(await mine(other)).toEqual([])
    const body = { text: 'Me too.' }
    const added = await other.call(addSupportMessage, { params: { id }, body })
    expect(added.code).toBe('message_not_found')
    for (const [call, input] of [
      [getSupportThread, { params: { id } }],
      [answerSupportThread, { params: { id }, body }],
      [listSupportInbox, {}],
    ] as const) {
      expect((await member.call(call, input as never)).status).toBe(403)
    }
    expect((await app.nobody.call(listSupportThreads, {})).status).toBe(401)
  })

  test('is deleted with the account, and is included in the download of personal data', async () => {
    const { id } = await write(member, 'Private', 'My secret address.')
    const data = await member.send('GET', '/api/profile/data')
    expect(JSON.stringify(data.body)).toContain('My secret address.')
    await app.services.db.query.deleteFrom('profiles').where('id', '=', member.id).execute()
    expect((await admin.call(getSupportThread, { params: { id } })).code).toBe('message_not_found')
  })
})

describe('the support inbox', () => {
  test('lists messages of yearly members first, then of Premium members, then of free members, each longest waiting first', async () => {
    const yearly = await app.makePerson({ tier: 'yearly' })
    const premium = await app.makePerson({ tier: 'monthly' })
    await write(member, 'free, early')
    await write(premium, 'premium')
    await write(yearly, 'yearly, early')
    await write(yearly, 'yearly, late')
    const done = await write(yearly, 'answered')
    await answer(done.id)
    expect(await subjects()).toEqual([
      'yearly, early',
      'yearly, late',
      'premium',
      'free, early',
      'answered',
    ])
    expect((await inbox()).data.map(({ priority }) => priority).slice(0, 3)).toEqual([
      'yearly',
      'yearly',
      'premium',
    ])
    await app.services.db.query
      .updateTable('profiles')
      .set({ subscription_status: 'inactive' })
      .where('id', '=', yearly.id)
      .execute()
    expect((await subjects())[0]).toBe('premium')
  })

  test('can be searched by subject, text and person, filtered, and paginated', async () => {
    await write(member, 'Invoice 100%', 'Where is it?')
    await write(member, 'Lyrics', 'A line is missing.')
    expect(await subjects({ q: '100%' })).toEqual(['Invoice 100%'])
    expect(await subjects({ q: 'LINE' })).toEqual(['Lyrics'])
    expect(await subjects({ q: member.email })).toHaveLength(2)
    expect(await subjects({ q: 'nothing' })).toEqual([])
    expect(await subjects({ state: 'closed' })).toEqual([])
    expect(await subjects({ user_id: admin.id })).toEqual([])
    const page = await inbox({ page: 2, page_size: 1 })
    expect(page.data.map(({ subject }) => subject)).toEqual(['Lyrics'])
    expect(page).toMatchObject({ open_count: 2, pagination: { total: 2, total_pages: 2 } })
  })
})

test("limits the number of a member's open messages, even if they are sent concurrently", async () => {
  for (let written = 0; written < maxOpenThreads - 1; written += 1) await write(member)
  const body = { subject: 'One more', text: 'Hello?' }
  const answers = await Promise.all([1, 2, 3].map(() => member.call(createSupportThread, { body })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.find(({ code }) => code)?.code).toBe('too_many_messages')
})
