// The webhook route for Stripe's signed events and for events that admins simulate.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as billingContract from '#contract/billing.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { withoutAudit } from '../../../platform/audit/audited-database.ts'
import { requireStaff } from '../../../platform/http/admit.ts'
import type { Route } from '../../../platform/http/route.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { Context } from '../../../platform/operations/context.ts'
import type { SettingsCache } from '../../settings/settings-cache.ts'
import { createBillingMailer, type BillingMailServices } from '../notices/billing-mailer.ts'
import { readStripeSettings } from '../stripe-settings.ts'
import { applyBillingEvent, verifySignature } from './stripe-webhook.ts'
import type { StripeAccess } from '../stripe-client.ts'

export interface BillingEventServices extends BillingMailServices {
  stripe: StripeAccess
  settings: Pick<SettingsCache, 'current'>
}

/**
 * Registers the webhook route in its own scope of the app, because it needs the unparsed request body. `routeIn`
 * registers routes in such a scope.
 */
export async function billingEventRoutes(
  app: FastifyInstance,
  routeIn: (scope: FastifyInstance) => Route,
  services: BillingEventServices,
): Promise<void> {
  await app.register(async (scope) => registerWebhookRoute(scope, routeIn(scope), services))
}

function registerWebhookRoute(
  scope: FastifyInstance,
  route: Route,
  services: BillingEventServices,
): void {
  const bytesOf = keepRawBody(scope)
  route.raw(billingContract.receiveBillingEvent, async (ctx, input, request, reply) =>
    reply.send(await receiveBillingEvent(services, ctx, input, request, bytesOf(request))),
  )
}

async function receiveBillingEvent(
  services: BillingEventServices,
  ctx: Context,
  { body }: ParsedInput<typeof billingContract.receiveBillingEvent>,
  request: FastifyRequest,
  bytes: Buffer,
): Promise<Output<typeof billingContract.receiveBillingEvent>> {
  const signature = request.headers['stripe-signature']
  const settings = await readStripeSettings(ctx.db, services.secretBox)
  if (signature === undefined) {
    if (!ctx.actor) throw new AppError('unauthenticated')
    requireStaff(ctx.actor, 'admin', services.settings.current().admins_need_two_factor)
  } else {
    await verifySignature(bytes, signature, settings.webhook_secret, ctx.now())
  }
  const is_simulated = signature === undefined
  // A webhook request has no actor, even if it carries a session cookie.
  const acting = is_simulated ? ctx : { ...ctx, actor: null, db: withoutAudit(ctx.db) }
  const outcome = await applyBillingEvent(acting, body, {
    settings,
    sendMail: createBillingMailer(services),
    secretBox: services.secretBox,
    isSimulated: is_simulated,
    stripe: services.stripe,
  })
  return { received: true, outcome, is_simulated }
}

/**
 * Makes the scope parse JSON but also keep the received bytes, because the signature covers the bytes. Returns a
 * function that reads the bytes of a request.
 */
function keepRawBody(scope: FastifyInstance): (request: FastifyRequest) => Buffer {
  const kept = new WeakMap<FastifyRequest, Buffer>()
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    /^application\/json\b/i,
    { parseAs: 'buffer' },
    (request, bytes: Buffer, done) => {
      kept.set(request, bytes)
      try {
        done(null, JSON.parse(bytes.toString('utf8')))
      } catch (cause) {
        done(new AppError('webhook_invalid', { cause }))
      }
    },
  )
  return (request) => kept.get(request) ?? Buffer.alloc(0)
}
