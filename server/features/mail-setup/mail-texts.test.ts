import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/admin/service/admin-mail-words.ts'
import { requestPasswordReset } from '#contract/auth.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { startTestSmtp, type TestSmtp } from '../../testing/test-smtp.ts'
import { startWorker } from '../../worker.ts'

let app: TestApp
let smtp: TestSmtp
let admin: Person
let mia: Person
let worker: Awaited<ReturnType<typeof startWorker>>

beforeAll(async () => {
  smtp = await startTestSmtp()
  app = await createTestApp({ smtpUrl: smtp.url, alertMailTo: [] })
  admin = await app.makePerson({ role: 'admin' })
  mia = await app.makePerson()
  worker = await startWorker(app.services)
})
afterAll(async () => {
  await worker.stop()
  await app.close()
  await smtp.close()
})

const params = { kind: 'password_reset' as const }
const none = { subject: null, opening: null, closing: null }
const words = {
  subject: 'A new key, {{name}}',
  opening: 'Dear {{name}},\n\nyou lost it?',
  closing: 'Warmly, {{service}}',
}

test("emails use the owner's texts until they are reset to the defaults", async () => {
  const saved = await admin.call(contract.setMailWords, { params, body: words })
  expect(saved.body).toMatchObject({ ...words, updated_at: expect.any(String) as string })
  await app.nobody.call(requestPasswordReset, { body: { email: mia.email } })
  await expect.poll(() => smtp.received.length, { timeout: 10_000 }).toBe(1)
  const mail = await smtp.received[0]?.mail
  expect(mail?.subject).toBe('A new key, there')
  expect(mail?.text).toContain('Dear there,\n\nyou lost it?')
  expect(mail?.text).toContain('Warmly, Velour')
  expect(mail?.text).toContain('The link works once')
  expect(mail?.text).not.toContain('Someone, hopefully you')

  const back = await admin.call(contract.setMailWords, { params, body: none })
  expect(back.body).toMatchObject({ ...none, updated_at: null })
  const { data } = (await admin.call(contract.listMailWords, {})).body
  expect(data.filter(({ updated_at }) => updated_at !== null)).toEqual([])
  const audit = await app.services.db.query
    .selectFrom('audit_log')
    .select(['entity_id', 'after'])
    .where('entity_id', '=', 'mail/password_reset')
    .execute()
  expect(audit).toHaveLength(2)
})

test('rejects unknown variables and lists them', async () => {
  const { status, code, body } = await admin.call(contract.setMailWords, {
    params,
    body: { ...words, opening: 'Hi {{nmae}}, {{amount}}' },
  })
  expect([status, code]).toEqual([400, 'invalid_input'])
  expect(JSON.stringify(body)).toContain('{{nmae}} is not a variable of this email')
  expect(JSON.stringify(body)).toContain('{{amount}}')
})

test('previews unsaved texts in both themes, without style sheets or scripts', async () => {
  const opening = '<script>alert(1)</script> {{name}}'
  for (const theme of ['light', 'dark'] as const) {
    const { body } = await admin.call(contract.previewMailWords, {
      params: { kind: 'receipt' },
      body: { ...none, opening, theme },
    })
    expect(body.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; Mia')
    expect(body.html).not.toMatch(/<style|<script/)
    expect(body.html).toContain(theme === 'dark' ? '#160f14' : '#f7f1ee')
    expect(body.text).toContain('We have received $9.99')
  }
})

test('sends a test email to the admin who requested it', async () => {
  const before = smtp.received.length
  await admin.call(contract.testMailWords, { params, body: words })
  await expect.poll(() => smtp.received.length, { timeout: 10_000 }).toBe(before + 1)
  expect(smtp.received.at(-1)?.recipients).toEqual([admin.email])
  expect((await smtp.received.at(-1)?.mail)?.subject).toBe('Test: A new key, Mia')
})

test("returns 'forbidden' for members", async () => {
  expect((await mia.call(contract.listMailWords, {})).code).toBe('forbidden')
  expect((await mia.call(contract.setMailWords, { params, body: none })).code).toBe('forbidden')
})
