// Opens the bounce mailbox over IMAP (RFC 9051).
import type { FetchMessageObject, ImapFlow } from 'imapflow'
import type { MailboxFailureReason } from '#contract/mail/bounce-mailbox.ts'
import type { BounceMailbox } from '../settings/bounce-mailbox.ts'

export interface MailHead {
  uid: number
  bytes: number
  contentType: string
}

export interface OpenMailbox {
  count: number
  /** Changes when the server assigns new UIDs to the messages. */
  uidValidity: string
  /** Returns the UIDs greater than this one, in ascending order. */
  listUids: (afterUid: number) => Promise<number[]>
  listRecentUids: (since: Date) => Promise<number[]>
  readHeads: (uids: readonly number[]) => Promise<MailHead[]>
  /** Returns null if the message has been deleted in the meantime. */
  readMail: (uid: number) => Promise<Buffer | null>
  markAsRead: (uids: readonly number[]) => Promise<void>
}

const stepTimeoutMs = 15_000
/** Total time limit for all operations on an open mailbox. */
const openTimeoutMs = 300_000
/** Larger messages are not read. A report has a few kilobytes: its text and the headers or a copy of our email. */
export const mailMaxBytes = 512 * 1024

/**
 * Connects, opens the folder, and calls the given function with it. Resolves after the connection is closed. With
 * `isReadOnly`, no message can be changed.
 */
export async function withMailbox<T>(
  mailbox: BounceMailbox,
  { isReadOnly, signal }: { isReadOnly: boolean; signal?: AbortSignal },
  use: (mailbox: OpenMailbox) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const client = await createClient(mailbox)
  // Ignore this event: an error of the connection also rejects the running command.
  client.on('error', () => {})
  const close = () => client.close()
  const timer = setTimeout(close, openTimeoutMs)
  signal?.addEventListener('abort', close)
  try {
    await client.connect()
    return await use(await openFolder(client, mailbox.folder, isReadOnly))
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', close)
    client.close()
  }
}

async function createClient({ host, port, security, login }: BounceMailbox): Promise<ImapFlow> {
  // Load the library on first use, to save memory in services that have no bounce mailbox.
  const imapflow = await import('imapflow')
  return new imapflow.ImapFlow({
    host,
    port,
    auth: login,
    secure: security === 'tls',
    ...(security !== 'tls' && { doSTARTTLS: security === 'starttls' }),
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    maxLiteralSize: 4 * mailMaxBytes,
    maxLineLength: 16 * 1024 * 1024,
    maxResponseSize: 20 * 1024 * 1024,
  })
}

async function openFolder(
  client: ImapFlow,
  folder: string,
  readOnly: boolean,
): Promise<OpenMailbox> {
  const { exists, uidValidity } = await client
    .mailboxOpen(folder, { readOnly })
    .catch((error: unknown) => {
      throw isImapError(error) ? new MissingFolderError(readReply(error)) : error
    })
  const search = async (query: Parameters<ImapFlow['search']>[0]) =>
    ((await client.search(query, { uid: true })) || []).toSorted((a, b) => a - b)
  return {
    count: exists,
    uidValidity: String(uidValidity),
    // `n:*` always includes the last message (RFC 9051 §9, seq-range).
    listUids: async (afterUid) =>
      (await search({ uid: `${afterUid + 1}:*` })).filter((uid) => uid > afterUid),
    listRecentUids: (since) => search({ since }),
    async readHeads(uids) {
      if (uids.length === 0) return []
      const query = { uid: true, size: true, headers: ['content-type'] }
      const heads = await client.fetchAll(uids.join(','), query, { uid: true })
      return heads.map(headOf).toSorted((a, b) => a.uid - b.uid)
    },
    async readMail(uid) {
      const query = { uid: true, source: { maxLength: mailMaxBytes } }
      const mail = await client.fetchOne(String(uid), query, { uid: true })
      return (mail && mail.source) || null
    },
    async markAsRead(uids) {
      if (uids.length > 0) await client.messageFlagsAdd(uids.join(','), ['\\Seen'], { uid: true })
    },
  }
}

function headOf({ uid, size, headers }: FetchMessageObject): MailHead {
  const [, contentType = ''] = /^content-type:((?:.|\r?\n[ \t])*)/i.exec(String(headers)) ?? []
  return { uid, bytes: size ?? 0, contentType: contentType.replaceAll(/\s+/g, ' ').trim() }
}

class MissingFolderError extends Error {
  override name = 'MissingFolderError'
  reply: string | null
  constructor(reply: string | null) {
    super('The mailbox folder could not be opened.')
    this.reply = reply
  }
}

export interface MailboxFailure {
  reason: MailboxFailureReason
  /**
   * The server's response. Null if the server is not an IMAP server: responses of other servers must not be shown to
   * admins.
   */
  reply: string | null
}

export function readMailboxFailure(error: unknown): MailboxFailure {
  if (error instanceof MissingFolderError) return { reason: 'folder', reply: error.reply }
  return { reason: classifyError(error), reply: readReply(error) }
}

const reasonsByCode: Record<string, MailboxFailureReason> = {
  CONNECT_TIMEOUT: 'timed_out',
  GREETING_TIMEOUT: 'timed_out',
  ETIMEOUT: 'timed_out',
  ETIMEDOUT: 'timed_out',
  EHOSTUNREACH: 'timed_out',
  ENETUNREACH: 'timed_out',
  ENOTFOUND: 'host_not_found',
  EAI_AGAIN: 'host_not_found',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  NoConnection: 'closed',
  EConnectionClosed: 'closed',
  // The server closed the connection before sending an IMAP greeting.
  ClosedAfterConnectText: 'not_imap',
  ClosedAfterConnectTLS: 'not_imap',
}

function classifyError(error: unknown): MailboxFailureReason {
  const { code, message, authenticationFailed, tlsFailed } = fieldsOf(error)
  if (authenticationFailed === true) return 'login'
  if (tlsFailed === true) return 'tls'
  const known = typeof code === 'string' ? reasonsByCode[code] : undefined
  if (known) return known
  const text = `${String(code)} ${String(message)}`
  return /SSL|TLS|CERT|altnames|self.signed/i.test(text) ? 'tls' : 'unknown'
}

const replyMaxLength = 300

function readReply(error: unknown): string | null {
  const { responseText } = fieldsOf(error)
  if (!isImapError(error) || typeof responseText !== 'string') return null
  return (
    responseText
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, replyMaxLength) || null
  )
}

/** Whether the IMAP server rejected a command with NO or BAD. */
function isImapError(error: unknown): boolean {
  const { responseStatus } = fieldsOf(error)
  return responseStatus === 'NO' || responseStatus === 'BAD'
}

function fieldsOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return {}
  const names = [
    'authenticationFailed',
    'code',
    'message',
    'responseStatus',
    'responseText',
    'tlsFailed',
  ]
  return Object.fromEntries(names.map((name) => [name, Reflect.get(error, name) as unknown]))
}
