// Describes in a few words why an email was not sent. Contains only replies of SMTP servers. Responses of other
// services are hidden, so that the mail server form can't be used to read from them.
import type { MailFailureReason } from '#contract/mail/mail-server.ts'

export interface MailFailure {
  reason: MailFailureReason
  /** The reply of the mail server. Null if there was none. */
  reply: string | null
}

const replyMaxLength = 300

export function readMailFailure(error: unknown): MailFailure {
  const { responseCode, response } = readFields(error)
  const isSmtp = typeof responseCode === 'number' && typeof response === 'string'
  const reply = isSmtp ? response.replaceAll(/\s+/g, ' ').trim().slice(0, replyMaxLength) : null
  return { reason: classifyFailure(error), reply }
}

export const getErrorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

function classifyFailure(error: unknown): MailFailureReason {
  const { code, command, message } = readFields(error)
  const text = typeof message === 'string' ? message : ''
  switch (code) {
    case 'EDNS':
      return 'host_not_found'
    case 'EAUTH':
    case 'ENOAUTH':
      return 'login'
    case 'EENVELOPE':
      return command === 'MAIL FROM' ? 'sender' : 'recipient'
    case 'EMESSAGE':
      return 'message'
    case 'ETIMEDOUT':
      return 'timed_out'
    case 'ETLS':
      return 'tls'
    case 'EPROTOCOL':
      return 'not_smtp'
    default:
      return classifySocketFailure(text)
  }
}

function classifySocketFailure(message: string): MailFailureReason {
  if (/ECONNREFUSED/.test(message)) return 'refused'
  if (/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timeout/i.test(message)) return 'timed_out'
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return 'host_not_found'
  if (/SSL|TLS|certificate|altnames|self.signed/i.test(message)) return 'tls'
  if (/ECONNRESET|EPIPE|closed/i.test(message)) return 'closed'
  return 'unknown'
}

function readFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return {}
  const names = ['code', 'command', 'message', 'response', 'responseCode']
  return Object.fromEntries(names.map((name) => [name, Reflect.get(error, name) as unknown]))
}
