// The stored user name and password for a mail server or a mailbox.
import type { MailSecurity } from '#contract/mail/mail-server.ts'
import { AppError } from '../../platform/operations/app-error.ts'

interface StoredLogin {
  host: string
  port: number
  security: MailSecurity
  password_sealed: string
}

interface WantedLogin {
  host?: string | undefined
  port?: number | undefined
  security?: MailSecurity | undefined
  password?: string | undefined
}

/**
 * Throws `mail_password_again` if the stored password would be sent to another server. Otherwise, a person who can
 * change the host could have the password sent to their own server.
 */
export function requirePasswordForNewServer(before: StoredLogin, wanted: WantedLogin): void {
  if (before.password_sealed === '' || wanted.password !== undefined || wanted.host === '') return
  const { host = before.host, port = before.port, security = before.security } = wanted
  const isOther = host !== before.host || port !== before.port
  if (isOther || security !== before.security) throw new AppError('mail_password_again')
}
