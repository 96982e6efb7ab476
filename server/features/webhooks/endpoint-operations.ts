// Manages the endpoints of outgoing webhooks. Secrets are stored encrypted and shown only once.
import { sql } from 'kysely'
import {
  maxWebhookEndpoints,
  webhookOverlapHours,
  type WebhookEndpoint,
} from '#contract/admin/webhooks.ts'
import type * as contract from '#contract/admin/webhooks.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { webhookEventTypes, webhookTestType } from '#contract/webhook-events.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { lockByName, lockNames } from '../../platform/db/advisory-locks.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { generateWebhookSecret } from './sign-webhook.ts'
import { findWebhookUrlError } from './webhook-target.ts'

export type WebhookServices = Pick<PlatformServices, 'config' | 'jobs' | 'secretBox'>

function selectEndpoints(handle: Handle) {
  return handle.query
    .selectFrom('webhook_endpoints')
    .select([
      'id',
      'url',
      'description',
      'event_types',
      sql<boolean>`disabled_reason is null`.as('is_enabled'),
      'disabled_reason',
      'disabled_at',
      'failing_since',
      sql<string | null>`case when old_secret_until > now() then old_secret_until end`.as(
        'old_secret_until',
      ),
      'created_at',
    ])
}

export async function listWebhookEndpoints(
  ctx: MemberContext,
): Promise<Output<typeof contract.listWebhookEndpoints>> {
  return { data: await selectEndpoints(ctx.db).orderBy('created_at').orderBy('id').execute() }
}

/** Lists the endpoints that the service has disabled because deliveries failed. */
export async function listFailedWebhooks(handle: Handle): Promise<WebhookEndpoint[]> {
  return selectEndpoints(handle).where('disabled_reason', 'in', ['failing', 'gone']).execute()
}

export async function createWebhookEndpoint(
  { config, secretBox }: WebhookServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createWebhookEndpoint>,
): Promise<Output<typeof contract.createWebhookEndpoint>> {
  requireTarget(config, body.url)
  const secret = generateWebhookSecret()
  return transaction(ctx.db, async (trx) => {
    await refuseBeyondLimit(trx)
    const values = { ...body, event_types: sortEventTypes(body.event_types) }
    const { id } = await trx.query
      .insertInto('webhook_endpoints')
      .values({ ...values, secret_sealed: secretBox.seal(secret) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(ctx, trx, {
      action: 'create',
      entity: 'webhook',
      entity_id: id,
      after: toAuditFields(values),
    })
    return { data: { ...(await findEndpoint(trx, id)), secret } }
  })
}

export async function updateWebhookEndpoint(
  { config }: WebhookServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.updateWebhookEndpoint>,
): Promise<Output<typeof contract.updateWebhookEndpoint>> {
  if (body.url !== undefined) requireTarget(config, body.url)
  const { id } = params
  return transaction(ctx.db, async (trx) => {
    const before = await lockEndpoint(trx, id)
    const { is_enabled = before.is_enabled, ...changes } = body
    const event_types = sortEventTypes(body.event_types ?? before.event_types)
    await trx.query
      .updateTable('webhook_endpoints')
      .set({ ...changes, event_types, ...getEnabledColumns(before, is_enabled) })
      .where('id', '=', id)
      .execute()
    const after = await findEndpoint(trx, id)
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'webhook',
      entity_id: id,
      before: toAuditFields(before),
      after: { ...toAuditFields(after), ...(after.url !== before.url && { address: 'changed' }) },
    })
    return { data: after }
  })
}

/** Returns the columns to update when an admin enables or disables an endpoint. Enabling resets the failures. */
function getEnabledColumns(before: WebhookEndpoint, isEnabled: boolean) {
  if (isEnabled === before.is_enabled) return {}
  return isEnabled
    ? { disabled_reason: null, disabled_at: null, failing_since: null }
    : { disabled_reason: 'admin' as const, disabled_at: sql<string>`now()` }
}

