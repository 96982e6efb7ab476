// Sends mails by SMTP if it is configured, else writes them into an outbox folder and logs their links, so that a
// password can be reset without a mail server.
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { mailHtml, mailText, type MailLook } from './mail-layout.ts'
import type { Mail } from './mail-texts.ts'

export interface Mailer {
  /** True if mails are sent; false if they are written to the outbox folder. */
  readonly sendsBySmtp: boolean
  /** Resolves when the mail is handed over. Throws if the SMTP server refused it or is unavailable. */
  send: (mail: Mail) => Promise<void>
  close: () => void
}

const smtpTimeoutMs = 15_000

const smtpOptions = (url: string) => ({
  url,
  connectionTimeout: smtpTimeoutMs,
  greetingTimeout: smtpTimeoutMs,
  socketTimeout: smtpTimeoutMs,
})

/** Loaded with the first mail, to save memory in an idle service. */
const loadNodemailer = async () => (await import('nodemailer')).default

function onFirstUse<T>(make: () => Promise<T>) {
  let making: Promise<T> | undefined
  let made: T | undefined
  return {
    get: () => (making ??= make().then((value) => (made = value))),
    current: () => made,
  }
}

/** Connects and signs in, and sends nothing. Throws if the server is unavailable or refuses the sign-in. */
export async function verifySmtp(smtpUrl: string): Promise<void> {
  const nodemailer = await loadNodemailer()
  const transport = nodemailer.createTransport(smtpOptions(smtpUrl))
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

export async function createMailer(options: {
  smtpUrl: string | null
  outboxDir: string
  /** Read for each mail, because owners can change it while the server runs. */
  look: () => MailLook
  log: FastifyBaseLogger
}): Promise<Mailer> {
  const compose = (mail: Mail) => {
    const look = options.look()
    return {
      from: look.from,
      to: { name: '', address: mail.to },
      subject: mail.subject,
      ...(mail.reply_to && { replyTo: { name: look.brandName, address: mail.reply_to } }),
      text: mailText(mail, look),
      html: mailHtml(mail, look),
      // Prevents automatic replies (RFC 3834).
      headers: {
        'auto-submitted': 'auto-generated',
        ...(mail.unsubscribe && { 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' }),
      },
      ...(mail.unsubscribe && { list: { unsubscribe: mail.unsubscribe.link } }),
      // The texts of a mail can't make it read local files or URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    }
  }
  if (options.smtpUrl !== null) {
    const smtp = { ...smtpOptions(options.smtpUrl), pool: true as const }
    const transport = onFirstUse(async () => (await loadNodemailer()).createTransport(smtp))
    return {
      sendsBySmtp: true,
      send: async (mail) => void (await (await transport.get()).sendMail(compose(mail))),
      close: () => transport.current()?.close(),
    }
  }

  // Other users of this machine must not read the links.
  await mkdir(options.outboxDir, { recursive: true, mode: 0o700 })
  const toBuffer = { streamTransport: true, buffer: true } as const
  const transport = onFirstUse(async () => (await loadNodemailer()).createTransport(toBuffer))
  return {
    sendsBySmtp: false,
    async send(mail) {
      const { message } = await (await transport.get()).sendMail(compose(mail))
      const file = await writeToOutbox(options.outboxDir, message as Buffer)
      options.log.info({ file }, `Mail to ${mail.to}: ${mail.subject} → ${mail.button.link}`)
    },
    close: () => transport.current()?.close(),
  }
}

/** Whether the mail server refuses this mail permanently (RFC 5321 §4.2.1: a 5yz reply to an address). */
export function isPermanentRefusal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 500
}

/**
 * Whether the mail was surely not taken: the server refused it, or never got its text. After a connection that broke later
 * nobody knows.
 */
export function isSurelyUnsent(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown }
  if (typeof responseCode === 'number') return true
  return (
    typeof command === 'string' && /^(?:CONN|EHLO|HELO|LHLO|STARTTLS|AUTH|MAIL|RCPT)/.test(command)
  )
}

/** Complete or not there at all: written aside, then renamed. Names sort by time. */
async function writeToOutbox(folder: string, message: Buffer): Promise<string> {
  const time = new Date().toISOString().replaceAll(':', '-')
  const file = join(folder, `${time}-${randomBytes(4).toString('hex')}.eml`)
  const unfinished = `${file}.unfinished`
  const handle = await open(unfinished, 'wx', 0o600)
  try {
    await handle.writeFile(message)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(unfinished, file)
  return file
}
