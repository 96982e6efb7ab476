// Rate limits per account (or per address when signed out) for operations that cost more than a database query: mails,
// payment pages, files to encode, full exports, log lines. Limits on guessing are in auth-limits.ts. Plain reads are
// bounded by their page size.
import { exportAuditLog } from '#contract/admin/admin-audit.ts'
import { downloadBackup } from '#contract/admin/admin-system.ts'
import { resetUserPassword, exportUsers } from '#contract/admin/admin-users.ts'
import { openBillingPortal, startCheckout } from '#contract/billing.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { exportInsights } from '#contract/admin/insights.ts'
import { createPlaylist } from '#contract/playlists.ts'
import { downloadMyData } from '#contract/profiles.ts'
import { recordNotFoundVisit } from '#contract/site.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import type { Context } from '../operations/context.ts'
import { addressKey, countTry, limitFor, type RateLimit } from './rate-limit.ts'

const minute = 60
const hour = 3600

interface OperationLimit extends RateLimit {
  /** Admins are not limited. */
  exceptAdmins?: true
}

/** Operations with the same name share one count. */
export const operationLimits: ReadonlyMap<Endpoint, OperationLimit> = new Map<
  Endpoint,
  OperationLimit
>([
  [startCheckout, { name: 'payment-page', max: 20, windowSeconds: hour }],
  [openBillingPortal, { name: 'payment-page', max: 20, windowSeconds: hour }],
  // Each upload may be a picture that is decoded and then encoded six times.
  [createSignedUpload, { name: 'upload', max: 100, windowSeconds: hour, exceptAdmins: true }],
  [createPlaylist, { name: 'playlist', max: 1000, windowSeconds: 24 * hour, exceptAdmins: true }],
  [downloadMyData, { name: 'own-data', max: 10, windowSeconds: hour }],
  [exportUsers, { name: 'export', max: 60, windowSeconds: hour }],
  [exportAuditLog, { name: 'export', max: 60, windowSeconds: hour }],
  [exportInsights, { name: 'export', max: 60, windowSeconds: hour }],
  [downloadBackup, { name: 'backup-file', max: 20, windowSeconds: hour }],
  [resetUserPassword, { name: 'admin-mail', max: 60, windowSeconds: hour }],
  [recordNotFoundVisit, { name: 'log-line', max: 30, windowSeconds: minute }],
])

/** Throws `rate_limited`. */
export async function consumeOperationLimit(endpoint: Endpoint, ctx: Context): Promise<void> {
  const limit = operationLimits.get(endpoint)
  if (!limit || (limit.exceptAdmins && ctx.actor?.role === 'admin')) return
  await countTry(ctx.db, [limitFor(limit, ctx.actor?.user_id ?? addressKey(ctx.ip))])
}
