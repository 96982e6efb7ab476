// Tests setting up, testing and changing the bounce mailbox while the service is running.
import { createServer, type AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import * as contract from '#contract/admin/service/admin-bounces.ts'
import { testMail } from '../../platform/mail/mail-texts.ts'
import { createSecretBox } from '../../platform/security/secret-box.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { imapLogin, startTestImap, type TestImap } from '../../testing/test-imap.ts'
import { startTestSmtp } from '../../testing/test-smtp.ts'
import { parseMailboxUrl } from '../settings/bounce-mailbox.ts'
import { resealAll } from '../settings/reseal.ts'
import { readBounces } from './read-bounces.ts'

const closers: (() => Promise<void>)[] = []
let app: TestApp
let admin: Person
let imap: TestImap

async function open(config: Parameters<typeof createTestApp>[0] = {}) {
  app = await createTestApp({ alertMailTo: [], ...config })
  closers.push(app.close)
  admin = await app.makePerson({ role: 'admin' })
}
beforeEach(async () => {
  imap = await startTestImap()
  closers.push(imap.close)
  await open()
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const save = (settings: object) =>
  admin.call(contract.updateBounceSettings, { body: { settings } as never })
const tested = async () => (await admin.call(contract.testBounceMailbox, {})).body
const mailbox = () => ({
  host: '127.0.0.1',
  port: imap.port,
  security: 'none',
  user_name: imapLogin.user,
  password: imapLogin.pass,
})

test('saves the settings of a mailbox, and never returns the password', async () => {
  expect((await admin.call(contract.testBounceMailbox, {})).code).toBe('mailbox_not_set_up')
  imap.deliver('Subject: Hello\r\n\r\nHi')
  const saved = await save(mailbox())
  expect(saved.body).toMatchObject({ mailbox_source: 'saved', has_password: true, folder: 'INBOX' })
  expect(await tested()).toEqual({ mails: 1, failure: null })
  await readBounces(app.services, { signal: new AbortController().signal })
  expect((await admin.call(contract.getBounceState, {})).body).toMatchObject({ read: 1 })
  const { query } = app.services.db
  const audit = await query.selectFrom('audit_log').selectAll().execute()
  const shown = [saved.body, (await admin.call(contract.getBounceSettings, {})).body, audit]
  expect(JSON.stringify(shown)).not.toContain(imapLogin.pass)
  expect(JSON.stringify(audit)).toContain('"mailbox_password":"changed"')
  const row = await query.selectFrom('bounce_settings').selectAll().executeTakeFirstOrThrow()
  expect(row.password_sealed).toMatch(/^v1\./)
})

test('never sends the stored password to another mail server, or unencrypted to another machine', async () => {
  await save(mailbox())
  for (const change of [{ host: 'localhost' }, { port: 26 }, { security: 'tls' }]) {
    expect((await save(change)).code).toBe('mail_password_again')
  }
  const elsewhere = { ...mailbox(), host: 'imap.example.com' }
  expect((await save(elsewhere)).code).toBe('mailbox_unencrypted')
  expect((await save({ folder: 'Bounces', user_name: 'bob' })).status).toBe(200)
  expect((await save({ host: '', password: '' })).body.mailbox_source).toBe('none')
})

test('returns the reason for a failure, but never the response of a server that is not an IMAP server', async () => {
  const banner = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end('SSH-2.0 secret banner of another service\r\n')
  })
  await new Promise<void>((resolve) => banner.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => banner.close(() => resolve())))
  // A server with a self-signed certificate.
  const selfSigned = new SMTPServer({ secure: true, logger: false })
  await new Promise<void>((resolve) => selfSigned.listen(0, '127.0.0.1', resolve))
  selfSigned.on('error', () => {})
  closers.push(() => new Promise((resolve) => selfSigned.close(() => resolve())))
  const failure = async (changes: object) => {
    expect((await save({ ...mailbox(), ...changes })).status).toBe(200)
    return (await tested()).failure
  }
  expect(await failure({ password: 'wrong' })).toEqual({
    reason: 'login',
    reply: expect.stringContaining('Wrong password') as string,
  })
  expect(await failure({ folder: 'Nowhere' })).toMatchObject({ reason: 'folder' })
  expect(await failure({ folder: 'INBOX', port: 9 })).toEqual({ reason: 'refused', reply: null })
  expect(await failure({ host: 'nowhere.invalid', security: 'tls' })).toEqual({
    reason: 'host_not_found',
    reply: null,
  })
  const port = (banner.address() as AddressInfo).port
  const other = await failure({ port })
  expect(other).toMatchObject({ reason: 'not_imap', reply: null })
  expect(JSON.stringify(other)).not.toContain('banner')
  expect(await failure({ security: 'starttls' })).toMatchObject({ reason: 'tls' })
  expect(await failure({ security: 'tls' })).toMatchObject({ reason: 'tls' })
  const tlsPort = (selfSigned.server.address() as AddressInfo).port
  expect(await failure({ security: 'tls', port: tlsPort })).toMatchObject({ reason: 'tls' })
})

