// Creates or updates our webhook endpoint at Stripe. Stripe returns the signing secret only when it creates an
// endpoint, so an endpoint whose secret we do not know is replaced by a new one.
import { createHash } from 'node:crypto'
import type { Stripe } from 'stripe'
import { receiveBillingEvent } from '#contract/billing.ts'
import { changedBy } from '../../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import type { Config } from '../../../platform/config/config.ts'
import { transaction, type Handle } from '../../../platform/db/database.ts'
import type { StripeConnectionRow } from '../../../platform/db/tables.ts'
import { notify } from '../../../platform/events/event-bus.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import { isPrivateHost } from '../../../platform/security/public-lookup.ts'
import type { SecretBox } from '../../../platform/security/secret-box.ts'
import { readStripeConnection } from '../../settings/stripe-connection.ts'
import { isStripeError, loadStripe, withFixedKey, type StripeAccess } from '../stripe-client.ts'
import { handledEvents } from './handled-events.ts'
import { isDenied } from './check-key.ts'

export interface WebhookServices {
  config: Pick<Config, 'publicUrl' | 'stripeApiUrl'>
  secretBox: SecretBox
  stripe: StripeAccess
}

export function getWebhookUrl({ publicUrl }: Pick<Config, 'publicUrl'>): string {
  return publicUrl + receiveBillingEvent.path
}

/** Whether the address of this service is public. Stripe rejects endpoints with a private address. */
export function isReachable({ publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  const { hostname } = new URL(publicUrl)
  const isName = hostname.includes('.') || hostname.startsWith('[')
  return (
    isName && !isPrivateHost(hostname) && !/\.(?:localhost|local|internal|test)$/.test(hostname)
  )
}

const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('hex')

/**
 * Creates or updates the endpoint and stores its secret. A failure is stored and shown in the back office. With
 * `keepManual`, a secret that was entered by hand is not replaced.
 */
export async function connectWebhook(
  services: WebhookServices,
  ctx: MemberContext,
  { keepManual }: { keepManual: boolean },
): Promise<void> {
  const stripe = await withFixedKey(services.stripe)
  const client = await stripe.client()
  if (!client) throw new AppError('stripe_not_configured')
  if (!isReachable(services.config)) return
  const row = await readStripeConnection(ctx.db)
  const { secret, isFromStripe } = await readWebhookSecret(services, ctx.db, row)
  const url = getWebhookUrl(services.config)
  try {
    const { data } = await client.webhookEndpoints.list({ limit: 100 })
    const { Stripe } = await loadStripe()
    const version = Stripe.API_VERSION
    const own = data.find(({ id }) => id === row.webhook_id)
    const same = data.filter((one) => one.url === url || one.id === row.webhook_id)
    if (isFromStripe && own?.api_version === version) {
      await client.webhookEndpoints.update(own.id, { url, ...wanted })
      return await save(services, ctx, row, { id: own.id, url })
    }
    if (keepManual && secret !== '' && !isFromStripe) {
      for (const { id } of same) await client.webhookEndpoints.update(id, wanted)
      return
    }
    const made = await client.webhookEndpoints.create(
      { url, api_version: version, enabled_events: handledEvents, description },
      // The idempotency key makes concurrent requests create one endpoint and return the same secret.
      { idempotencyKey: `webhook-${await installationOf(ctx)}-${row.webhook_tries}` },
    )
    if (made.secret === undefined) throw new AppError('stripe_failed')
    await save(services, ctx, row, { id: made.id, url, secret: made.secret })
    for (const { id } of same) if (id !== made.id) await client.webhookEndpoints.del(id)
  } catch (error) {
    if (!isStripeError(error)) throw error
    ctx.db.log.warn({ err: error }, 'The webhook could not be connected at Stripe')
    await save(services, ctx, row, { failure: describeError(error) })
  }
}

const description = 'Velour'
const wanted = { enabled_events: handledEvents, disabled: false }

type Outcome = { id: string; url: string; secret?: string } | { failure: string }

async function save(
  { secretBox }: WebhookServices,
  ctx: MemberContext,
  before: StripeConnectionRow,
  outcome: Outcome,
): Promise<void> {
  const { secret } = { secret: undefined, ...outcome }
  const failure = 'failure' in outcome ? outcome.failure : null
  await transaction(ctx.db, async (trx) => {
    const saved = await trx.query
      .updateTable('stripe_connection')
      .set({
        ...('id' in outcome && { webhook_id: outcome.id, webhook_url: outcome.url }),
        ...(secret !== undefined && { webhook_secret_hash: hashSecret(secret) }),
        webhook_failure: failure,
        webhook_tried_at: ctx.now().toISOString(),
        webhook_tries: before.webhook_tries + 1,
      })
      .where('id', '=', 1)
      // Matches no row if a concurrent request has stored an endpoint, or if the Stripe account has changed.
      .where('webhook_tries', '=', before.webhook_tries)
      .where('account_number', '=', before.account_number)
      .returning('id')
      .executeTakeFirst()
    if (!saved) return
    if (secret !== undefined) {
      await trx.query
        .updateTable('settings')
        .set({ stripe_webhook_secret: secretBox.seal(secret), ...changedBy(ctx) })
        .where('id', '=', 1)
        .execute()
    }
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: 'stripe',
      after: {
        webhook: failure === null ? 'connected' : 'failed',
        ...('url' in outcome && { webhook_url: outcome.url }),
        ...(secret !== undefined && { stripe_webhook_secret: 'changed' }),
      },
    })
    await notify(trx, 'settings')
  })
}

interface WebhookSecret {
  /** The signing secret. Empty if there is none. */
  secret: string
  /** True if Stripe returned this secret for our endpoint, false if an admin entered it. */
  isFromStripe: boolean
}

export async function readWebhookSecret(
  { secretBox }: Pick<WebhookServices, 'secretBox'>,
  handle: Handle,
  { webhook_secret_hash }: StripeConnectionRow,
): Promise<WebhookSecret> {
  const { stripe_webhook_secret } = await handle.query
    .selectFrom('settings')
    .select('stripe_webhook_secret')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const secret = secretBox.open(stripe_webhook_secret) ?? ''
  return { secret, isFromStripe: secret !== '' && hashSecret(secret) === webhook_secret_hash }
}

async function installationOf(ctx: MemberContext): Promise<string> {
  const { id } = await ctx.db.query
    .selectFrom('installation')
    .select('id')
    .executeTakeFirstOrThrow()
  return id
}

function describeError(error: Stripe.errors.StripeError): string {
  if (isDenied(error)) {
    return 'This restricted key may not write webhook endpoints. Give it that permission in the Stripe dashboard and connect again, or add the endpoint there by hand.'
  }
  if (error.statusCode === 401) return 'Stripe no longer accepts the key. Enter a new one.'
  if (error.statusCode === undefined) return 'Stripe did not respond. Please try again.'
  return `Stripe rejected the webhook: ${error.message}`.slice(0, 1000)
}
