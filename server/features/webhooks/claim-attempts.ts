// Claims the due attempts to deliver webhook events. An attempt is recorded before its request is sent, so that no
// other instance sends the same request.
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { attemptTimeoutMs } from './post-webhook.ts'
import type { StoredEvent } from './webhook-body.ts'

/** Maximum number of concurrent attempts per endpoint. */
const maxConcurrentAttempts = 4
/** After this time without a result, the delivery is retried, because the process of the attempt was killed. */
const leaseMs = 6 * attemptTimeoutMs

export interface ClaimedAttempt {
  delivery_id: string
  endpoint_id: string
  number: number
  retries: number
  url: string
  secret_sealed: string
  old_secret_sealed: string | null
  event: StoredEvent
}

/** Returns the ids of enabled endpoints that have a due delivery. */
export async function listDueEndpoints(db: Database): Promise<string[]> {
  const rows = await db.query
    .selectFrom('webhook_endpoints as e')
    .select('e.id')
    .where('e.disabled_reason', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_deliveries as d')
          .select('d.id')
          .whereRef('d.endpoint_id', '=', 'e.id')
          .where('d.state', '=', 'pending')
          .where('d.next_attempt_at', '<=', sql<string>`now()`),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Records attempts for the due deliveries and returns them. The caller must send their requests now. */
export async function claimAttempts(db: Database, endpointId: string): Promise<ClaimedAttempt[]> {
  const { rows } = await sql<ClaimedAttempt>`
    with due as (
      select id from webhook_deliveries
       where endpoint_id = ${endpointId} and state = 'pending' and next_attempt_at <= now()
         and exists (select from webhook_endpoints where id = ${endpointId} and disabled_reason is null)
       order by next_attempt_at, id limit ${maxConcurrentAttempts} for update skip locked
    ), claimed as (
      update webhook_deliveries d
         set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${leaseMs / 1000})
        from due where d.id = due.id
      returning d.id, d.endpoint_id, d.event_id, d.attempts, d.retries
    ), recorded as (
      insert into webhook_attempts (delivery_id, number) select id, attempts from claimed
    )
    select c.id as delivery_id, c.endpoint_id, c.attempts as number, c.retries, e.url, e.secret_sealed,
           case when e.old_secret_until > now() then e.old_secret_sealed end as old_secret_sealed,
           json_build_object('id', v.id, 'type', v.type, 'created_at', webhook_time(v.created_at), 'data', v.data) as event
      from claimed c
      join webhook_endpoints e on e.id = c.endpoint_id
      join webhook_events v on v.id = c.event_id`.execute(db.query)
  return rows
}
