// Admin operations on the prices of Premium: create new prices, and cancel a price change for existing subscribers.
import type * as contract from '#contract/admin/money/admin-prices.ts'
import {
  minNoticeDays,
  priceSetStates,
  type PriceChange,
} from '#contract/admin/money/admin-prices.ts'
import { getAmountStep } from '#contract/currencies.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import { transaction, type Handle, type Transaction } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import type { SecretBox } from '../../../platform/security/secret-box.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { SettingsCache } from '../../settings/settings-cache.ts'
import { callStripe, isStripeError } from '../stripe-client.ts'
import { readStripeSettings } from '../stripe-settings.ts'
import { getTaxParams } from '../tax/checkout-tax.ts'
import { createPriceSet, type PriceServices } from './create-prices.ts'

export interface PriceRouteServices extends PriceServices {
  config: Pick<Config, 'publicUrl'>
  secretBox: SecretBox
  settings: Pick<SettingsCache, 'reload'>
}

const dayMs = 24 * 3600 * 1000
/** How long the worker ignores a new price set, because the request that stored it creates its prices. */
const workerDelayMs = 60_000
const shownRefused = 100

export async function getPrices(
  { stripe }: Pick<PriceRouteServices, 'stripe'>,
  ctx: MemberContext,
): Promise<Output<typeof contract.getPrices>> {
  const settings = await ctx.db.query
    .selectFrom('settings')
    .select(['currency', 'pricing_monthly_cents', 'pricing_yearly_cents'])
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const made = await ctx.db.query
    .selectFrom('price_sets')
    .select(['state', 'failure'])
    .where('state', '!=', 'replaced')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const state = priceSetStates.find((one) => one === made?.state) ?? 'made'
  return {
    is_configured: stripe.isSetUp(),
    currency: settings.currency,
    monthly_cents: settings.pricing_monthly_cents,
    yearly_cents: settings.pricing_yearly_cents,
    made: made ? { state, failure: made.failure } : null,
    change: await readLatestChange(ctx.db),
  }
}

export async function setPrices(
  services: PriceRouteServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.setPrices>,
): Promise<Output<typeof contract.setPrices>> {
  if (!services.stripe.isSetUp()) throw new AppError('stripe_not_configured')
  const step = getAmountStep(body.currency)
  if (body.monthly_cents % step !== 0 || body.yearly_cents % step !== 0) {
    throw new AppError('amount_not_possible')
  }
  const effective_at = getEffectiveTime(ctx.now(), body.effective_on)
  const set = await transaction(ctx.db, async (trx) => {
    const before = await trx.query
      .selectFrom('settings')
      .select(['currency', 'pricing_monthly_cents', 'pricing_yearly_cents'])
      .where('id', '=', 1)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (effective_at !== null) await refuseChange(trx, before.currency, body.currency)
    await trx.query
      .updateTable('price_sets')
      .set({ state: 'replaced' })
      .where('state', '=', 'making')
      .execute()
    const { currency, monthly_cents, yearly_cents } = body
    const row = await trx.query
      .insertInto('price_sets')
      .values({
        currency,
        monthly_cents,
        yearly_cents,
        effective_at,
        requested_by: ctx.actor.user_id,
        created_at: ctx.now().toISOString(),
        try_after: new Date(ctx.now().getTime() + workerDelayMs).toISOString(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: '1',
      before,
      after: { prices: 'requested', ...body },
    })
    return row
  })
  await createPriceSet(services, set)
  await services.settings.reload()
  return getPrices(services, ctx)
}

/**
 * Rejects a second open price change, which would email members two different prices, and a change of currency, which
 * Stripe does not support for a subscription.
 */
async function refuseChange(trx: Transaction, before: string, after: string): Promise<void> {
  if (before !== after) throw new AppError('currency_stays')
  const open = await trx.query
    .selectFrom('price_changes')
    .select('id')
    .where('state', 'in', ['announcing', 'announced', 'running'])
    .executeTakeFirst()
  if (open) throw new AppError('price_change_open')
}

function getEffectiveTime(now: Date, day: string | null): string | null {
  if (day === null) return null
  const moment = new Date(`${day}T00:00:00.000Z`)
  const firstDay = new Date(now.getTime() + minNoticeDays * dayMs).toISOString().slice(0, 10)
  if (day < firstDay) throw new AppError('notice_too_short')
  return moment.toISOString()
}

export async function callOffPriceChange(
  services: PriceRouteServices,
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.callOffPriceChange>,
): Promise<Output<typeof contract.callOffPriceChange>> {
  await transaction(ctx.db, async (trx) => {
    const change = await trx.query
      .selectFrom('price_changes')
      .selectAll()
      .where('id', '=', params.price_change_id)
      .forUpdate()
      .executeTakeFirst()
    if (!change) throw new AppError('price_change_not_found')
    if (change.state === 'called_off') return
    const isOpen = change.state === 'announcing' || change.state === 'announced'
    const now = ctx.now().toISOString()
    if (!isOpen || change.effective_at <= now) throw new AppError('price_change_begun')
    await trx.query
      .updateTable('price_changes')
      .set({ state: 'called_off', settled_at: now })
      .where('id', '=', change.id)
      .execute()
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: '1',
      after: { price_change: 'called off', effective_at: change.effective_at },
    })
  })
  return getPrices(services, ctx)
}

async function readLatestChange(handle: Handle): Promise<PriceChange | null> {
  const change = await handle.query
    .selectFrom('price_changes')
    .select(['id', 'state', 'effective_at'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!change) return null
  const counts = await handle.query
    .selectFrom('price_change_members')
    .select((eb) => ['state', eb.cast<number>(eb.fn.countAll(), 'integer').as('count')])
    .where('change_id', '=', change.id)
    .groupBy('state')
    .execute()
  const countOf = (state: string) => counts.find((one) => one.state === state)?.count ?? 0
  const refused = await handle.query
    .selectFrom('price_change_members as m')
    .innerJoin('stripe_subscriptions as b', 'b.id', 'm.subscription_id')
    .innerJoin('profiles as p', 'p.id', 'b.user_id')
    .select(['p.id as user_id', 'p.email', 'm.failure'])
    .where('m.change_id', '=', change.id)
    .where('m.state', '=', 'refused')
    .orderBy('p.email')
    .limit(shownRefused)
    .execute()
  return {
    ...change,
    waiting: countOf('waiting'),
    moved: countOf('moved'),
    left: countOf('left'),
    refused: refused.map((row) => ({ ...row, failure: row.failure ?? '' })),
  }
}

/**
 * Opens a payment page at Stripe and closes it again. Stripe reports errors of the tax settings only when a page is
 * opened.
 */
export async function tryCheckout(
  services: PriceRouteServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.tryCheckout>> {
  const { prices, tax_mode } = await readStripeSettings(ctx.db, services.secretBox)
  if (prices.monthly === '') throw new AppError('stripe_not_configured')
  try {
    await callStripe(services.stripe, async (client) => {
      const session = await client.checkout.sessions.create({
        mode: 'subscription',
        line_items: [{ price: prices.monthly, quantity: 1 }],
        ...getTaxParams(tax_mode, { hasCustomer: false }),
        success_url: `${services.config.publicUrl}/subscribe`,
        cancel_url: `${services.config.publicUrl}/subscribe`,
      })
      await client.checkout.sessions.expire(session.id)
    })
    return { is_accepted: true, answer: null }
  } catch (error) {
    const { cause } = error as AppError
    if (!isStripeError(cause)) throw error
    return { is_accepted: false, answer: cause.message.slice(0, 1000) }
  }
}
