// Lists, shows and resends webhook deliveries.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/webhooks.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Database, type Handle } from '../../platform/db/database.ts'
import { computePageWindow } from '../../platform/db/page-window.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { WebhookServices } from './endpoint-operations.ts'
import { buildWebhookBody } from './webhook-body.ts'

const keptDays = 30

type Filters = Pick<
  ParsedInput<typeof contract.listWebhookDeliveries>['query'],
  'endpoint_id' | 'state' | 'type'
>

function filterDeliveries(handle: Handle, { endpoint_id, state, type }: Filters) {
  return handle.query
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_events as v', 'v.id', 'd.event_id')
    .$if(endpoint_id !== undefined, (rows) => rows.where('d.endpoint_id', '=', endpoint_id!))
    .$if(state !== undefined, (rows) => rows.where('d.state', '=', state!))
    .$if(type !== undefined, (rows) => rows.where('v.type', '=', type!))
}

function selectDeliveries(handle: Handle) {
  return handle.query
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_events as v', 'v.id', 'd.event_id')
    .innerJoin('webhook_endpoints as e', 'e.id', 'd.endpoint_id')
    .leftJoin('webhook_attempts as a', (join) =>
      join.onRef('a.delivery_id', '=', 'd.id').onRef('a.number', '=', 'd.attempts'),
    )
    .select([
      'd.id',
      'd.endpoint_id',
      'e.url',
      'd.event_id',
      'v.type',
      'd.state',
      'd.attempts',
      'a.response_status',
      'a.error',
      'a.duration_ms',
      'd.next_attempt_at',
      'd.created_at',
    ])
}

export async function listWebhookDeliveries(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listWebhookDeliveries>,
): Promise<Output<typeof contract.listWebhookDeliveries>> {
  const filtered = filterDeliveries(ctx.db, query)
  const { total } = await filtered
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  const { limit, offset, direction } = computePageWindow(query, total, 'desc')
  const pageIds = filtered
    .select('d.id')
    .orderBy('d.created_at', direction)
    .orderBy('d.id', direction)
    .limit(limit)
    .offset(offset)
  const data = await selectDeliveries(ctx.db)
    .where('d.id', 'in', pageIds)
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id', 'desc')
    .execute()
  return { data, pagination: paginate(query, total) }
}

export async function getWebhookDelivery(
  { config }: WebhookServices,
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getWebhookDelivery>,
): Promise<Output<typeof contract.getWebhookDelivery>> {
  const row = await selectDeliveries(ctx.db)
    .select(['v.data', 'v.created_at as event_created_at'])
    .where('d.id', '=', params.id)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  const { data, event_created_at, ...delivery } = row
  const event = { id: row.event_id, type: row.type, created_at: event_created_at, data }
  const attempts = await ctx.db.query
    .selectFrom('webhook_attempts')
    .select(['number', 'started_at', 'duration_ms', 'response_status', 'response_body', 'error'])
    .where('delivery_id', '=', params.id)
    .orderBy('number', 'desc')
    .execute()
  return {
    data: { ...delivery, request_body: buildWebhookBody(config, event), attempt_log: attempts },
  }
}

export async function resendWebhookDelivery(
  { jobs }: WebhookServices,
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.resendWebhookDelivery>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const delivery = await trx.query
      .selectFrom('webhook_deliveries as d')
      .innerJoin('webhook_endpoints as e', 'e.id', 'd.endpoint_id')
      .select(['d.endpoint_id', 'd.event_id', 'e.url', 'e.disabled_reason'])
      .where('d.id', '=', id)
      .executeTakeFirst()
    if (!delivery) throw new AppError('not_found')
    if (delivery.disabled_reason !== null) throw new AppError('webhook_disabled')
    await trx.query
      .updateTable('webhook_deliveries')
      .set({ state: 'pending', retries: 0, next_attempt_at: sql<string>`now()` })
      .where('id', '=', id)
      .execute()
    await jobs.enqueue(trx, 'deliver-webhooks', {})
    const { endpoint_id, event_id, url } = delivery
    await writeAudit(ctx, trx, {
      action: 'retry',
      entity: 'webhook',
      entity_id: endpoint_id,
      after: { name: new URL(url).host, event_id },
    })
  })
}

export async function countWebhookDeliveries(db: Database) {
  return db.query
    .selectFrom('webhook_deliveries')
    .select(['state', sql<number>`count(*)`.as('count')])
    .groupBy('state')
    .execute()
}

/** Deletes old webhook events with their deliveries and attempts. */
export async function deleteOldWebhookEvents(db: Database): Promise<void> {
  await db.query
    .deleteFrom('webhook_events')
    .where('created_at', '<', sql<string>`now() - make_interval(days => ${keptDays}::int)`)
    .execute()
}
