// Operations on the owner's settings: they are returned with masked secrets, saved in one transaction, and applied on
// every instance immediately.
import type * as contract from '#contract/admin/admin-settings.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { pickAuditedColumns } from '../../platform/audit/audited-columns.ts'
import { changedBy, refuseStale } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle } from '../../platform/db/database.ts'
import type { SettingsRow } from '../../platform/db/tables.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { maskSecret, type SecretBox } from '../../platform/security/secret-box.ts'
import type { SettingsCache } from './settings-cache.ts'

export interface SettingsServices {
  jobs: JobQueue
  secretBox: SecretBox
  settings: SettingsCache
}

export async function getSettings(
  services: Pick<SettingsServices, 'secretBox'>,
  ctx: MemberContext,
): Promise<Output<typeof contract.getSettings>> {
  return toResponse(services.secretBox, await readSettings(ctx.db))
}

/** Saves settings. After a change of the preview length, background jobs create all previews again. */
export async function updateSettings(
  services: SettingsServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.updateSettings>,
): Promise<Output<typeof contract.updateSettings>> {
  const {
    stripe_webhook_secret,
    updated_at: _updatedAt,
    version: _version,
    currency: _currency,
    ...plain
  } = body.settings
  const saved = await transaction(ctx.db, async (trx) => {
    const before = await readSettings(trx, { lock: true })
    await refuseStale(trx, before, body.version, async () => toResponse(services.secretBox, before))
    refuseWithoutOwn(ctx, before, body.settings)
    const shown = maskSecret(openOrNone(services.secretBox, before))
    const keepsSecret = stripe_webhook_secret === undefined || stripe_webhook_secret === shown
    await trx.query
      .updateTable('settings')
      .set({
        ...plain,
        ...changedBy(ctx),
        ...(keepsSecret
          ? {}
          : { stripe_webhook_secret: services.secretBox.seal(stripe_webhook_secret) }),
        updated_at: ctx.now().toISOString(),
      })
      .where('id', '=', 1)
      .execute()
    const after = await readSettings(trx)
    if (after.preview_length_seconds !== before.preview_length_seconds) {
      await services.jobs.enqueue(trx, 'cut-stale-previews', {})
    }
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: '1',
      before: pickAuditedColumns(before, ['stripe_webhook_secret']),
      after: {
        ...pickAuditedColumns(after, ['stripe_webhook_secret']),
        ...(keepsSecret ? {} : { stripe_webhook_secret: 'changed' }),
      },
    })
    await notify(trx, 'settings')
    return after
  })
  // This instance applies the new settings now. Other instances apply them when they are notified.
  await services.settings.reload()
  return toResponse(services.secretBox, saved)
}

/** Refuses to require a second factor if the admin has none. Otherwise, that admin would lose access first. */
function refuseWithoutOwn(
  { actor }: MemberContext,
  before: SettingsRow,
  {
    admins_need_two_factor = false,
  }: ParsedInput<typeof contract.updateSettings>['body']['settings'],
): void {
  if (!admins_need_two_factor || before.admins_need_two_factor || actor.two_factor_enabled) return
  throw new AppError('own_two_factor_off')
}

async function readSettings(handle: Handle, { lock = false } = {}): Promise<SettingsRow> {
  return handle.query
    .selectFrom('settings')
    .selectAll()
    .where('id', '=', 1)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirstOrThrow()
}

function toResponse(
  secretBox: SecretBox,
  { id: _, changed_by: __, changed_at: ___, ...row }: SettingsRow,
) {
  return { ...row, stripe_webhook_secret: maskSecret(openOrNone(secretBox, row)) }
}

/** Decrypts a secret. One that was encrypted with a lost SECRET counts as not set, and can be entered again. */
function openOrNone(
  secretBox: SecretBox,
  { stripe_webhook_secret }: Pick<SettingsRow, 'stripe_webhook_secret'>,
): string {
  return secretBox.open(stripe_webhook_secret) ?? ''
}