test('environment variables override the mailbox settings, which then cannot be changed', async () => {
  await open({ bounceMailboxUrl: imap.url, bounceAddress: 'back@env.example' })
  const { body } = await admin.call(contract.getBounceSettings, {})
  expect(body).toMatchObject({
    mailbox_source: 'environment',
    user_name: imapLogin.user,
    security: 'none',
    bounce_address: 'back@env.example',
  })
  expect(JSON.stringify(body)).not.toContain(imapLogin.pass)
  expect((await save({ host: 'other.example' })).code).toBe('set_in_environment')
  expect((await save({ bounce_address: 'a@b.example' })).code).toBe('set_in_environment')
  expect(await tested()).toMatchObject({ failure: null })
  expect(parseMailboxUrl('imap://b%40x.example:p%2F@imap.example/In%20box')).toEqual({
    host: 'imap.example',
    port: 143,
    security: 'starttls',
    login: { user: 'b@x.example', pass: 'p/' },
    folder: 'In box',
  })
  expect(parseMailboxUrl('imaps://b:p@[::1]')).toMatchObject({
    host: '::1',
    port: 993,
    folder: 'INBOX',
  })
})

test('uses the bounce address as the envelope sender of emails', async () => {
  const smtp = await startTestSmtp()
  closers.push(smtp.close)
  await open({ smtpUrl: smtp.url })
  const send = () =>
    app.services.mailer.send(
      testMail('mia@example.com', { publicUrl: app.url, brandName: 'Velour' }),
    )
  await send()
  await save({ bounce_address: 'bounces@velour.test' })
  await send()
  expect(smtp.received.map(({ sender }) => sender)).toEqual([
    'no-reply@velour.test',
    'bounces@velour.test',
  ])
  const mail = await smtp.received[1]?.mail
  expect(mail?.from?.address).toBe('no-reply@velour.test')
  expect(mail?.messageId).toMatch(/^<v1\.[\w-]+@velour\.test>$/)
})

test('re-encrypts the password with a new SECRET', async () => {
  const { db, log } = app.services
  const { query } = db
  const secrets: [string, string] = [
    'the next secret, of enough characters',
    'the old secret, of enough characters',
  ]
  const read = async () =>
    (await query.selectFrom('bounce_settings').selectAll().executeTakeFirstOrThrow())
      .password_sealed
  const old = createSecretBox([secrets[1]])
  await query
    .updateTable('bounce_settings')
    .set({ password_sealed: old.seal('hush') })
    .execute()
  await resealAll({ db, log, secrets, secretBox: createSecretBox(secrets) })
  expect(createSecretBox([secrets[0]]).open(await read())).toBe('hush')
})

test("returns 'forbidden' for members", async () => {
  const mia = await app.makePerson()
  expect((await mia.call(contract.getBounceSettings, {})).code).toBe('forbidden')
  expect((await mia.call(contract.getBounceState, {})).code).toBe('forbidden')
  expect((await mia.call(contract.testBounceMailbox, {})).code).toBe('forbidden')
  const body = { settings: { host: 'evil.example' } }
  expect((await mia.call(contract.updateBounceSettings, { body })).code).toBe('forbidden')
})
