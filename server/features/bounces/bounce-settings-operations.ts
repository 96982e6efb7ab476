// Reads, saves and tests the settings of the bounce mailbox, which receives reports about emails that were not
// delivered. The password is never returned.
import type * as contract from '#contract/admin/service/admin-bounces.ts'
import type { MailboxFailureReason } from '#contract/mail/bounce-mailbox.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { pickAuditedColumns } from '../../platform/audit/audited-columns.ts'
import { changedBy, refuseStale } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { isLoopback, type Config } from '../../platform/config/config.ts'
import { transaction } from '../../platform/db/database.ts'
import type { BounceSettingsRow } from '../../platform/db/tables.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { Log } from '../../platform/process/log.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import { bounceMailbox, parseMailboxUrl, readBounceSettings } from '../settings/bounce-mailbox.ts'
import { requirePasswordForNewServer } from '../settings/server-login.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { readMailboxFailure, withMailbox } from './open-mailbox.ts'

export interface BounceSettingsServices {
  config: Config
  secretBox: SecretBox
  settings: SettingsCache
  log: Log
}

type Answer = Output<typeof contract.getBounceSettings>
type Wanted = ParsedInput<typeof contract.updateBounceSettings>['body']['settings']

export async function getBounceSettings(
  { config }: BounceSettingsServices,
  ctx: MemberContext,
): Promise<Answer> {
  return present(config, await readBounceSettings(ctx.db))
}

export async function updateBounceSettings(
  services: BounceSettingsServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.updateBounceSettings>,
): Promise<Answer> {
  const { config, secretBox } = services
  refuseSetInEnvironment(config, body.settings)
  const { password, ...plain } = body.settings
  const saved = await transaction(ctx.db, async (trx) => {
    const before = await readBounceSettings(trx, { lock: true })
    await refuseStale(trx, before, body.version, async () => present(config, before))
    refuseUnencrypted(before, body.settings)
    requirePasswordForNewServer(before, body.settings)
    await trx.query
      .updateTable('bounce_settings')
      .set({
        ...plain,
        ...(password !== undefined && { password_sealed: secretBox.seal(password) }),
        ...changedBy(ctx),
        updated_at: ctx.now().toISOString(),
      })
      .where('id', '=', 1)
      .execute()
    // Clear the stored failure, which was about the previous settings. The next job that reads the mailbox uses the new
    // settings.
    await trx.query
      .updateTable('bounce_state')
      .set({ tried_at: null, failed_at: null, reason: null, reply: null })
      .execute()
    const after = await readBounceSettings(trx)
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: 'bounces',
      before: pickAuditedColumns(before, ['password_sealed']),
      after: {
        ...pickAuditedColumns(after, ['password_sealed']),
        ...(password !== undefined && { mailbox_password: 'changed' }),
      },
    })
    await notify(trx, 'settings')
    return after
  })
  // This instance applies the settings immediately. The other instances apply them when they receive the notification.
  await services.settings.reload()
  return present(config, saved)
}

export async function getBounceState(
  ctx: MemberContext,
): Promise<Output<typeof contract.getBounceState>> {
  const state = await ctx.db.query.selectFrom('bounce_state').selectAll().executeTakeFirstOrThrow()
  const { reason, reply } = state
  return {
    read: state.read_count,
    bounced: state.bounced_count,
    complaints: state.complaint_count,
    ignored: state.ignored_count,
    read_at: state.read_at,
    failed_at: state.failed_at,
    // Only `readBounces` writes this column, so the cast is safe.
    failure: reason === null ? null : { reason: reason as MailboxFailureReason, reply },
  }
}

/** Tests the mailbox by opening its folder read-only. */
export async function testBounceMailbox(
  { config, secretBox, log }: BounceSettingsServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.testBounceMailbox>> {
  const mailbox = bounceMailbox(config, await readBounceSettings(ctx.db), secretBox)
  if (!mailbox) throw new AppError('mailbox_not_set_up')
  try {
    const mails = await withMailbox(mailbox, { isReadOnly: true }, async ({ count }) => count)
    return { mails, failure: null }
  } catch (error) {
    log.warn({ err: error }, 'the bounce mailbox could not be opened')
    return { mails: null, failure: readMailboxFailure(error) }
  }
}

const mailboxFields = ['host', 'port', 'security', 'user_name', 'password', 'folder'] as const

function refuseSetInEnvironment(config: Config, wanted: Wanted): void {
  const names = [
    ...(config.bounceMailboxUrl === null ? [] : mailboxFields),
    ...(config.bounceAddress === null ? [] : (['bounce_address'] as const)),
  ]
  if (names.some((name) => wanted[name] !== undefined)) throw new AppError('set_in_environment')
}

/** Rejects settings that would send the password unencrypted to another machine. */
function refuseUnencrypted(before: BounceSettingsRow, wanted: Wanted): void {
  const { host = before.host, security = before.security } = wanted
  if (host !== '' && security === 'none' && !isLoopback(host)) {
    throw new AppError('mailbox_unencrypted')
  }
}

function present(config: Config, row: BounceSettingsRow): Answer {
  const { bounce_address, updated_at, version } = row
  const isSet = config.bounceMailboxUrl !== null
  return {
    mailbox_source: isSet ? 'environment' : row.host === '' ? 'none' : 'saved',
    ...(config.bounceMailboxUrl === null ? toMailbox(row) : shownMailbox(config.bounceMailboxUrl)),
    is_address_set: config.bounceAddress !== null,
    bounce_address: config.bounceAddress ?? bounce_address,
    updated_at,
    version,
  }
}

function toMailbox(row: BounceSettingsRow) {
  const { host, port, security, user_name, password_sealed, folder } = row
  return { host, port, security, user_name, has_password: password_sealed !== '', folder }
}

function shownMailbox(url: string) {
  const { login, ...mailbox } = parseMailboxUrl(url)
  return { ...mailbox, user_name: login.user, has_password: login.pass !== '' }
}
