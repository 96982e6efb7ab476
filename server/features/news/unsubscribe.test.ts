// Tests one-click unsubscribing (RFC 8058): the headers that a mail server receives, and the link in them.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateNewsPreferences } from '#contract/news.ts'
import { createMailer } from '../../platform/mail/mailer.ts'
import { sendQueuedMail } from '../../platform/mail/mail-queue.ts'
import { mailLook } from '../settings/branding.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { startTestSmtp, type TestSmtp } from '../../testing/test-smtp.ts'
import { openNews } from './open-news.ts'
import { sendNewsMails } from './send-news-mails.ts'
import { createUnsubscribeLink } from './unsubscribe.ts'

let app: TestApp
let smtp: TestSmtp

beforeAll(async () => {
  app = await createTestApp()
  smtp = await startTestSmtp()
})
afterAll(async () => {
  await smtp.close()
  await app.close()
})

async function makeReader(): Promise<Person> {
  const person = await app.makePerson()
  const { query } = app.services.db
  await query
    .updateTable('profiles')
    .set({ email_verified: true })
    .where('id', '=', person.id)
    .execute()
  const body = { release_mail: 'each', follows_everything: true, announcements: true } as const
  await person.call(updateNewsPreferences, { body })
  return person
}
const linkOf = (person: Person, subject: 'releases' | 'announcements' = 'releases') =>
  createUnsubscribeLink(
    { publicUrl: app.url, secretBox: app.services.secretBox },
    person.id,
    subject,
  )
const choicesOf = ({ id }: Person) =>
  app.services.db.query
    .selectFrom('news_preferences')
    .select(['release_mail', 'announcements', 'follows_everything'])
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
const waysOf = async ({ id }: Person) =>
  (
    await app.services.db.query
      .selectFrom('news_consents')
      .select(['kind', 'choice', 'way'])
      .where('user_id', '=', id)
      .where('choice', '=', 'off')
      .execute()
  ).map(({ kind, choice, way }) => `${kind} ${choice} ${way}`)

const post = (url: string, body: string | FormData, type?: string) =>
  fetch(url, {
    method: 'POST',
    body,
    redirect: 'manual',
    ...(type && { headers: { 'content-type': type } }),
  })

test('the email has both List-Unsubscribe headers, and one request from a mail client unsubscribes the person', async () => {
  const person = await makeReader()
  const { db, config, branding, secretBox, settings } = app.services
  await db.query
    .insertInto('tracks')
    .values({ title: 'Song', artist: 'Ada', is_published: true, processing_status: 'ready' })
    .execute()
  await openNews(db)
  await sendNewsMails(app.services)
  const { rows } = await sql<{
    data: never
  }>`select data from jobs.job where name = 'send-mail'`.execute(db.query)
  const look = () => mailLook(config, branding(), settings.mail())
  const mailer = await createMailer({
    smtp: () => smtp.url,
    outboxDir: '/nowhere',
    look,
    secretBox,
    log: app.services.log,
  })
  await sendQueuedMail({ ...app.services, secretBox, mailer }, rows[0]!.data, {
    isLastAttempt: false,
  })
  mailer.close()
  const mail = await smtp.received[0]?.mail
  const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value
  expect(mail?.to?.[0]?.address).toBe(person.email)
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const [, link] = /^<(\S+)>$/.exec(header('list-unsubscribe') ?? '') ?? []
  expect(link).toMatch(`${config.publicUrl}/unsubscribe/v1.`)
  expect(link).not.toContain(person.id)
  expect(mail?.text).toContain(link)
  expect(mail?.html).toContain('Stop emails about releases')

  const address = app.url + new URL(link!).pathname
  const type = 'application/x-www-form-urlencoded'
  expect((await post(address, 'List-Unsubscribe=One-Click', type)).status).toBe(200)
  expect(await choicesOf(person)).toEqual({
    release_mail: 'off',
    announcements: true,
    follows_everything: true,
  })
  expect(await waysOf(person)).toEqual(['release_mail off mail_program'])
  // A repeated request changes nothing.
  expect((await post(address, 'List-Unsubscribe=One-Click', type)).status).toBe(200)
  expect(await waysOf(person)).toHaveLength(1)
})

test('accepts a multipart form, and stops only one kind of email', async () => {
  const person = await makeReader()
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  expect((await post(linkOf(person, 'announcements'), form)).status).toBe(200)
  expect(await choicesOf(person)).toMatchObject({ release_mail: 'each', announcements: false })
})

test('opening the unsubscribe page changes nothing; its button unsubscribes, even when signed out or in maintenance mode', async () => {
  const person = await makeReader()
  const link = linkOf(person)
  await app.services.db.query.updateTable('settings').set({ maintenance_mode: true }).execute()
  await app.services.settings.reload()
  const page = await fetch(link)
  expect(page.status).toBe(200)
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(await page.text()).toContain('Stop emails about releases')
  expect(await choicesOf(person)).toMatchObject({ release_mail: 'each' })
  const done = await post(link, '', 'application/x-www-form-urlencoded')
  expect(await done.text()).toContain('You get no more emails about releases')
  expect(await choicesOf(person)).toMatchObject({ release_mail: 'off' })
  expect(await waysOf(person)).toEqual(['release_mail off mail_link'])
  await app.services.db.query.updateTable('settings').set({ maintenance_mode: false }).execute()
  await app.services.settings.reload()
})

test('rejects forged tokens and cross-site requests', async () => {
  const person = await makeReader()
  const { secretBox } = app.services
  const link = linkOf(person)
  const bad = [
    `${app.url}/unsubscribe/v1.AAAA`,
    // Change a character before the last one, because some bits of the last character are unused.
    link.replace(/.(?=.{12}$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
    `${app.url}/unsubscribe/${secretBox.seal(`something ${person.id} releases`)}`,
    `${app.url}/unsubscribe/${secretBox.seal(`unsubscribe ${person.id} everything`)}`,
  ]
  for (const url of bad) {
    expect((await fetch(url)).status, url).toBe(404)
    expect(
      (await post(url, 'List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded')).status,
    ).toBe(404)
  }
  const foreign = await fetch(link, { method: 'POST', headers: { origin: 'https://evil.example' } })
  expect(foreign.status).toBe(403)
  expect(await choicesOf(person)).toMatchObject({ release_mail: 'each' })
})

test('the link of a deleted account changes nothing', async () => {
  const person = await makeReader()
  const link = linkOf(person)
  await app.services.db.query.deleteFrom('profiles').where('id', '=', person.id).execute()
  expect((await post(link, '', 'application/x-www-form-urlencoded')).status).toBe(200)
})
