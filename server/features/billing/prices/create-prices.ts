// Creates prices at Stripe. The price set is stored before the request to Stripe. If the server crashes in between, the
// next attempt finds the created prices by their metadata.
import type { Stripe } from 'stripe'
import { paidPlans, type PaidPlan } from '#contract/billing.ts'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import { transaction, type Database } from '../../../platform/db/database.ts'
import type { PriceSetRow } from '../../../platform/db/tables.ts'
import { notify } from '../../../platform/events/event-bus.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import { streamingTaxCode } from '../tax/checkout-tax.ts'
import {
  callStripe,
  isStripeError,
  readPermanentError,
  type StripeAccess,
} from '../stripe-client.ts'
import { nextAttemptAt } from '../../../platform/jobs/next-attempt.ts'

export interface PriceServices {
  db: Database
  stripe: StripeAccess
  branding: () => { brand_name: string }
}

/** Creates prices of sets (a monthly and a yearly price) that a crash or a Stripe outage left unfinished. */
export async function sweepPriceSets(services: PriceServices, now: Date): Promise<number> {
  const { db, stripe } = services
  if (!stripe.isSetUp()) return 0
  const due = await transaction(db, async (trx) => {
    const row = await trx.query
      .selectFrom('price_sets')
      .selectAll()
      .where('state', 'in', ['making', 'made'])
      .where('try_after', '<=', now.toISOString())
      .orderBy('created_at')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!row) return null
    await trx.query
      .updateTable('price_sets')
      .set({ tries: row.tries + 1, try_after: nextAttemptAt(now, row.tries) })
      .where('id', '=', row.id)
      .execute()
    return row
  })
  if (!due) return 0
  await createPriceSet(services, due)
  return 1
}

/**
 * Creates the prices of a set at Stripe. If Stripe rejects them, stores the reason. If Stripe does not respond, the set
 * is unchanged and is retried later.
 */
export async function createPriceSet(services: PriceServices, set: PriceSetRow): Promise<void> {
  const { db, stripe } = services
  try {
    if (set.state === 'making') {
      const ids = await callStripe(stripe, (client) => createPrices(services, client, set))
      await activatePriceSet(db, set, ids)
    }
    await callStripe(stripe, (client) => archiveOthers(db, client))
    await db.query
      .updateTable('price_sets')
      .set({ state: 'done' })
      .where('id', '=', set.id)
      .where('state', '=', 'made')
      .execute()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    db.log.warn({ err: error, price_set: set.id }, 'Prices could not be created at Stripe')
    const failure = readPermanentError(error.cause)
    if (failure === null) return
    await db.query
      .updateTable('price_sets')
      .set({ state: 'refused', failure })
      .where('id', '=', set.id)
      .where('state', '=', 'making')
      .execute()
  }
}

async function createPrices(
  services: PriceServices,
  client: Stripe,
  set: PriceSetRow,
): Promise<Record<PaidPlan, string>> {
  const ids = { monthly: '', yearly: '' }
  for (const plan of paidPlans) {
    const product = await ensureProduct(services, client, plan)
    ids[plan] = await ensurePrice(client, set, plan, product)
  }
  return ids
}

/**
 * Creates or updates the plan's product at Stripe, with an id that we choose. Each plan has its own product, so that a
 * promotion code can be limited to a plan.
 */
async function ensureProduct(
  { db, branding }: PriceServices,
  client: Stripe,
  plan: PaidPlan,
): Promise<string> {
  const id = await getProductId(db, plan)
  const name = `${branding().brand_name} Premium, ${plan}`
  try {
    await client.products.create({ id, name, tax_code: streamingTaxCode })
  } catch (error) {
    if (!isStripeError(error) || error.code !== 'resource_already_exists') throw error
    await client.products.update(id, { name, active: true })
  }
  return id
}

async function getProductId(db: Database, plan: PaidPlan): Promise<string> {
  const { id } = await db.query.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  return `velour_${id.replaceAll('-', '')}_${plan}`
}

/**
 * Finds an existing price by its metadata, because Stripe discards an idempotency key after a day. Otherwise creates
 * the price.
 */
async function ensurePrice(
  client: Stripe,
  set: PriceSetRow,
  plan: PaidPlan,
  product: string,
): Promise<string> {
  const { data } = await client.prices.list({ product, active: true, limit: 100 })
  const earlier = data.find(({ metadata }) => metadata.price_set === set.id)
  if (earlier) return earlier.id
  const { id } = await client.prices.create(
    {
      product,
      currency: set.currency,
      unit_amount: plan === 'monthly' ? set.monthly_cents : set.yearly_cents,
      recurring: { interval: plan === 'monthly' ? 'month' : 'year' },
      tax_behavior: 'inclusive',
      lookup_key: product,
      transfer_lookup_key: true,
      metadata: { price_set: set.id },
    },
    { idempotencyKey: `price-${set.id}-${plan}` },
  )
  return id
}

/**
 * Stores the new prices in the settings, so that they are sold from now on. If requested, starts the price change for
 * existing subscribers.
 */
function activatePriceSet(
  db: Database,
  set: PriceSetRow,
  ids: Record<PaidPlan, string>,
): Promise<void> {
  return transaction(db, async (trx) => {
    const made = await trx.query
      .updateTable('price_sets')
      .set({
        state: 'made',
        price_monthly: ids.monthly,
        price_yearly: ids.yearly,
        tries: 0,
        try_after: nextAttemptAt(new Date(), 0),
      })
      .where('id', '=', set.id)
      .where('state', '=', 'making')
      .returning('id')
      .executeTakeFirst()
    if (!made) return
    const after = {
      currency: set.currency,
      pricing_monthly_cents: set.monthly_cents,
      pricing_yearly_cents: set.yearly_cents,
      stripe_price_monthly: ids.monthly,
      stripe_price_yearly: ids.yearly,
    }
    await trx.query.updateTable('settings').set(after).where('id', '=', 1).execute()
    await writeAudit({ actor: null, ip: '' }, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: '1',
      after,
    })
    if (set.effective_at !== null) {
      await trx.query
        .insertInto('price_changes')
        .values({ id: set.id, effective_at: set.effective_at })
        .execute()
    }
    await notify(trx, 'settings')
  })
}

/**
 * Archives unused prices of our products. Subscriptions with an archived price keep it. Reads from Stripe before the
 * database: a price that is created in between is either missing from Stripe's list or found in the database.
 */
async function archiveOthers(db: Database, client: Stripe): Promise<void> {
  for (const plan of paidPlans) {
    const product = await getProductId(db, plan)
    const { data } = await client.prices.list({ product, active: true, limit: 100 })
    const used = await db.query
      .selectFrom('settings')
      .select(['stripe_price_monthly', 'stripe_price_yearly'])
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    const making = await db.query
      .selectFrom('price_sets')
      .select('id')
      .where('state', '=', 'making')
      .executeTakeFirst()
    for (const { id, metadata } of data) {
      if (Object.values(used).includes(id) || metadata.price_set === making?.id) continue
      await client.prices.update(id, { active: false })
    }
  }
}
