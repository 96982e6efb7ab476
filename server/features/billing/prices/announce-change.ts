// Emails subscribers about a new price or a canceled price change. The current price of each subscription is read from
// Stripe.
import type { Stripe } from 'stripe'
import { transaction, type Database } from '../../../platform/db/database.ts'
import type { PriceChangeRow } from '../../../platform/db/tables.ts'
import { priceChangeMail, priceChangeCanceledMail } from '../../../platform/mail/price-mails.ts'
import { sendNotice, type SendBillingMail } from '../notices/billing-mailer.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import { callStripe, readPermanentError, type StripeAccess } from '../stripe-client.ts'

const batchSize = 50

interface Services {
  db: Database
  stripe: StripeAccess
  sendMail: SendBillingMail
}

/** A renewing subscription whose member has not been emailed about the price change. */
interface Renewing {
  id: string
  user_id: string
  ends_at: string | null
}

/**
 * Emails members about the new price. Returns how many subscriptions were processed. Each member gets one email, even
 * if the run is interrupted.
 */
export async function announcePriceChange(
  services: Services,
  change: PriceChangeRow,
): Promise<number> {
  const { db, stripe } = services
  const set = await db.query
    .selectFrom('price_sets')
    .selectAll()
    .where('id', '=', change.id)
    .executeTakeFirstOrThrow()
  const renewing = await listRenewing(db, change)
  for (const row of renewing) {
    const { price, failure } = await readPrice(stripe, row.id)
    const isYearly = price?.recurring?.interval === 'year'
    const new_cents = isYearly ? set.yearly_cents : set.monthly_cents
    const old_cents = price?.unit_amount ?? new_cents
    const isSold = price?.id === (isYearly ? set.price_yearly : set.price_monthly)
    const isSame = failure === null && (isSold || old_cents === new_cents)
    const refusal = failure ?? otherCurrency(price, set.currency)
    const applies_at = findFirstRenewal(row.ends_at, change.effective_at, isYearly)
    await transaction(db, async (trx) => {
      await trx.query
        .insertInto('price_change_members')
        .values({
          change_id: change.id,
          subscription_id: row.id,
          old_cents,
          new_cents,
          applies_at,
          ...(isSame && { state: 'moved' as const }),
          ...(refusal !== null && { state: 'refused' as const, failure: refusal }),
        })
        .execute()
      if (isSame || refusal !== null) return
      const { user_id } = row
      const notice = { user_id, kind: 'price_change', key: `${change.id}:${row.id}` } as const
      const terms = { old_cents, new_cents, currency: set.currency, applies_at, isYearly }
      await sendNotice(trx, services.sendMail, notice, (to, site) =>
        priceChangeMail(to, site, terms),
      )
    })
  }
  return renewing.length
}

/**
 * Returns the subscription's current price, or Stripe's reason for an error. Errors about one subscription, such as one
 * that is missing at Stripe, do not stop the run.
 */
async function readPrice(
  stripe: StripeAccess,
  id: string,
): Promise<{ price: Stripe.Price | null; failure: string | null }> {
  try {
    const { items } = await callStripe(stripe, (client) => client.subscriptions.retrieve(id))
    return { price: items.data[0]?.price ?? null, failure: null }
  } catch (error) {
    const failure = error instanceof AppError ? readPermanentError(error.cause) : null
    if (failure === null) throw error
    return { price: null, failure }
  }
}

function otherCurrency(price: Stripe.Price | null, wanted: string): string | null {
  if (price === null || price.currency === wanted) return null
  return `The subscription is billed in ${price.currency.toUpperCase()}. Stripe cannot change its currency.`
}

function listRenewing(db: Database, change: PriceChangeRow): Promise<Renewing[]> {
  return db.query
    .selectFrom('stripe_subscriptions as b')
    .innerJoin('profiles as p', 'p.id', 'b.user_id')
    .select(['b.id', 'p.id as user_id', 'b.ends_at'])
    .where('b.status', 'in', ['active', 'trialing', 'past_due'])
    .where('b.cancels', '=', false)
    .where('b.let_go', '=', false)
    .where('b.event_is_simulated', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('price_change_members as m')
            .select('m.subscription_id')
            .whereRef('m.subscription_id', '=', 'b.id')
            .where('m.change_id', '=', change.id),
        ),
      ),
    )
    .orderBy('b.id')
    .limit(batchSize)
    .execute()
}

/**
 * Returns the first renewal on or after the effective date. The effective date is at most a few years away, so the loop
 * is short.
 */
function findFirstRenewal(endsAt: string | null, effectiveAt: string, isYearly: boolean): string {
  if (endsAt === null) return effectiveAt
  const end = new Date(endsAt)
  const day = end.getUTCDate()
  while (end.toISOString() < effectiveAt) {
    // Use the last day of a shorter month, as Stripe does.
    const months = end.getUTCMonth() + (isYearly ? 12 : 1)
    const lastDay = new Date(Date.UTC(end.getUTCFullYear(), months + 1, 0)).getUTCDate()
    end.setUTCMonth(months, Math.min(day, lastDay))
  }
  return end.toISOString()
}

/**
 * Emails the members who were notified of the new price that their price does not change. Returns how many
 * subscriptions were processed.
 */
export async function announceCancellation(
  services: Services,
  change: PriceChangeRow,
): Promise<number> {
  const notified = await services.db.query
    .selectFrom('price_change_members as m')
    .innerJoin('stripe_subscriptions as b', 'b.id', 'm.subscription_id')
    .innerJoin('price_sets as s', 's.id', 'm.change_id')
    .select(['b.id', 'b.user_id', 'm.old_cents', 's.currency'])
    .where('m.change_id', '=', change.id)
    .where('m.state', '=', 'waiting')
    .orderBy('b.id')
    .limit(batchSize)
    .execute()
  for (const { id, user_id, old_cents, currency } of notified) {
    await transaction(services.db, async (trx) => {
      await trx.query
        .updateTable('price_change_members')
        .set({ state: 'left' })
        .where('change_id', '=', change.id)
        .where('subscription_id', '=', id)
        .execute()
      if (user_id === null) return
      const notice = { user_id, kind: 'price_stays', key: `${change.id}:${id}` } as const
      await sendNotice(trx, services.sendMail, notice, (to, site) =>
        priceChangeCanceledMail(to, site, { old_cents, currency }),
      )
    })
  }
  return notified.length
}