export async function deleteWebhookEndpoint(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.deleteWebhookEndpoint>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const before = toAuditFields(await lockEndpoint(trx, id))
    await trx.query.deleteFrom('webhook_endpoints').where('id', '=', id).execute()
    await writeAudit(ctx, trx, { action: 'delete', entity: 'webhook', entity_id: id, before })
  })
}

export async function rotateWebhookSecret(
  { secretBox }: WebhookServices,
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.rotateWebhookSecret>,
): Promise<Output<typeof contract.rotateWebhookSecret>> {
  const secret = generateWebhookSecret()
  return transaction(ctx.db, async (trx) => {
    const { url } = await lockEndpoint(trx, id)
    await trx.query
      .updateTable('webhook_endpoints')
      .set({
        old_secret_sealed: sql<string>`secret_sealed`,
        old_secret_until: sql<string>`now() + make_interval(hours => ${webhookOverlapHours}::int)`,
        secret_sealed: secretBox.seal(secret),
      })
      .where('id', '=', id)
      .execute()
    const after = { name: nameOf(url), secret: 'rotated' }
    await writeAudit(ctx, trx, { action: 'update', entity: 'webhook', entity_id: id, after })
    return { data: { ...(await findEndpoint(trx, id)), secret } }
  })
}

export async function sendWebhookTest(
  { jobs }: WebhookServices,
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.sendWebhookTest>,
): Promise<Output<typeof contract.sendWebhookTest>> {
  return transaction(ctx.db, async (trx) => {
    const { url, is_enabled } = await lockEndpoint(trx, id)
    if (!is_enabled) throw new AppError('webhook_disabled')
    const event = await trx.query
      .insertInto('webhook_events')
      .values({
        type: webhookTestType,
        data: JSON.stringify({ message: 'This is a test. Nothing happened.' }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const delivery = await trx.query
      .insertInto('webhook_deliveries')
      .values({ endpoint_id: id, event_id: event.id, next_attempt_at: sql<string>`now()` })
      .returning('id')
      .executeTakeFirstOrThrow()
    await jobs.enqueue(trx, 'deliver-webhooks', {})
    const after = { name: nameOf(url), event_id: event.id }
    await writeAudit(ctx, trx, { action: 'simulate', entity: 'webhook', entity_id: id, after })
    return { data: { delivery_id: delivery.id } }
  })
}

function requireTarget(config: WebhookServices['config'], url: string): void {
  const refusal = findWebhookUrlError(config, url)
  if (refusal !== null) throw new AppError(refusal)
}

/**
 * Throws `too_many_webhooks` if there are too many endpoints. Takes a lock, so that concurrent requests cannot exceed
 * the limit.
 */
async function refuseBeyondLimit(trx: Transaction): Promise<void> {
  await lockByName(trx, lockNames.webhookEndpoints())
  const { count } = await trx.query
    .selectFrom('webhook_endpoints')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maxWebhookEndpoints) throw new AppError('too_many_webhooks')
}

/** Sorts event types in a fixed order and removes duplicates. */
function sortEventTypes(types: readonly string[]) {
  return webhookEventTypes.filter((type) => types.includes(type))
}

async function lockEndpoint(trx: Transaction, id: string): Promise<WebhookEndpoint> {
  await trx.query
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .execute()
  return findEndpoint(trx, id)
}

async function findEndpoint(handle: Handle, id: string): Promise<WebhookEndpoint> {
  const row = await selectEndpoints(handle).where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** Returns the endpoint's name for the audit log: only the host of the URL, because the rest may contain a secret. */
const nameOf = (url: string) => new URL(url).host

function toAuditFields(
  endpoint: Pick<WebhookEndpoint, 'url' | 'description' | 'event_types'> &
    Partial<Pick<WebhookEndpoint, 'is_enabled'>>,
) {
  const { url, description, event_types, is_enabled } = endpoint
  return {
    name: nameOf(url),
    description,
    event_types,
    ...(is_enabled !== undefined && { is_enabled }),
  }
}
