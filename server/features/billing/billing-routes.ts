// Buying Premium, Stripe's webhook, and the subscriptions that admins manage.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Stripe } from 'stripe'
import * as adminBillingContract from '#contract/admin/admin-billing.ts'
import * as billingContract from '#contract/billing.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type { Config } from '../../platform/config/config.ts'
import { withoutAudit } from '../../platform/audit/audited-database.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { enqueueMail } from '../../platform/mail/mail-queue.ts'
import { requireStaff } from '../../platform/http/admit.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Context } from '../../platform/operations/context.ts'
import type { Route } from '../../platform/http/route.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import type { Branding } from '../settings/branding.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { runBillingAction } from './billing-operations.ts'
import {
  startCheckout,
  listPlans,
  openCustomerPortal,
  openBillingPortal,
} from './stripe-checkout.ts'
import { readStripeSettings } from './stripe-settings.ts'
import { applyBillingEvent, verifySignature } from './stripe-webhook.ts'

export interface BillingRouteServices {
  config: Pick<Config, 'publicUrl'>
  stripe: Stripe | null
  secretBox: SecretBox
  settings: Pick<SettingsCache, 'current'>
  jobs: Pick<JobQueue, 'enqueue'>
  branding: () => Pick<Branding, 'brand_name'>
}

/** `routeIn` registers routes in a scope of the app that has its own content parsers. */
export async function billingRoutes(
  app: FastifyInstance,
  routeIn: (scope: FastifyInstance) => Route,
  services: BillingRouteServices,
): Promise<void> {
  const route = routeIn(app)
  route(billingContract.listPlans, (ctx) => listPlans(services, ctx))
  route(billingContract.startCheckout, (ctx, input) => startCheckout(services, ctx, input))
  route(billingContract.openBillingPortal, (ctx) => openBillingPortal(services, ctx))
  const acts = {
    stripe: services.stripe,
    openCustomerPortal: (id: string) => openCustomerPortal(services, id),
  }
  route(adminBillingContract.runBillingAction, (ctx, input) => runBillingAction(acts, ctx, input))
  await app.register(async (scope) => webhookRoute(scope, routeIn(scope), services))
}

function webhookRoute(scope: FastifyInstance, route: Route, services: BillingRouteServices): void {
  const bytesOf = keepBytes(scope)
  route.raw(billingContract.receiveBillingEvent, async (ctx, input, request, reply) =>
    reply.send(await receiveBillingEvent(services, ctx, input, request, bytesOf(request))),
  )
}

async function receiveBillingEvent(
  services: BillingRouteServices,
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
  // A webhook has no actor, even if the request carries a cookie.
  const acting = is_simulated ? ctx : { ...ctx, actor: null, db: withoutAudit(ctx.db) }
  const outcome = await applyBillingEvent(acting, body, {
    settings,
    enqueueMail: (trx, mail) =>
      enqueueMail(
        trx,
        { jobs: services.jobs, secretBox: services.secretBox, now: ctx.now },
        mail({
          publicUrl: services.config.publicUrl,
          brandName: services.branding().brand_name,
        }),
      ),
    isSimulated: is_simulated,
    stripe: services.stripe,
  })
  return { received: true, outcome, is_simulated }
}

/** Signatures cover the bytes as received, so keep those next to the parsed body. */
function keepBytes(scope: FastifyInstance): (request: FastifyRequest) => Buffer {
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
