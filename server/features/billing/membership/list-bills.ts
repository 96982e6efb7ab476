// Lists a member's bills: invoices, which are read from Stripe, and receipts for manually recorded payments.
import type { Stripe } from 'stripe'
import type { Output } from '#contract/endpoint.ts'
import type { Bill } from '#contract/receipts.ts'
import type * as contract from '#contract/receipts.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import { callStripe, type StripeAccess } from '../stripe-client.ts'

const shownInvoices = 50
const shownReceipts = 200

export async function listBills(
  { stripe }: { stripe: StripeAccess },
  ctx: MemberContext,
): Promise<Output<typeof contract.listBills>> {
  const receipts = await ctx.db.query
    .selectFrom('receipts')
    .select(['number', 'amount_cents', 'currency', 'issued_at'])
    .where('user_id', '=', ctx.actor.user_id)
    .orderBy('number', 'desc')
    .limit(shownReceipts)
    .execute()
  const customer = await ctx.db.query
    .selectFrom('subscriptions')
    .select('stripe_customer_id as id')
    .where('user_id', '=', ctx.actor.user_id)
    .executeTakeFirst()
  const id = customer?.id
  const invoices =
    stripe.isSetUp() && id
      ? await callStripe(stripe, (client) =>
          client.invoices.list({ customer: id, limit: shownInvoices }),
        )
      : { data: [], has_more: false }
  const data: Bill[] = [
    ...invoices.data.filter(({ status }) => status !== 'draft').map(toBill),
    ...receipts.map(({ number, amount_cents, currency, issued_at }) => ({
      id: `receipt-${number}`,
      kind: 'receipt' as const,
      number: String(number),
      amount_cents,
      currency,
      is_paid: true,
      created_at: issued_at,
      url: null,
      pdf_url: null,
    })),
  ]
  return {
    data: data.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at)),
    has_more: invoices.has_more,
  }
}

function toBill(invoice: Stripe.Invoice): Bill {
  const { id, number, total, currency, status, created, hosted_invoice_url, invoice_pdf } = invoice
  return {
    id,
    kind: 'invoice',
    number: number ?? id,
    amount_cents: total,
    currency,
    is_paid: status !== 'open' && status !== 'uncollectible',
    created_at: new Date(created * 1000).toISOString(),
    url: hosted_invoice_url ?? null,
    pdf_url: invoice_pdf ?? null,
  }
}
