// The mailbox from which bounced emails are read. The environment variable takes precedence over the owner's settings.
import type { MailSecurity } from '#contract/mail/mail-server.ts'
import { isLoopback, type Config } from '../../platform/config/config.ts'
import type { Handle } from '../../platform/db/database.ts'
import type { BounceSettingsRow } from '../../platform/db/tables.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'

export interface BounceMailbox {
  host: string
  port: number
  /** `none` is allowed only for a mailbox on this machine. */
  security: MailSecurity
  login: { user: string; pass: string }
  folder: string
}

export function readBounceSettings(
  handle: Handle,
  { lock = false } = {},
): Promise<BounceSettingsRow> {
  return handle.query
    .selectFrom('bounce_settings')
    .selectAll()
    .where('id', '=', 1)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirstOrThrow()
}

/** Null if no mailbox is set up. A password that was encrypted with a lost SECRET counts as not set. */
export function bounceMailbox(
  { bounceMailboxUrl }: Pick<Config, 'bounceMailboxUrl'>,
  row: BounceSettingsRow,
  secretBox: Pick<SecretBox, 'open'>,
): BounceMailbox | null {
  if (bounceMailboxUrl !== null) return parseMailboxUrl(bounceMailboxUrl)
  const { host, port, security, user_name: user, folder } = row
  if (host === '') return null
  return {
    host,
    port,
    security,
    folder,
    login: { user, pass: secretBox.open(row.password_sealed) ?? '' },
  }
}

/** Parses the URL of a mailbox. `imap:` uses STARTTLS, except for a mailbox on this machine. */
export function parseMailboxUrl(address: string): BounceMailbox {
  const { hostname, port, protocol, username, password, pathname } = new URL(address)
  const isTls = protocol === 'imaps:'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? 993 : 143) : Number(port),
    security: isTls ? 'tls' : isLoopback(hostname) ? 'none' : 'starttls',
    login: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    folder: decodeURIComponent(pathname.slice(1)) || 'INBOX',
  }
}
