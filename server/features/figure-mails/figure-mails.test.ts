import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setFigureMails } from '#contract/admin/service/admin-figure-mails.ts'
import { transaction } from '../../platform/db/database.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { findDueWeek, sendFigureMails } from './send-figure-mails.ts'

let app: TestApp
let admin: Person

beforeEach(async () => {
  app = await createTestApp()
  admin = await makeAdmin()
  await app.makePerson()
})
afterEach(() => app.close())

/** Creates an admin whose account is older than the weeks in these tests. */
async function makeAdmin(): Promise<Person> {
  const person = await app.makePerson({ role: 'admin' })
  await app.asOwner(`update profiles set created_at = '2026-01-01' where id = '${person.id}'`)
  return person
}

/** A Monday, the weekday on which the emails are due. */
const monday = new Date('2026-11-23T09:00:00Z')
const send = (at = monday) => sendFigureMails(app.services, at)

async function mails(): Promise<{ to: string; text: string; unsubscribe: string }[]> {
  const { rows } = await sql<{ data: { sealed_mail: string } }>`
    select data from jobs.job where name = 'send-mail' order by created_on`.execute(
    app.services.db.query,
  )
  return rows.map(({ data }) => {
    const mail = JSON.parse(app.services.secretBox.open(data.sealed_mail)!) as {
      to: string
      body: { text: string }
      unsubscribe: { link: string }
    }
    return { to: mail.to, text: mail.body.text, unsubscribe: mail.unsubscribe.link }
  })
}

test.each([
  ['2026-11-23T07:59:00Z', null],
  ['2026-11-23T08:00:00Z', { start: '2026-11-16', end: '2026-11-22' }],
  ['2026-11-25T07:00:00Z', { start: '2026-11-16', end: '2026-11-22' }],
  ['2026-11-26T09:00:00Z', null],
  ['2026-11-29T23:00:00Z', null],
])('if the emails are due on Mondays, the week to report at %s is %o', (at, week) => {
  expect(findDueWeek(new Date(at), 1)).toEqual(week)
})

test('sends each admin one email per week, even from several instances, and none to new admins', async () => {
  const other = await makeAdmin()
  await app.makePerson({ role: 'admin' })
  const sent = await Promise.all([send(), send(), send()])
  expect(sent.reduce((sum, one) => sum + one, 0)).toBe(2)
  expect(await send(new Date('2026-11-24T09:00:00Z'))).toBe(0)
  expect((await mails()).map(({ to }) => to).toSorted()).toEqual(
    [admin.email, other.email].toSorted(),
  )
})

test('compares the week with the previous week, and lists pending tasks', async () => {
  await app.asOwner(`
    insert into insight_days (day, sign_ups, plays) values
      ('2026-11-10', 2, 10), ('2026-11-16', 3, 20), ('2026-11-22', 4, 30), ('2026-11-23', 9, 90)`)
  await send()
  const [mail] = await mails()
  expect(mail?.text).toContain('New members: 7 (2 before)')
  expect(mail?.text).toContain('Plays: 50 (10 before)')
  expect(mail?.text).toContain('Net revenue: $0.00 ($0.00 before)')
  expect(mail?.text).toContain('Messages waiting now: 0')
  expect(mail?.text).toContain('/admin/support')
})

test('the unsubscribe link turns the emails off for one admin, the setting for all admins', async () => {
  await send()
  const [mail] = await mails()
  const answer = await fetch(app.url + new URL(mail!.unsubscribe).pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
  expect([answer.status, await answer.text()]).toEqual([
    200,
    expect.stringContaining('no more weekly statistics emails') as string,
  ])
  await transaction(app.services.db, (trx) => sql`delete from figure_mails`.execute(trx.query))
  expect(await send()).toBe(0)
  await admin.call(setFigureMails, { body: { is_on: true, weekday: 1, for_me: true } })
  expect(await send()).toBe(1)
  await transaction(app.services.db, (trx) => sql`delete from figure_mails`.execute(trx.query))
  await admin.call(setFigureMails, { body: { is_on: false, weekday: 1, for_me: true } })
  expect(await send()).toBe(0)
})

test("returns 'forbidden' for members", async () => {
  const mia = await app.makePerson()
  const body = { is_on: false, weekday: 1, for_me: false }
  expect((await mia.call(setFigureMails, { body })).code).toBe('forbidden')
})
