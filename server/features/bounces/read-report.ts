// Parses a mail server's report that one of our emails was not delivered (RFC 3464) or was marked as spam (RFC 5965).
// Other messages are ignored, including reports about other senders' emails and reports of delays.
import type { Attachment, Email } from 'postal-mime'
import { isAboutAddress } from '../../platform/mail/about-address.ts'
import {
  findMailReference,
  referenceHeader,
  type ReferencedMail,
} from '../../platform/mail/mail-reference.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'

export interface MailReport {
  kind: 'permanent' | 'temporary' | 'complaint'
  /** The reason that the mail server gave. */
  reason: string
  mail: ReferencedMail
}

export const isReportType = (contentType: string) => /^multipart\/report\b/i.test(contentType)

const limits = {
  maxNestingDepth: 8,
  maxHeadersSize: 128 * 1024,
  forceRfc822Attachments: true,
} as const

/**
 * Returns the report in a message. Null if the message cannot be parsed, is not a report, or is not about one of our
 * emails.
 */
export async function readReport(
  secretBox: Pick<SecretBox, 'open'>,
  source: Uint8Array,
): Promise<MailReport | null> {
  const email = await parse(source)
  if (!email || !isReportType(headersOf(email).get('content-type') ?? '')) return null
  const mail = await findReportedMail(secretBox, email)
  if (!mail) return null
  const status = findPart(email, ['message/delivery-status', 'message/global-delivery-status'])
  if (status) return readDeliveryStatus(await readBlocks(status), mail)
  const feedback = findPart(email, ['message/feedback-report'])
  if (feedback) return readFeedback((await readBlocks(feedback))[0], mail)
  return null
}

/** Returns null if the parser rejects the message, because it is nested too deeply or has too many headers. */
async function parse(source: Uint8Array | string): Promise<Email | null> {
  const { default: PostalMime } = await import('postal-mime')
  return PostalMime.parse(source, limits).catch(() => null)
}

type Headers = ReadonlyMap<string, string>

/** Returns the headers by name. If a name is repeated, uses the first header. */
function headersOf({ headers }: Email): Headers {
  return new Map(headers.toReversed().map(({ key, value }) => [key, value]))
}

function findPart({ attachments }: Email, types: readonly string[]): string | undefined {
  const part = attachments.find(({ mimeType }) => types.includes(mimeType))
  return part && textOf(part)
}

const textMaxBytes = 64 * 1024

/** Returns the start of the attachment as text, which is enough to read the headers. */
function textOf({ content }: Attachment): string {
  if (typeof content === 'string') return content.slice(0, textMaxBytes)
  return new TextDecoder().decode(new Uint8Array(content).subarray(0, textMaxBytes))
}

const returnedTypes = [
  'message/rfc822',
  'message/global',
  'text/rfc822-headers',
  'message/global-headers',
]

/** Finds our email by the headers of its returned copy, or by the report's In-Reply-To header. */
async function findReportedMail(
  secretBox: Pick<SecretBox, 'open'>,
  email: Email,
): Promise<ReferencedMail | null> {
  const returned = findPart(email, returnedTypes)
  const [head = ''] = returned?.split(/\r?\n\r?\n/) ?? []
  const parsed = await parse(`${head}\r\n\r\n`)
  const inner: Headers = parsed ? headersOf(parsed) : new Map()
  const texts = [
    inner.get(referenceHeader),
    inner.get('message-id'),
    headersOf(email).get('in-reply-to'),
  ]
  return findMailReference(secretBox, texts.join(' '))
}

const maxBlocks = 21

/** Splits the fields at empty lines into blocks: one about the email, then one per recipient (RFC 3464 §2.1). */
async function readBlocks(text: string): Promise<Headers[]> {
  const blocks = text.trim().split(/\r?\n(?:[ \t]*\r?\n)+/)
  const parsed = await Promise.all(
    blocks.slice(0, maxBlocks).map((block) => parse(`${block}\r\n\r\n`)),
  )
  return parsed.map((email) => (email ? headersOf(email) : new Map<string, string>()))
}

/**
 * Reads the failure of our recipient. If the recipient forwards email, the report names another address: then it counts
 * only if every address in the report failed.
 */
function readDeliveryStatus(blocks: readonly Headers[], mail: ReferencedMail): MailReport | null {
  const recipients = blocks.filter((block) => block.has('action'))
  const failed = recipients.filter(
    (block) => block.get('action')?.trim().toLowerCase() === 'failed',
  )
  const own = failed.find((block) =>
    ['final-recipient', 'original-recipient'].some(
      (name) => valueOf(block.get(name)).toLowerCase() === mail.to.toLowerCase(),
    ),
  )
  const recipient = own ?? (failed.length === recipients.length ? failed[0] : undefined)
  if (!recipient) return null
  const [status = ''] = /[245]\.\d{1,3}\.\d{1,3}/.exec(recipient.get('status') ?? '') ?? []
  const diagnostic = valueOf(recipient.get('diagnostic-code'))
  const reason = clean(diagnostic || status)
  if (status.startsWith('4')) return { kind: 'temporary', reason, mail }
  const isPermanent =
    status.startsWith('5') && isAboutAddress(status) && isAboutAddress(clean(diagnostic))
  return isPermanent ? { kind: 'permanent', reason, mail } : null
}

/** Other feedback types, such as `not-spam` and `virus`, are not complaints by a person. */
const complaintTypes = ['abuse', 'fraud', 'opt-out', 'opt-out-list']

function readFeedback(fields: Headers | undefined, mail: ReferencedMail): MailReport | null {
  const type = fields?.get('feedback-type')?.trim().toLowerCase() ?? ''
  return complaintTypes.includes(type) ? { kind: 'complaint', reason: type, mail } : null
}

/** Returns a field's value without its type prefix, such as `rfc822;` or `smtp;`. */
const valueOf = (typed = '') => typed.replace(/^[^;]*;/, '').trim()

/** Replaces control characters with spaces, because PostgreSQL cannot store zero bytes in text. */
const clean = (text: string) => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
