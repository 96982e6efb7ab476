// Stores the result of an attempt, and marks the delivery as delivered, pending or failed. An endpoint that keeps
// failing is disabled.
import { sql } from 'kysely'
import type { WebhookDisabledReason } from '#contract/webhook-events.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import type { ClaimedAttempt } from './claim-attempts.ts'
import type { WebhookResponse } from './post-webhook.ts'
import { disableAfterDays, getRetryDelaySeconds } from './retry-schedule.ts'

const goneStatus = 410

export async function finishAttempt(
  { db, log }: Pick<PlatformServices, 'db' | 'log'>,
  attempt: ClaimedAttempt,
  answer: WebhookResponse,
): Promise<void> {
  const isDelivered = answer.status !== null && answer.status >= 200 && answer.status < 300
  const disabled = await transaction(db, async (trx) => {
    // Lock the endpoint before its deliveries. Deleting an endpoint locks in the same order, which prevents deadlocks.
    const endpoint = await lockEndpoint(trx, attempt.endpoint_id)
    if (!endpoint) return null
    await saveResponse(trx, attempt, answer)
    if (isDelivered) {
      await saveDelivered(trx, attempt)
      if (endpoint.failing_since !== null) await saveFailingSince(trx, endpoint.id, null)
      return null
    }
    await saveFailed(trx, attempt)
    if (endpoint.failing_since === null) {
      await saveFailingSince(trx, endpoint.id, sql<string>`now()`)
    }
    if (endpoint.disabled_reason !== null) return null
    const reason =
      answer.status === goneStatus ? 'gone' : endpoint.has_failed_too_long ? 'failing' : null
    if (reason !== null) await disableEndpoint(trx, endpoint.id, reason)
    return reason
  })
  if (disabled !== null) {
    log.warn({ webhook: attempt.endpoint_id, reason: disabled }, 'a webhook was disabled')
  }
}

/** Makes the delivery due again because the server is shutting down. The attempt does not count as a retry. */
export async function releaseAttempt(
  { db }: Pick<PlatformServices, 'db'>,
  attempt: ClaimedAttempt,
): Promise<void> {
  await transaction(db, async (trx) => {
    await ofAttempt(trx, attempt).set({ error: 'The server shut down first.' }).execute()
    await pendingDelivery(trx, attempt)
      .set({ next_attempt_at: sql`now()` })
      .execute()
  })
}

function lockEndpoint(trx: Transaction, id: string) {
  return trx.query
    .selectFrom('webhook_endpoints')
    .select(['id', 'failing_since', 'disabled_reason'])
    .select(
      sql<boolean>`coalesce(failing_since < now() - make_interval(days => ${disableAfterDays}::int), false)`.as(
        'has_failed_too_long',
      ),
    )
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

const ofAttempt = (trx: Transaction, { delivery_id, number }: ClaimedAttempt) =>
  trx.query
    .updateTable('webhook_attempts')
    .where('delivery_id', '=', delivery_id)
    .where('number', '=', number)

/** Updates the delivery of this attempt. Matches no row if a later attempt has started or the delivery is finished. */
const pendingDelivery = (trx: Transaction, { delivery_id, number }: ClaimedAttempt) =>
  trx.query
    .updateTable('webhook_deliveries')
    .where('id', '=', delivery_id)
    .where('attempts', '=', number)
    .where('state', '=', 'pending')

async function saveResponse(
  trx: Transaction,
  attempt: ClaimedAttempt,
  { status, body, error, durationMs }: WebhookResponse,
): Promise<void> {
  await ofAttempt(trx, attempt)
    .set({ response_status: status, response_body: body, error, duration_ms: durationMs })
    .execute()
}

/** Marks the delivery as successful, even if a later attempt has started. */
async function saveDelivered(trx: Transaction, { delivery_id }: ClaimedAttempt): Promise<void> {
  await trx.query
    .updateTable('webhook_deliveries')
    .set({ state: 'delivered', next_attempt_at: null })
    .where('id', '=', delivery_id)
    .execute()
}

async function saveFailed(trx: Transaction, attempt: ClaimedAttempt): Promise<void> {
  const seconds = getRetryDelaySeconds(attempt.retries)
  await pendingDelivery(trx, attempt)
    .set(
      seconds === null
        ? { state: 'failed', next_attempt_at: null }
        : {
            retries: attempt.retries + 1,
            next_attempt_at: sql`now() + make_interval(secs => ${seconds})`,
          },
    )
    .execute()
}

async function saveFailingSince(
  trx: Transaction,
  id: string,
  failing_since: ReturnType<typeof sql<string>> | null,
): Promise<void> {
  await trx.query
    .updateTable('webhook_endpoints')
    .set({ failing_since })
    .where('id', '=', id)
    .execute()
}

async function disableEndpoint(
  trx: Transaction,
  id: string,
  reason: WebhookDisabledReason,
): Promise<void> {
  await trx.query
    .updateTable('webhook_endpoints')
    .set({ disabled_reason: reason, disabled_at: sql`now()` })
    .where('id', '=', id)
    .execute()
  await writeAudit({ actor: null, ip: '' }, trx, {
    action: 'update',
    entity: 'webhook',
    entity_id: id,
    before: { is_enabled: true },
    after: { is_enabled: false, reason },
  })
}
