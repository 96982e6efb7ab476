// Sends the due push notifications. A notification gets the state `sending` before its request, so it is not sent twice
// if the process is killed in between.
import { sql } from 'kysely'
import type { PushMessage } from '#contract/push.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { encryptPush } from '../push/encrypt-push.ts'
import { authorizePush, readPushKeys, type PushKeyPair } from '../push/push-keys.ts'
import { postWebhook, type WebhookResponse } from '../webhooks/post-webhook.ts'
import { hasPremium } from './news-preferences.ts'
import { describeSubject, readSubjects } from './news-subjects.ts'

export type PushSendingServices = Pick<
  PlatformServices,
  'config' | 'db' | 'log' | 'secretBox' | 'now'
>

const maxConcurrentSends = 20
const maxAttempts = 5
/** How long a push service keeps a message for an offline browser. */
const ttlSeconds = 24 * 3600
const goneStatuses = [404, 410]

interface Claimed {
  item_id: string
  subscription_id: string
  attempts: number
  endpoint: string
  p256dh: string
  auth: string
  is_premium: boolean
}

export async function enqueueDuePushes({
  db,
  jobs,
}: Pick<PlatformServices, 'db' | 'jobs'>): Promise<void> {
  const due = await db.query
    .selectFrom('push_deliveries')
    .select('item_id')
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '<=', sql<string>`now()`)
    .limit(1)
    .executeTakeFirst()
  if (due) await transaction(db, (trx) => jobs.enqueue(trx, 'send-pushes', {}))
}

/** Sends notifications until none is due. */
export async function sendPushes(
  services: PushSendingServices,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const keys = await readPushKeys(services.db, services.secretBox)
  for (;;) {
    signal.throwIfAborted()
    const claimed = await claimDelivery(services.db)
    if (claimed.length === 0) return
    const results = await Promise.allSettled(
      claimed.map((delivery) => sendOne(services, keys, delivery, signal)),
    )
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }
}

async function claimDelivery(db: Database): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with due as (
      select item_id, subscription_id from push_deliveries
       where state = 'waiting' and next_attempt_at <= now()
       order by next_attempt_at limit ${maxConcurrentSends} for update skip locked
    ), claimed as (
      update push_deliveries d set state = 'sending', attempts = attempts + 1
        from due where d.item_id = due.item_id and d.subscription_id = due.subscription_id
      returning d.item_id, d.subscription_id, d.attempts
    )
    select c.*, s.endpoint, s.p256dh, s.auth, ${hasPremium} as is_premium
      from claimed c
      join push_subscriptions s on s.id = c.subscription_id
      join profiles p on p.id = s.user_id`.execute(db.query)
  return rows
}

async function sendOne(
  services: PushSendingServices,
  keys: PushKeyPair,
  delivery: Claimed,
  signal: AbortSignal,
): Promise<void> {
  const message = await composeMessage(services.db, delivery)
  // The person may not play the item now. The notification is sent when the item opens to the person.
  if (message === null) return removeDelivery(services.db, delivery)
  let answer: WebhookResponse
  try {
    answer = await post(services, keys, delivery, message, signal)
  } catch (error) {
    // The request was aborted because the server is shutting down, so the notification is sent after the restart.
    await setState(services.db, delivery, { state: 'waiting' })
    throw error
  }
  await finish(services, delivery, answer)
}

/**
 * Returns the notification, or null if the person may not play the item now. It must not contain secrets, because a
 * lock screen may show it.
 */
async function composeMessage(db: Database, delivery: Claimed): Promise<PushMessage | null> {
  const [subject] = await readSubjects(db, [delivery.item_id], delivery.is_premium)
  if (!subject?.is_open) return null
  const { title, app_path, cover_id, item_id } = subject
  return {
    title,
    body: describeSubject(subject),
    path: app_path,
    tag: item_id,
    icon: cover_id && `/media/covers/${cover_id}/128.webp`,
  }
}

function post(
  { config, now }: PushSendingServices,
  keys: PushKeyPair,
  { endpoint, p256dh, auth, item_id }: Claimed,
  message: PushMessage,
  signal: AbortSignal,
): Promise<WebhookResponse> {
  const { publicUrl } = config
  const subject = publicUrl.startsWith('https:') ? publicUrl : 'mailto:owner@localhost.invalid'
  const headers = {
    authorization: authorizePush(keys, { endpoint, subject, now: now() }),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(ttlSeconds),
    // The topic makes the push service replace a message that it has not delivered yet (RFC 8030 §5.4).
    topic: item_id.replaceAll('-', ''),
    urgency: 'normal',
    'user-agent': 'Velour',
  }
  const body = encryptPush(JSON.stringify(message), { p256dh, auth })
  return postWebhook(config, { url: endpoint, headers, body }, signal)
}

async function finish(
  { db, log }: PushSendingServices,
  delivery: Claimed,
  { status, error }: WebhookResponse,
): Promise<void> {
  if (status !== null && status >= 200 && status < 300) {
    return setState(db, delivery, { state: 'sent' })
  }
  if (status !== null && goneStatuses.includes(status)) {
    await db.query
      .deleteFrom('push_subscriptions')
      .where('id', '=', delivery.subscription_id)
      .execute()
    return
  }
  const isRetryable = status === null || status === 429 || status >= 500
  if (isRetryable && delivery.attempts < maxAttempts) {
    const seconds = 30 * 4 ** (delivery.attempts - 1)
    return setState(db, delivery, {
      state: 'waiting',
      next_attempt_at: sql<string>`now() + make_interval(secs => ${seconds})`,
    })
  }
  log.warn({ status, reason: error }, 'a push service rejected a notification')
  await setState(db, delivery, { state: 'failed' })
}

async function setState(
  db: Database,
  { item_id, subscription_id }: Claimed,
  change: {
    state: 'waiting' | 'sent' | 'failed'
    next_attempt_at?: ReturnType<typeof sql<string>>
  },
): Promise<void> {
  await db.query
    .updateTable('push_deliveries')
    .set(change)
    .where('item_id', '=', item_id)
    .where('subscription_id', '=', subscription_id)
    .execute()
}

async function removeDelivery(db: Database, { item_id, subscription_id }: Claimed): Promise<void> {
  await db.query
    .deleteFrom('push_deliveries')
    .where('item_id', '=', item_id)
    .where('subscription_id', '=', subscription_id)
    .execute()
}
