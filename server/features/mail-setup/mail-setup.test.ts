// Tests setting up, testing and changing the mail server while the service is running.
import { createServer, type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as contract from '#contract/admin/service/admin-mail.ts'
import { requestPasswordReset } from '#contract/auth.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { startTestDns } from '../../testing/test-dns.ts'
import { startTestSmtp } from '../../testing/test-smtp.ts'
import { startWorker } from '../../worker.ts'

const closers: (() => Promise<void>)[] = []
let app: TestApp
let admin: Person

async function open(config: Parameters<typeof createTestApp>[0] = {}) {
  // Without recipients, the test service sends no alert emails.
  app = await createTestApp({ alertMailTo: [], ...config })
  closers.push(app.close)
  admin = await app.makePerson({ role: 'admin' })
}
beforeEach(() => open())
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function startSmtp(options: Parameters<typeof startTestSmtp>[0] = {}) {
  const smtp = await startTestSmtp(options)
  // Close the mail servers after the service, which keeps connections to them open.
  closers.unshift(smtp.close)
  return smtp
}
const serverAt = (url: string) => ({
  host: '127.0.0.1',
  port: Number(new URL(url).port),
  security: 'none' as const,
})
const save = (settings: object) =>
  admin.call(contract.updateMailSettings, { body: { settings } as never })
const testMail = async () => (await admin.call(contract.sendTestMail, {})).body
const state = async () => (await admin.call(contract.getMailState, {})).body

test('sends through a mail server as soon as its settings are saved, and never returns the password', async () => {
  const smtp = await startSmtp()
  expect((await admin.call(contract.sendTestMail, {})).code).toBe('mail_not_set_up')
  const saved = await save({
    ...serverAt(smtp.url),
    user_name: 'ada',
    password: 'hush-4711',
    from_name: 'Night Desk',
    from_address: 'desk@night.example',
    reply_to: 'help@night.example',
  })
  expect(saved.body).toMatchObject({
    server_source: 'saved',
    has_password: true,
    sender: 'Night Desk <desk@night.example>',
  })
  expect(await testMail()).toEqual({ to: admin.email, failure: null })
  const mail = await smtp.received[0]?.mail
  expect(mail).toMatchObject({
    from: { name: 'Night Desk', address: 'desk@night.example' },
    replyTo: [{ address: 'help@night.example' }],
  })
  const audit = await app.services.db.query.selectFrom('audit_log').selectAll().execute()
  const shown = JSON.stringify([saved.body, (await admin.call(contract.getMailSettings, {})).body])
  expect(JSON.stringify(audit) + shown).not.toContain('hush-4711')
  expect(JSON.stringify(audit)).toContain('"mail_password":"changed"')
  const row = await app.services.db.query
    .selectFrom('mail_settings')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(row.password_sealed).toMatch(/^v1\./)
})

test('never sends a stored password to another mail server', async () => {
  const smtp = await startSmtp()
  await save({ ...serverAt(smtp.url), user_name: 'ada', password: 'hush-4711' })
  for (const change of [{ host: 'evil.example' }, { port: 26 }, { security: 'tls' }]) {
    expect((await save(change)).code).toBe('mail_password_again')
  }
  expect((await save({ user_name: 'bob' })).status).toBe(200)
  expect((await save({ host: 'localhost', password: 'new' })).status).toBe(200)
})

test('returns the reason for a failure, but never the response of a server that is not a mail server', async () => {
  const banner = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.write('SSH-2.0 secret banner of another service\r\n', () => socket.destroy())
  })
  await new Promise<void>((resolve) => banner.listen(0, '127.0.0.1', resolve))
  closers.unshift(() => new Promise((resolve) => banner.close(() => resolve())))
  const port = (at: typeof banner) => (at.address() as AddressInfo).port
  const smtp = await startSmtp({ refusedLogins: 9 })

  await save({ host: '127.0.0.1', port: 9, security: 'none' })
  expect(await testMail()).toMatchObject({ failure: { reason: 'refused', reply: null } })
  await save({ host: 'nowhere.invalid', port: 25, security: 'none' })
  expect(await testMail()).toMatchObject({ failure: { reason: 'host_not_found', reply: null } })
  await save({ host: '127.0.0.1', port: port(banner), security: 'none' })
  const other = await testMail()
  expect(other).toMatchObject({ failure: { reply: null } })
  expect(JSON.stringify(other)).not.toContain('banner')
  await save({ ...serverAt(smtp.url), user_name: 'ada', password: 'wrong' })
  expect(await testMail()).toMatchObject({
    failure: { reason: 'login', reply: expect.stringContaining('535') as string },
  })
  await save({ ...serverAt(smtp.url), security: 'starttls', password: 'wrong' })
  expect(await testMail()).toMatchObject({ failure: { reason: 'tls' } })
  await save({ ...serverAt(smtp.url), security: 'tls', password: 'wrong' })
  expect(await testMail()).toMatchObject({ failure: { reason: 'tls' } })
})

