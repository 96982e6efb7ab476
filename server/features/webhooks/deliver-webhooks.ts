// Sends the due webhook deliveries. An attempt is recorded before its request is sent: no other instance sends the same
// request, and the attempt is retried if the process is killed. Each event arrives at least once; events may arrive in
// any order.
import { setTimeout as delay } from 'node:timers/promises'
import { transaction } from '../../platform/db/database.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { claimAttempts, listDueEndpoints, type ClaimedAttempt } from './claim-attempts.ts'
import { postWebhook, type WebhookResponse } from './post-webhook.ts'
import { finishAttempt, releaseAttempt } from './finish-attempt.ts'
import { signWebhook } from './sign-webhook.ts'
import { buildWebhookBody } from './webhook-body.ts'

export type DeliveryServices = Pick<PlatformServices, 'config' | 'db' | 'log' | 'secretBox'>

const pollIntervalMs = 1000

export async function enqueueDueWebhooks({
  db,
  jobs,
}: Pick<PlatformServices, 'db' | 'jobs'>): Promise<void> {
  if ((await listDueEndpoints(db)).length === 0) return
  await transaction(db, (trx) => jobs.enqueue(trx, 'deliver-webhooks', {}))
}

/**
 * Sends deliveries until none is due. Each endpoint has its own loop, so that a slow endpoint does not block the
 * others.
 */
export async function deliverWebhooks(
  services: DeliveryServices,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const loops = new Map<string, Promise<void>>()
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])
  try {
    for (;;) {
      stop.throwIfAborted()
      for (const id of await listDueEndpoints(services.db)) {
        if (loops.has(id)) continue
        const loop = deliverTo(services, id, stop).finally(() => loops.delete(id))
        loops.set(id, loop)
      }
      if (loops.size === 0) return
      await Promise.race([...loops.values(), delay(pollIntervalMs, undefined, { signal: stop })])
    }
  } finally {
    failed.abort(new Error('another endpoint failed'))
    await Promise.allSettled(loops.values())
  }
}

async function deliverTo(
  services: DeliveryServices,
  endpointId: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const claimed = await claimAttempts(services.db, endpointId)
    if (claimed.length === 0) return
    const results = await Promise.allSettled(
      claimed.map((attempt) => runAttempt(services, attempt, signal)),
    )
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }
}

async function runAttempt(
  services: DeliveryServices,
  attempt: ClaimedAttempt,
  signal: AbortSignal,
): Promise<void> {
  let answer: WebhookResponse
  try {
    answer = await sendAttempt(services, attempt, signal)
  } catch (error) {
    await releaseAttempt(services, attempt)
    throw error
  }
  await finishAttempt(services, attempt, answer)
}

async function sendAttempt(
  { config, secretBox }: DeliveryServices,
  { url, event, ...attempt }: ClaimedAttempt,
  signal: AbortSignal,
): Promise<WebhookResponse> {
  const sealed = [attempt.secret_sealed, attempt.old_secret_sealed].filter((one) => one !== null)
  const secrets = sealed.map((one) => secretBox.open(one)).filter((one) => one !== null)
  if (secrets.length === 0) {
    const error = 'The secret cannot be read, because SECRET was changed. Rotate it.'
    return { status: null, body: null, error, durationMs: 0 }
  }
  const body = buildWebhookBody(config, event)
  const headers = signWebhook(secrets, { id: event.id, body, now: new Date() })
  return postWebhook(config, { url, headers, body }, signal)
}
