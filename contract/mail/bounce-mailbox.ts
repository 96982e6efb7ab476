// How the mailbox for bounces is reached, and why it could not be read.
import type { MailSecurity } from './mail-server.ts'

/** RFC 8314 §4.1. */
export const usualMailboxPorts: Record<MailSecurity, number> = {
  tls: 993,
  starttls: 143,
  none: 143,
}

export const mailboxFailureReasons = [
  'host_not_found',
  'refused',
  'timed_out',
  'tls',
  'not_imap',
  'login',
  'folder',
  'closed',
  'unknown',
] as const
export type MailboxFailureReason = (typeof mailboxFailureReasons)[number]

/** What happened, and what to do. */
export const mailboxFailureTexts: Record<MailboxFailureReason, string> = {
  host_not_found: 'There is no server of this name. Check its address.',
  refused: 'The server refused the connection. Check the port.',
  timed_out: 'The server did not answer in time. Check address and port, and the firewall between.',
  tls: 'The connection could not be encrypted. Check the port and the encryption: 993 with TLS, 143 with STARTTLS.',
  not_imap: 'Something answered that is no IMAP server. Check the port.',
  login: 'The server refused the user name or the password. Many providers want an app password.',
  folder: 'There is no such folder in the mailbox.',
  closed: 'The server closed the connection.',
  unknown: 'The mailbox could not be read. The log of the server has the reason.',
}
