import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import pino from 'pino'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestSmtp } from '../../testing/test-smtp.ts'
import { createSecretBox } from '../security/secret-box.ts'
import { createMailer, type Mailer } from './mailer.ts'
import { confirmAddressMail, passwordResetMail } from './mail-texts.ts'

let folder: string
const closers: (() => unknown)[] = []
const logged: string[] = []
const secretBox = createSecretBox(['a secret for the tests of the mailer'])
const log = pino(
  { level: 'info' },
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged.push(chunk.toString())
      done()
    },
  }),
)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-mail-'))
  logged.length = 0
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  await rm(folder, { recursive: true })
})

async function openMailer(smtpUrl: string | null, brandName = 'Velour'): Promise<Mailer> {
  const mailer = await createMailer({
    smtp: () => smtpUrl,
    outboxDir: join(folder, 'outbox'),
    look: () => ({
      from: 'Velour <no-reply@velour.test>',
      brandName,
      accent: '#a8244f',
      picture: null,
    }),
    secretBox,
    log,
  })
  closers.push(() => mailer.close())
  return mailer
}

async function startSmtp(options: Parameters<typeof startTestSmtp>[0] = {}) {
  const smtp = await startTestSmtp(options)
  closers.push(() => smtp.close())
  return smtp
}

const link = 'https://music.example/auth?token=abc&next=%2Fauth'

test('sends plain text and HTML by SMTP, with the link in both', async () => {
  const smtp = await startSmtp()
  const mailer = await openMailer(smtp.url)
  expect(mailer.sendsBySmtp).toBe(true)
  await mailer.send(passwordResetMail('mia@example.com', 'Velour', link))
  const [message] = smtp.received
  expect(message?.recipients).toEqual(['mia@example.com'])
  const mail = await message?.mail
  expect(mail).toMatchObject({
    subject: 'Choose a new Velour password',
    from: { name: 'Velour', address: 'no-reply@velour.test' },
    to: [{ address: 'mia@example.com' }],
  })
  expect(mail?.text).toContain(link)
  expect(mail?.html).toContain(`href="${link.replaceAll('&', '&amp;')}"`)
  expect(mail?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
  expect(logged.join('')).not.toContain('token=')
  expect(await readdir(folder)).toEqual([])
})

test('throws when the mail server refuses an email', async () => {
  const smtp = await startSmtp({ refusals: 1 })
  const mailer = await openMailer(smtp.url)
  await expect(mailer.send(confirmAddressMail('mia@example.com', 'Velour', link))).rejects.toThrow(
    'no room',
  )
})

test('without a mail server, writes a private file and logs the link', async () => {
  const mailer = await openMailer(null)
  expect(mailer.sendsBySmtp).toBe(false)
  await mailer.send(passwordResetMail('mia@example.com', 'Velour', link))
  await mailer.send(confirmAddressMail('ben@example.com', 'Velour', link))
  const outbox = join(folder, 'outbox')
  const names = (await readdir(outbox)).toSorted()
  expect(names).toHaveLength(2)
  expect(names.every((name) => /^[\dTZ.-]+-[0-9a-f]{8}\.eml$/.test(name))).toBe(true)
  const mail = await PostalMime.parse(await readFile(join(outbox, names[0] ?? '')))
  expect(mail.to?.[0]?.address).toBe('mia@example.com')
  expect(mail.text).toContain(link)
  expect((await stat(outbox)).mode & 0o777).toBe(0o700)
  expect((await stat(join(outbox, names[0] ?? ''))).mode & 0o777).toBe(0o600)
  expect(logged).toHaveLength(2)
  expect(JSON.parse(logged[0] ?? '')).toMatchObject({
    msg: `Mail to mia@example.com: Choose a new Velour password → ${link}`,
  })
})

test('escapes names and addresses', async () => {
  const brandName = '<b>"A & B"</b>\r\nBcc: evil@example.com'
  const smtp = await startSmtp()
  const mailer = await openMailer(smtp.url, brandName)
  await mailer.send(confirmAddressMail('mia@example.com', brandName, link))
  const [message] = smtp.received
  expect(message?.recipients).toEqual(['mia@example.com'])
  const mail = await message?.mail
  expect(mail?.bcc ?? []).toEqual([])
  expect(mail?.html).toContain('&lt;b&gt;&quot;A &amp; B&quot;&lt;/b&gt;')
  expect(mail?.html).not.toContain('<b>')
})
