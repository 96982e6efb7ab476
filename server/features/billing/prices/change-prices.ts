// Carries out a price change for existing subscribers: emails them immediately, and changes their subscriptions at
// Stripe on the effective date. Each subscription has a row, so an interrupted run can be continued.
import type { Stripe } from 'stripe'
import { transaction, type Database } from '../../../platform/db/database.ts'
import type { PriceChangeRow } from '../../../platform/db/tables.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { SendBillingMail } from '../notices/billing-mailer.ts'
import { callStripe, readPermanentError, type StripeAccess } from '../stripe-client.ts'
import { announceCancellation, announcePriceChange } from './announce-change.ts'
import { nextAttemptAt } from '../../../platform/jobs/next-attempt.ts'

const batchSize = 50
/** Stripe no longer charges subscriptions with these statuses. */
const goneStatuses = ['canceled', 'incomplete_expired', 'incomplete', 'unpaid']

interface Services {
  db: Database
  stripe: StripeAccess
  sendMail: SendBillingMail
}

/** Continues the newest unfinished price change. Returns how many subscriptions were processed. */
export async function sweepPriceChanges(services: Services, now: Date): Promise<number> {
  const { db, stripe } = services
  if (!stripe.isSetUp()) return 0
  const change = await db.query
    .selectFrom('price_changes')
    .selectAll()
    .where('state', '!=', 'done')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!change) return 0
  try {
    return await carryOut(services, change, now)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    db.log.warn({ err: error, price_change: change.id }, 'A price change could not be continued')
    return 0
  }
}

async function carryOut(services: Services, change: PriceChangeRow, now: Date): Promise<number> {
  const { db } = services
  if (change.state === 'called_off') return announceCancellation(services, change)
  if (change.state === 'announcing') {
    const count = await announcePriceChange(services, change)
    if (count === 0) await setState(db, change, 'announced')
    return count
  }
  if (change.effective_at > now.toISOString()) return 0
  if (change.state === 'announced') await setState(db, change, 'running')
  const count = await movePrices(services, change, now)
  await finish(db, change, now)
  return count
}

/** Sets the state of the price change, unless an admin has canceled the change in the meantime. */
async function setState(
  db: Database,
  { id, state }: PriceChangeRow,
  next: PriceChangeRow['state'],
): Promise<void> {
  await db.query
    .updateTable('price_changes')
    .set({ state: next })
    .where('id', '=', id)
    .where('state', '=', state)
    .execute()
}

async function movePrices(services: Services, change: PriceChangeRow, now: Date): Promise<number> {
  const { db, stripe } = services
  const due = await claimDue(db, change, now)
  for (const { subscription_id: id, status, cancels } of due) {
    if (cancels || goneStatuses.includes(status ?? '')) {
      await settle(db, change, id, { state: 'left' })
      continue
    }
    try {
      await callStripe(stripe, (client) => movePrice(client, db, change, id))
      await settle(db, change, id, { state: 'moved' })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      db.log.warn(
        { err: error, subscription_id: id },
        'The price of a subscription could not be changed',
      )
      const failure = readPermanentError(error.cause)
      if (failure !== null) await settle(db, change, id, { state: 'refused', failure })
    }
  }
  return due.length
}

/** Returns the due subscriptions. Schedules their next attempt first, as `claimDue` of stripe-tasks.ts does. */
function claimDue(db: Database, { id }: PriceChangeRow, now: Date) {
  return transaction(db, async (trx) => {
    const due = await trx.query
      .selectFrom('price_change_members as m')
      .innerJoin('stripe_subscriptions as b', 'b.id', 'm.subscription_id')
      .innerJoin('price_changes as c', 'c.id', 'm.change_id')
      .select(['m.subscription_id', 'm.tries', 'b.status', 'b.cancels'])
      .where('m.change_id', '=', id)
      .where('c.state', '=', 'running')
      .where('m.state', '=', 'waiting')
      .where('m.try_after', '<=', now.toISOString())
      .orderBy('m.try_after')
      .limit(batchSize)
      .forUpdate('m')
      .skipLocked()
      .execute()
    for (const { subscription_id, tries } of due) {
      const try_after = nextAttemptAt(now, tries)
      await trx.query
        .updateTable('price_change_members')
        .set({ tries: tries + 1, try_after })
        .where('change_id', '=', id)
        .where('subscription_id', '=', subscription_id)
        .execute()
    }
    return due
  })
}

/** Changes the price without proration: the new price is charged from the next renewal on. */
async function movePrice(
  client: Stripe,
  db: Database,
  change: PriceChangeRow,
  id: string,
): Promise<void> {
  const set = await db.query
    .selectFrom('price_sets')
    .select(['price_monthly', 'price_yearly'])
    .where('id', '=', change.id)
    .executeTakeFirstOrThrow()
  const { items } = await client.subscriptions.retrieve(id)
  const [item] = items.data
  const isYearly = item?.price.recurring?.interval === 'year'
  const price = (isYearly ? set.price_yearly : set.price_monthly) ?? ''
  if (!item || item.price.id === price) return
  await client.subscriptions.update(id, {
    items: [{ id: item.id, price }],
    proration_behavior: 'none',
  })
}

async function settle(
  db: Database,
  change: PriceChangeRow,
  subscription_id: string,
  set: { state: 'moved' | 'left' | 'refused'; failure?: string },
): Promise<void> {
  await db.query
    .updateTable('price_change_members')
    .set(set)
    .where('change_id', '=', change.id)
    .where('subscription_id', '=', subscription_id)
    .execute()
}

async function finish(db: Database, { id }: PriceChangeRow, now: Date): Promise<void> {
  await db.query
    .updateTable('price_changes')
    .set({ state: 'done', settled_at: now.toISOString() })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('price_change_members')
            .select('subscription_id')
            .where('change_id', '=', id)
            .where('state', '=', 'waiting'),
        ),
      ),
    )
    .execute()
}