test('sends queued emails once a mail server is set up', async () => {
  const worker = await startWorker(app.services)
  closers.push(worker.stop)
  const mia = await app.makePerson()
  await app.nobody.call(requestPasswordReset, { body: { email: mia.email } })
  await expect.poll(state, { timeout: 10_000 }).toMatchObject({ queued: 0, kept: 1 })
  expect((await admin.call(contract.retryMails, {})).code).toBe('mail_not_set_up')
  const smtp = await startSmtp()
  await save(serverAt(smtp.url))
  expect((await admin.call(contract.retryMails, {})).body).toEqual({ retried: 1 })
  await expect.poll(() => smtp.received.length, { timeout: 10_000 }).toBe(1)
  expect(smtp.received[0]?.recipients).toEqual([mia.email])
  await expect.poll(state).toMatchObject({ queued: 0, kept: 0, failure: null })
})

test('keeps an email in the queue while the mail server is down, even after the last retry of its job', async () => {
  await save({ host: '127.0.0.1', port: 9, security: 'none' })
  const mia = await app.makePerson()
  await app.nobody.call(requestPasswordReset, { body: { email: mia.email } })
  const { db } = app.services
  // Simulate an hour of retries: the job has used all of them.
  await sql`update jobs.job set retry_count = retry_limit where name = 'send-mail'`.execute(
    db.query,
  )
  const worker = await startWorker(app.services)
  closers.push(worker.stop)
  await expect
    .poll(state, { timeout: 10_000 })
    .toMatchObject({ queued: 1, failure: { reason: 'refused' } })
  const smtp = await startSmtp()
  await save(serverAt(smtp.url))
  await expect
    .poll(async () => (await admin.call(contract.retryMails, {})).body.retried, { timeout: 10_000 })
    .toBe(1)
  await expect.poll(() => smtp.received.length, { timeout: 10_000 }).toBe(1)
  await expect.poll(state).toMatchObject({ queued: 0, failed_at: null })
})

test('environment variables override the mail settings, which then cannot be changed', async () => {
  const smtp = await startSmtp()
  await open({
    smtpUrl: smtp.url.replace('//', '//ada:hush-4711@'),
    mailFrom: 'Env <post@env.example>',
    isMailFromSet: true,
  })
  const { body } = await admin.call(contract.getMailSettings, {})
  expect(body).toMatchObject({
    server_source: 'environment',
    host: '127.0.0.1',
    user_name: 'ada',
    has_password: true,
    sender_source: 'environment',
  })
  expect(JSON.stringify(body)).not.toContain('hush-4711')
  expect((await save({ host: 'other.example' })).code).toBe('set_in_environment')
  expect((await save({ from_address: 'a@b.example' })).code).toBe('set_in_environment')
  expect((await save({ reply_to: 'help@env.example' })).status).toBe(200)
  expect((await testMail()).failure).toBeNull()
})

test("checks the DNS records of the sender's domain", async () => {
  const dns = await startTestDns({ 'night.example': ['v=spf1 +all'] })
  closers.push(dns.close)
  await open({ dnsServers: [dns.address] })
  await save({ from_address: 'desk@night.example', dkim_selector: 's1' })
  const { body } = await admin.call(contract.checkMailDomain, {})
  expect(body.domain).toBe('night.example')
  expect(body.checks.map(({ check, state: judged }) => [check, judged])).toEqual([
    ['spf', 'wrong'],
    ['dkim', 'missing'],
    ['dmarc', 'missing'],
  ])
})

test("returns 'forbidden' for members", async () => {
  const mia = await app.makePerson()
  for (const one of [contract.getMailSettings, contract.getMailState, contract.checkMailDomain]) {
    expect((await mia.call(one, {})).code).toBe('forbidden')
  }
  const body = { settings: { host: 'evil.example' } }
  expect((await mia.call(contract.updateMailSettings, { body })).code).toBe('forbidden')
  expect((await mia.call(contract.sendTestMail, {})).code).toBe('forbidden')
  expect((await mia.call(contract.retryMails, {})).code).toBe('forbidden')
})
