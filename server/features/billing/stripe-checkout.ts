// Links to Stripe's own pages for buying, changing and canceling a plan. Only signed events update the plan, never the
// browser's return from Stripe.
import { createHash } from 'node:crypto'
import { checkoutParam, paidPlans, type PaidPlan } from '#contract/billing.ts'
import type * as contract from '#contract/billing.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { isPremium } from '#contract/plans.ts'
import type { Config } from '../../platform/config/config.ts'
import { transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Context, MemberContext } from '../../platform/operations/context.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import { openCheckoutPage } from './checkout-page.ts'
import { hasInvoiceDetails, toInvoiceSettings, readInvoiceDetails } from './tax/invoice-details.ts'
import { getTaxParams } from './tax/checkout-tax.ts'
import { findPromotion } from './find-promotion.ts'
import { callStripe, requireAccount, withFixedKey, type StripeAccess } from './stripe-client.ts'
import { readStripeSettings, type StripeSettings } from './stripe-settings.ts'
import { liveStatuses } from './subscription-query.ts'
import { hasHadTrial } from './used-trials.ts'

export interface CheckoutServices {
  config: Pick<Config, 'publicUrl'>
  stripe: StripeAccess
  secretBox: SecretBox
}

export async function listPlans(
  services: CheckoutServices,
  ctx: Context,
): Promise<Output<typeof contract.listPlans>> {
  const settings = await readStripeSettings(ctx.db, services.secretBox)
  const hadTrial = ctx.actor !== null && (await hasHadTrial(ctx.db, ctx.actor))
  return {
    data: paidPlans.map((plan) => ({
      plan,
      price_cents: settings.amounts_cents[plan],
      currency: settings.currency,
      trial_days: hadTrial ? 0 : settings.trial_days[plan],
    })),
    trial_needs_card: settings.trial_needs_card,
    is_purchase_live: canSell(services, settings),
  }
}

export async function startCheckout(
  services: CheckoutServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.startCheckout>,
): Promise<Output<typeof contract.startCheckout>> {
  const settings = await readStripeSettings(ctx.db, services.secretBox)
  if (!canSell(services, settings)) throw new AppError('stripe_not_configured')
  await refuseSecondSubscription(ctx)
  const { user_id, email } = ctx.actor
  const stripe = await withFixedKey(services.stripe)
  const customer = await ensureCustomer(stripe, ctx)
  const screen = `${services.config.publicUrl}/subscribe?${checkoutParam}=`
  // Store the person in the subscription's metadata, so that each of its events identifies the person, in any order.
  const metadata = { user_id, plan: body.plan }
  const trial = await getTrialParams(ctx, settings, body.plan)
  const promotion = await findPromotionId(stripe, ctx, settings, body)
  const url = await openCheckoutPage(stripe, ctx, {
    mode: 'subscription',
    line_items: [{ price: settings.prices[body.plan], quantity: 1 }],
    ...(customer === null ? { customer_email: email } : { customer }),
    client_reference_id: user_id,
    metadata,
    ...getTaxParams(settings.tax_mode, { hasCustomer: customer !== null }),
    ...trial,
    subscription_data: { metadata, ...trial?.subscription_data },
    // Stripe rejects a request that has both of these parameters.
    ...(promotion === null
      ? { allow_promotion_codes: true }
      : { discounts: [{ promotion_code: promotion }] }),
    success_url: `${screen}done`,
    cancel_url: `${screen}canceled`,
  })
  return { url }
}

export async function openBillingPortal(
  services: CheckoutServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.openBillingPortal>> {
  const customer = await findCustomer(ctx, ctx.actor.user_id)
  if (customer === null) throw new AppError('stripe_not_configured')
  return { url: await openCustomerPortal(services, customer) }
}

/** Returns a single-use URL of Stripe's customer portal. Throws `stripe_not_configured` or `stripe_failed`. */
export async function openCustomerPortal(
  services: CheckoutServices,
  customer: string,
): Promise<string> {
  const session = await callStripe(services.stripe, (stripe) =>
    stripe.billingPortal.sessions.create({
      customer,
      return_url: `${services.config.publicUrl}/profile`,
    }),
  )
  return session.url
}

/** Whether plans can be sold. If the webhook secret is not set, a purchase would be charged but never activated. */
function canSell({ stripe }: CheckoutServices, { prices, webhook_secret }: StripeSettings) {
  return stripe.isSetUp() && webhook_secret !== '' && paidPlans.every((plan) => prices[plan] !== '')
}

/** Returns the parameters of a free trial. Undefined if the plan has none, or if this person has already had one. */
async function getTrialParams(ctx: MemberContext, settings: StripeSettings, plan: PaidPlan) {
  const trial_period_days = settings.trial_days[plan]
  if (trial_period_days === 0 || (await hasHadTrial(ctx.db, ctx.actor))) return undefined
  if (settings.trial_needs_card) {
    return {
      payment_method_collection: 'always',
      subscription_data: { trial_period_days },
    } as const
  }
  return {
    payment_method_collection: 'if_required',
    subscription_data: {
      trial_period_days,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    },
  } as const
}

/** Returns the promotion code's id at Stripe. Null if no code was given. */
async function findPromotionId(
  stripe: StripeAccess,
  ctx: MemberContext,
  settings: StripeSettings,
  { plan, promotion_code }: ParsedInput<typeof contract.startCheckout>['body'],
): Promise<string | null> {
  if (promotion_code === undefined) return null
  const found = await findPromotion(stripe, ctx, settings, promotion_code)
  if (found.plan !== null && found.plan !== plan) throw new AppError('promotion_code_invalid')
  return found.id
}

async function refuseSecondSubscription(ctx: MemberContext): Promise<void> {
  const running = await ctx.db.query
    .selectFrom('stripe_subscriptions')
    .select('id')
    .where('user_id', '=', ctx.actor.user_id)
    .where('status', 'in', liveStatuses)
    .where('event_is_simulated', '=', false)
    .executeTakeFirst()
  if (running || isPremium(ctx.actor.subscription_status)) throw new AppError('already_subscribed')
}

/**
 * Returns the customer, and creates one if the owner has set invoice details, because Stripe stores these on the
 * customer. Null if there is no customer and there are no details: the payment page then creates the customer.
 */
async function ensureCustomer(stripe: StripeAccess, ctx: MemberContext): Promise<string | null> {
  const { user_id, email } = ctx.actor
  const known = await findCustomer(ctx, user_id)
  const details = await readInvoiceDetails(ctx.db)
  if (known !== null || !hasInvoiceDetails(details)) return known
  const request = { email, metadata: { user_id }, invoice_settings: toInvoiceSettings(details) }
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  const { id } = await callStripe(stripe, (client) =>
    client.customers.create(request, { idempotencyKey: `customer-${hash}` }),
  )
  await transaction(ctx.db, async (trx) => {
    await requireAccount(trx, stripe.accountNumber())
    await trx.query
      .insertInto('subscriptions')
      .values({ user_id, stripe_customer_id: id })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ stripe_customer_id: id }))
      .execute()
  })
  return id
}

async function findCustomer(ctx: Context, userId: string): Promise<string | null> {
  const row = await ctx.db.query
    .selectFrom('subscriptions')
    .select('stripe_customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.stripe_customer_id ?? null
}
