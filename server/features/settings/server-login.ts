// The login at a mail server or a mailbox, as it is stored.
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
 * Throws `mail_password_again` if a stored password would go to another server: a person who may change the host could
 * have it sent to their own.
 */
export function refuseOldPassword(before: StoredLogin, wanted: WantedLogin): void {
  if (before.password_sealed === '' || wanted.password !== undefined || wanted.host === '') return
  const { host = before.host, port = before.port, security = before.security } = wanted
  const isOther = host !== before.host || port !== before.port
  if (isOther || security !== before.security) throw new AppError('mail_password_again')
}
