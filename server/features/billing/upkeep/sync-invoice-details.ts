// Stores the owner's invoice details on the Stripe customers of running subscriptions, so that the next invoices show
// them.
import { createHash } from 'node:crypto'
import type { Database } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import { callStripe, readPermanentError, type StripeAccess } from '../stripe-client.ts'
import { runningStatuses } from '../subscription-query.ts'
import { hasInvoiceDetails, toInvoiceSettings, readInvoiceDetails } from '../tax/invoice-details.ts'

const batchSize = 20

/**
 * Updates the customers whose details are out of date. Returns how many were updated. A customer that Stripe rejects is
 * not retried with the same details.
 */
export async function syncInvoiceDetails(services: {
  db: Database
  stripe: StripeAccess
}): Promise<number> {
  const { db, stripe } = services
  if (!stripe.isSetUp()) return 0
  const details = await readInvoiceDetails(db)
  const wanted = hasInvoiceDetails(details)
    ? createHash('sha256').update(JSON.stringify(details)).digest('hex')
    : null
  const due = await db.query
    .selectFrom('subscriptions as s')
    .select(['s.user_id', 's.stripe_customer_id'])
    .where('s.stripe_customer_id', 'is not', null)
    .where('s.invoice_details_hash', 'is distinct from', wanted)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('stripe_subscriptions as b')
          .select('b.id')
          .whereRef('b.user_id', '=', 's.user_id')
          .where('b.status', 'in', runningStatuses)
          .where('b.event_is_simulated', '=', false),
      ),
    )
    .orderBy('s.user_id')
    .limit(batchSize)
    .execute()
  let updated = 0
  for (const { user_id, stripe_customer_id: customer } of due) {
    try {
      await callStripe(stripe, (client) =>
        client.customers.update(customer ?? '', { invoice_settings: toInvoiceSettings(details) }),
      )
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      db.log.warn({ err: error, user_id }, 'The invoice details could not be sent to Stripe')
      // Stripe may be unavailable. The next run continues here.
      if (readPermanentError(error.cause) === null) return updated
    }
    await db.query
      .updateTable('subscriptions')
      .set({ invoice_details_hash: wanted })
      .where('user_id', '=', user_id)
      .execute()
    updated += 1
  }
  return updated
}
