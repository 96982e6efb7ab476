// How the mail server is reached, and why it took no mail.
export const mailSecurities = ['starttls', 'tls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

/** The port that servers use for it (RFC 8314, RFC 6409). */
export const usualPorts: Record<MailSecurity, number> = { starttls: 587, tls: 465, none: 25 }

export const mailFailureReasons = [
  'host_not_found',
  'refused',
  'timed_out',
  'tls',
  'not_smtp',
  'login',
  'sender',
  'recipient',
  'message',
  'closed',
  'unknown',
] as const
export type MailFailureReason = (typeof mailFailureReasons)[number]

/** What happened, and what to do. */
export const mailFailureTexts: Record<MailFailureReason, string> = {
  host_not_found: 'There is no server of this name. Check its address.',
  refused: 'The server refused the connection. Check the port.',
  timed_out: 'The server did not answer in time. Check address and port, and the firewall between.',
  tls: 'The connection could not be encrypted. Check the port and the encryption: 465 with TLS, 587 with STARTTLS.',
  not_smtp: 'Something answered that is no mail server. Check the port.',
  login: 'The server refused the user name or the password.',
  sender: 'The server refused the sender. Use an address that it may send for.',
  recipient: 'The server refused the recipient.',
  message: 'The server refused the message.',
  closed: 'The server closed the connection.',
  unknown: 'The mail could not be sent. The log of the server has the reason.',
}
