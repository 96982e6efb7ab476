// Connection settings of the bounce mailbox, and the reasons why it could not be read.
import type { MailSecurity } from './mail-server.ts'

/** RFC 8314 §4.1. */
export const defaultImapPorts: Record<MailSecurity, number> = {
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

/** Texts for admins: why the mailbox could not be read, and what to do. */
export const mailboxFailureTexts: Record<MailboxFailureReason, string> = {
  host_not_found: 'No server was found under this name. Check its address.',
  refused: 'The server refused the connection. Check the port.',
  timed_out:
    'The server did not answer in time. Check the address, the port and any firewall in between.',
  tls: 'The connection could not be encrypted. Check the port and the encryption: 993 with TLS, 143 with STARTTLS.',
  not_imap: 'The server that answered is not an IMAP server. Check the port.',
  login:
    'The server refused the user name or the password. Many providers require an app password.',
  folder: 'The mailbox has no folder of this name.',
  closed: 'The server closed the connection.',
  unknown: "The mailbox could not be read. The server's log has the reason.",
}
