// Sends emails by SMTP if it is configured. Otherwise writes them to an outbox folder and logs their links, so that a
// password can be reset without a mail server. The mail server can be changed while this server runs.
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { MailSecurity } from '#contract/mail/mail-server.ts'
import type { SecretBox } from '../security/secret-box.ts'
import { isAboutAddress } from './about-address.ts'
import { renderMailHtml, renderMailText, type MailLook } from './mail-layout.ts'
import { makeMailReference, referenceHeader } from './mail-reference.ts'
import type { Mail } from './mail-texts.ts'
import { applyOwnerTexts } from './owner-texts.ts'

/** How an email was handled: sent by SMTP, or written to the outbox folder. */
export type MailWay = 'smtp' | 'outbox'

export interface Mailer {
  /** True if emails are sent by SMTP, false if they are written to the outbox folder. */
  readonly sendsBySmtp: boolean
  /**
   * Resolves when the SMTP server has accepted the email or the file is written. Throws if the SMTP server refused
   * the email or is unavailable.
   */
  send: (mail: Mail) => Promise<MailWay>
  close: () => void
}

export interface SmtpServer {
  host: string
  port: number
  security: MailSecurity
  /** Null if the server requires no login. */
  login: { user: string; pass: string } | null
}

/** A URL as in SMTP_URL, or the settings from the back office. */
export type SmtpAddress = string | SmtpServer

const smtpTimeoutMs = 15_000

function smtpOptions(address: SmtpAddress) {
  const timeouts = {
    connectionTimeout: smtpTimeoutMs,
    greetingTimeout: smtpTimeoutMs,
    socketTimeout: smtpTimeoutMs,
    dnsTimeout: smtpTimeoutMs,
  }
  if (typeof address === 'string') return { url: address, ...timeouts }
  const { host, port, security, login } = address
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(login && { auth: login }),
    ...timeouts,
  }
}

/** Loaded for the first email, which saves memory until then. */
const loadNodemailer = async () => (await import('nodemailer')).default

function onFirstUse<T>(make: () => Promise<T>) {
  let making: Promise<T> | undefined
  let made: T | undefined
  return {
    get: () => (making ??= make().then((value) => (made = value))),
    current: () => made,
  }
}

/** Connects and signs in, without sending an email. Throws if the server is unavailable or refuses the sign-in. */
export async function verifySmtp(address: SmtpAddress): Promise<void> {
  const nodemailer = await loadNodemailer()
  const transport = nodemailer.createTransport(smtpOptions(address))
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

export async function createMailer(options: {
  /**
   * Returns the SMTP server, or null if emails are written to the outbox. Must return the same object until the
   * settings change.
   */
  smtp: () => SmtpAddress | null
  outboxDir: string
  /** Called for each email, because owners can change the look while the server runs. */
  look: () => MailLook
  /** Encrypts the references of emails. If null, emails have no reference, so bounces are not recognized. */
  secretBox: Pick<SecretBox, 'seal'> | null
  log: FastifyBaseLogger
}): Promise<Mailer> {
  const compose = (queued: Mail) => {
    const look = options.look()
    const mail = applyOwnerTexts(queued, queued.own && look.words?.(queued.own.kind), look)
    const replyTo = mail.reply_to ?? look.replyTo
    const { secretBox } = options
    const reference = secretBox && makeMailReference(secretBox, { to: mail.to, sentAt: new Date() })
    return {
      from: look.from,
      to: { name: '', address: mail.to },
      ...(reference && { messageId: `<${reference}@${getDomain(look.from)}>` }),
      ...(look.bounceAddress && { envelope: { from: look.bounceAddress, to: mail.to } }),
      subject: mail.subject,
      ...(replyTo && { replyTo: { name: look.brandName, address: replyTo } }),
      text: renderMailText(mail, look),
      html: renderMailHtml(mail, look),
      // Prevents automatic replies (RFC 3834).
      headers: {
        'auto-submitted': 'auto-generated',
        ...(reference && { [referenceHeader]: reference }),
        ...(mail.unsubscribe && { 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' }),
      },
      ...(mail.unsubscribe && { list: { unsubscribe: mail.unsubscribe.link } }),
      // The texts of an email can't cause it to read local files or URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    }
  }
  const smtp = createSmtpTransport(options.smtp)
  const toBuffer = { streamTransport: true, buffer: true } as const
  const buffer = onFirstUse(async () => (await loadNodemailer()).createTransport(toBuffer))

  async function writeMail(mail: Mail): Promise<void> {
    // Only this user may read the folder, because the emails contain links that give access to accounts.
    await mkdir(options.outboxDir, { recursive: true, mode: 0o700 })
    const { message } = await (await buffer.get()).sendMail(compose(mail))
    const file = await writeToOutbox(options.outboxDir, message as Buffer)
    options.log.info({ file }, `Mail to ${mail.to}: ${mail.subject} → ${mail.button.link}`)
  }

  return {
    get sendsBySmtp() {
      return options.smtp() !== null
    },
    async send(mail) {
      const transport = await smtp.current()
      if (transport) await transport.sendMail(compose(mail))
      else await writeMail(mail)
      return transport ? 'smtp' : 'outbox'
    },
    close() {
      smtp.close()
      buffer.current()?.close()
    },
  }
}

/** Returns the domain of the sender's address, which may follow a name. */
function getDomain(from: MailLook['from']): string {
  const text = typeof from === 'string' ? from : from.address
  return /@([^\s<>]+)>?\s*$/.exec(text)?.[1] ?? 'localhost'
}

/** Reuses connections, and opens new ones after the server's address has changed. */
function createSmtpTransport(read: () => SmtpAddress | null) {
  let openedFor = ''
  let transport: ReturnType<typeof openPool> | null = null
  const close = () => {
    transport?.close()
    transport = null
  }
  return {
    async current() {
      if (read() === null) {
        close()
        return null
      }
      const nodemailer = await loadNodemailer()
      const wanted = read()
      const key = JSON.stringify(wanted)
      if (key !== openedFor) close()
      openedFor = key
      if (wanted !== null) transport ??= openPool(nodemailer, wanted)
      return transport
    },
    close,
  }
}

function openPool(nodemailer: Awaited<ReturnType<typeof loadNodemailer>>, address: SmtpAddress) {
  return nodemailer.createTransport({ ...smtpOptions(address), pool: true as const })
}

/**
 * Whether the mail server refuses this recipient permanently (RFC 5321 §4.2.1: a 5yz reply). A refused sender is no
 * evidence against the recipient's address.
 */
export function isPermanentRefusal(error: unknown): boolean {
  const { code, responseCode, command, response } = error as Record<string, unknown>
  if (code !== 'EENVELOPE' || typeof responseCode !== 'number' || responseCode < 500) return false
  const reply = typeof response === 'string' ? response : ''
  return command !== 'MAIL FROM' && isAboutAddress(reply)
}

/**
 * Whether the mail server certainly did not accept the email: it refused it, or never received its content. If the
 * connection was lost later, the result is unknown.
 */
export function isCertainlyUnsent(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown }
  if (typeof responseCode === 'number') return true
  return (
    typeof command === 'string' && /^(?:CONN|EHLO|HELO|LHLO|STARTTLS|AUTH|MAIL|RCPT)/.test(command)
  )
}

/** Writes the file under another name and renames it, so that it only appears when complete. Names sort by time. */
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
