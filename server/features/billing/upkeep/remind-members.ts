// Emails members before a yearly plan renews and before their card expires. Each email is sent once.
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { transaction, type Database } from '../../../platform/db/database.ts'
import { cardExpiresMail, renewalMail } from '../../../platform/mail/payment-mails.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import { sendNotice, type SendBillingMail } from '../notices/billing-mailer.ts'
import { callStripe, type StripeAccess } from '../stripe-client.ts'

const dayMs = 24 * 3600 * 1000
const renewalDays = 7
const cardDays = 30
/** Minimum number of days between two requests to Stripe for the same subscription's card. */
const cardCheckDays = 3
const batchSize = 20

interface Services {
  db: Database
  stripe: StripeAccess
  sendMail: SendBillingMail
}

const inDays = (now: Date, days: number) => new Date(now.getTime() + days * dayMs).toISOString()

/** Selects subscriptions that renew automatically. */
function selectRenewing(db: Database) {
  return db.query
    .selectFrom('stripe_subscriptions as b')
    .innerJoin('profiles as p', 'p.id', 'b.user_id')
    .select(['b.id', 'p.id as user_id', 'b.ends_at'])
    .where('b.status', '=', 'active')
    .where('b.cancels', '=', false)
    .where('b.let_go', '=', false)
    .where('b.event_is_simulated', '=', false)
    .where('p.is_demo', '=', false)
    .where('p.banned_at', 'is', null)
}

/**
 * Emails members whose yearly plan renews soon. Returns how many reminders were due. The amount, including discounts,
 * is read from Stripe.
 */
export async function sendRenewalReminders(services: Services, now: Date): Promise<number> {
  const { db, stripe, sendMail } = services
  if (!stripe.isSetUp()) return 0
  const due = await selectRenewing(db)
    .innerJoin('settings as s', (join) => join.on('s.renewal_reminder', '=', true))
    .where('b.tier', '=', 'yearly')
    .where('b.ends_at', '>', now.toISOString())
    .where('b.ends_at', '<=', inDays(now, renewalDays))
    .where('b.renewal_notice_for', 'is distinct from', sql.ref<string>('b.ends_at'))
    .orderBy('b.ends_at')
    .limit(batchSize)
    .execute()
  for (const { id, user_id, ends_at } of due) {
    const preview = await callStripeOrNull(services, id, (client) =>
      client.invoices.createPreview({ subscription: id }),
    )
    if (!preview || ends_at === null) continue
    const { amount_due: amount_cents, currency } = preview
    const notice = { user_id, kind: 'renewal', key: `${id}:${ends_at}` } as const
    await transaction(db, async (trx) => {
      await trx.query
        .updateTable('stripe_subscriptions')
        .set({ renewal_notice_for: ends_at })
        .where('id', '=', id)
        .execute()
      await sendNotice(trx, sendMail, notice, (to, site) =>
        renewalMail(to, site, { renews_at: ends_at, amount_cents, currency }),
      )
    })
  }
  return due.length
}

/** Emails members whose card expires soon. Returns how many cards were checked. */
export async function sendCardReminders(services: Services, now: Date): Promise<number> {
  const { db, stripe, sendMail } = services
  if (!stripe.isSetUp()) return 0
  const due = await selectRenewing(db)
    .where((is) =>
      is.or([
        is('b.card_checked_at', 'is', null),
        is('b.card_checked_at', '<', inDays(now, -cardCheckDays)),
      ]),
    )
    .orderBy('b.card_checked_at', (order) => order.asc().nullsFirst())
    .orderBy('b.id')
    .limit(batchSize)
    .execute()
  for (const { id, user_id } of due) {
    await db.query
      .updateTable('stripe_subscriptions')
      .set({ card_checked_at: now.toISOString() })
      .where('id', '=', id)
      .execute()
    const subscription = await callStripeOrNull(services, id, (client) =>
      client.subscriptions.retrieve(id, {
        expand: ['default_payment_method', 'customer.invoice_settings.default_payment_method'],
      }),
    )
    const card = subscription && findCard(subscription)
    if (!card || !expiresSoon(card, now)) continue
    const expires = `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`
    const key = `${user_id}:${card.fingerprint ?? card.last4}:${expires}`
    const notice = { user_id, kind: 'card_expires', key } as const
    await transaction(db, (trx) =>
      sendNotice(trx, sendMail, notice, (to, site) =>
        cardExpiresMail(to, site, { last4: card.last4, expires }),
      ),
    )
  }
  return due.length
}

/** Returns null if the request to Stripe fails. A later run retries. */
async function callStripeOrNull<T>(
  { db, stripe }: Services,
  subscription_id: string,
  request: (client: Stripe) => Promise<T>,
): Promise<T | null> {
  try {
    return await callStripe(stripe, request)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    db.log.warn({ err: error, subscription_id }, 'A reminder could not be prepared')
    return null
  }
}

/** Returns the card that pays for the subscription: its own card, or else the customer's default card. */
function findCard({ default_payment_method: own, customer }: Stripe.Subscription) {
  if (own !== null && typeof own !== 'string') return own.card ?? null
  if (typeof customer === 'string' || customer.deleted) return null
  const usual = customer.invoice_settings.default_payment_method
  return usual === null || typeof usual === 'string' ? null : (usual.card ?? null)
}

/** Whether the card expires soon. A card is valid until the end of its month. */
function expiresSoon(
  { exp_month, exp_year }: { exp_month: number; exp_year: number },
  now: Date,
): boolean {
  const leftMs = Date.UTC(exp_year, exp_month, 1) - now.getTime()
  return leftMs > 0 && leftMs <= cardDays * dayMs
}
