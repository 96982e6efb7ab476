// Reads and saves the settings for sending email. The password is never returned. New settings apply on every instance
// immediately.
import type * as contract from '#contract/admin/service/admin-mail.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { pickAuditedColumns } from '../../platform/audit/audited-columns.ts'
import { changedBy, refuseStale } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Config } from '../../platform/config/config.ts'
import { transaction } from '../../platform/db/database.ts'
import type { MailSettingsRow } from '../../platform/db/tables.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import { mailFrom, type Branding } from '../settings/branding.ts'
import { readMailSettings } from '../settings/mail-settings.ts'
import { requirePasswordForNewServer } from '../settings/server-login.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'

export interface MailSettingsServices {
  config: Config
  branding: () => Branding
  secretBox: SecretBox
  settings: SettingsCache
}

type Answer = Output<typeof contract.getMailSettings>
type Wanted = ParsedInput<typeof contract.updateMailSettings>['body']['settings']

export async function getMailSettings(
  services: MailSettingsServices,
  ctx: MemberContext,
): Promise<Answer> {
  return present(services, await readMailSettings(ctx.db))
}

export async function updateMailSettings(
  services: MailSettingsServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.updateMailSettings>,
): Promise<Answer> {
  refuseSetInEnvironment(services.config, body.settings)
  const { password, ...plain } = body.settings
  const saved = await transaction(ctx.db, async (trx) => {
    const before = await readMailSettings(trx, { lock: true })
    await refuseStale(trx, before, body.version, async () => present(services, before))
    requirePasswordForNewServer(before, body.settings)
    await trx.query
      .updateTable('mail_settings')
      .set({
        ...plain,
        ...(password !== undefined && { password_sealed: services.secretBox.seal(password) }),
        ...changedBy(ctx),
        updated_at: ctx.now().toISOString(),
      })
      .where('id', '=', 1)
      .execute()
    const after = await readMailSettings(trx)
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: 'mail',
      before: pickAuditedColumns(before, ['password_sealed']),
      after: {
        ...pickAuditedColumns(after, ['password_sealed']),
        ...(password !== undefined && { mail_password: 'changed' }),
      },
    })
    await notify(trx, 'settings')
    return after
  })
  // This instance applies the settings immediately. The other instances apply them when they receive the notification.
  await services.settings.reload()
  return present(services, saved)
}

const serverFields = ['host', 'port', 'security', 'user_name', 'password'] as const

function refuseSetInEnvironment(config: Config, wanted: Wanted): void {
  const names = [
    ...(config.smtpUrl === null ? [] : serverFields),
    ...(config.isMailFromSet ? (['from_address'] as const) : []),
  ]
  if (names.some((name) => wanted[name] !== undefined)) throw new AppError('set_in_environment')
}

function present({ config, branding }: MailSettingsServices, row: MailSettingsRow): Answer {
  const isServerSet = config.smtpUrl !== null
  const from = mailFrom(config, branding().brand_name, row)
  const { from_name, from_address, reply_to, dkim_selector, updated_at, version } = row
  return {
    server_source: isServerSet ? 'environment' : row.host === '' ? 'none' : 'saved',
    ...(isServerSet ? parseServerUrl(config.smtpUrl!) : toServer(row)),
    sender_source: config.isMailFromSet ? 'environment' : from_address === null ? 'none' : 'saved',
    sender: typeof from === 'string' ? from : `${from.name} <${from.address}>`,
    from_name,
    from_address,
    reply_to,
    dkim_selector,
    updated_at,
    version,
  }
}

function toServer({ host, port, security, user_name, password_sealed }: MailSettingsRow) {
  return { host, port, security, user_name, has_password: password_sealed !== '' }
}

function parseServerUrl(smtpUrl: string) {
  const { hostname, port, protocol, username, password } = new URL(smtpUrl)
  const isTls = protocol === 'smtps:'
  return {
    host: hostname,
    port: port === '' ? (isTls ? 465 : 587) : Number(port),
    security: isTls ? ('tls' as const) : ('starttls' as const),
    user_name: decodeURIComponent(username),
    has_password: password !== '',
  }
}
