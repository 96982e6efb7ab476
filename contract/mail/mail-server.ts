// Connection settings of the mail server, and the reasons why an email could not be sent.
export const mailSecurities = ['starttls', 'tls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

/** The usual ports of SMTP (RFC 8314, RFC 6409). */
export const defaultSmtpPorts: Record<MailSecurity, number> = { starttls: 587, tls: 465, none: 25 }

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

/** Texts for admins: why an email could not be sent, and what to do. */
export const mailFailureTexts: Record<MailFailureReason, string> = {
  host_not_found: 'No server was found under this name. Check its address.',
  refused: 'The server refused the connection. Check the port.',
  timed_out:
    'The server did not answer in time. Check the address, the port and any firewall in between.',
  tls: 'The connection could not be encrypted. Check the port and the encryption: 465 with TLS, 587 with STARTTLS.',
  not_smtp: 'The server that answered is not a mail server. Check the port.',
  login: 'The server refused the user name or the password.',
  sender: 'The server refused the sender. Use an address from which it may send.',
  recipient: 'The server refused the recipient.',
  message: 'The server refused the message.',
  closed: 'The server closed the connection.',
  unknown: "The email could not be sent. The server's log has the reason.",
}
