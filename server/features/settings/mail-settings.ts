// The address of the mail server. The environment variable takes precedence over the owner's settings.
import type { MailWords } from '#contract/mail/mail-kinds.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Handle } from '../../platform/db/database.ts'
import type { MailSettingsRow } from '../../platform/db/tables.ts'
import type { SmtpAddress } from '../../platform/mail/mailer.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'

export function readMailSettings(handle: Handle, { lock = false } = {}): Promise<MailSettingsRow> {
  return handle.query
    .selectFrom('mail_settings')
    .selectAll()
    .where('id', '=', 1)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirstOrThrow()
}

/** The texts that the owner set for each kind of email. */
export async function readMailTexts(handle: Handle): Promise<ReadonlyMap<string, MailWords>> {
  const rows = await handle.query.selectFrom('mail_words').selectAll().execute()
  return new Map(
    rows.map(({ kind, subject, opening, closing }) => [kind, { subject, opening, closing }]),
  )
}

/** Null if no mail server is set up. A password that was encrypted with a lost SECRET counts as not set. */
export function smtpAddress(
  { smtpUrl }: Pick<Config, 'smtpUrl'>,
  row: MailSettingsRow,
  secretBox: Pick<SecretBox, 'open'>,
): SmtpAddress | null {
  if (smtpUrl !== null) return smtpUrl
  const { host, port, security, user_name: user } = row
  if (host === '') return null
  const login = user === '' ? null : { user, pass: secretBox.open(row.password_sealed) ?? '' }
  return { host, port, security, login }
}
