// A writer (see writer.ts) that acts as Stripe, which sends an event until it gets 200. An acknowledged payment must be
// in the ledger exactly once.
import { Stripe } from 'stripe'
import { invoiceEvent, subscriptionEvent } from '#server/testing/stripe/stripe-payloads.ts'
import type { WriterWorld, Member, Writer } from './writer.ts'

export const webhookSecret = 'whsec_of_the_faults'
const amountCents = 999

export function createPurchaseWriter(world: WriterWorld, buyers: readonly Member[]): Writer {
  const waiting: { invoice: string | null; buyer: Member; payload: string }[] = []
  const paid: string[] = []
  const active = new Set<Member>()
  let invoices = 0

  /** Adds the events of a payment to those to send. Before the first payment of a buyer comes the subscription. */
  function buy(): void {
    const buyer = world.chance.pick(buyers)
    const ids = { subscription: `sub_${buyer.id}`, customer: `cus_${buyer.id}`, userId: buyer.id }
    const created = Math.floor(Date.now() / 1000) - 60
    if (!active.has(buyer) && !waiting.some((one) => one.buyer === buyer)) {
      const event = subscriptionEvent('created', { ...ids, created })
      waiting.push({ invoice: null, buyer, payload: JSON.stringify(event) })
    }
    const invoice = `in_${++invoices}`
    const event = invoiceEvent('invoice.paid', { ...ids, created, invoice, amount: amountCents })
    waiting.push({ invoice, buyer, payload: JSON.stringify(event) })
  }

  return {
    name: 'purchases',
    everyMs: 200,
    async act() {
      if (waiting.length === 0) buy()
      const { invoice, buyer, payload } = waiting[0]!
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret })
      const outcome = await world.owner.write('POST', '/api/billing-webhook', {
        body: JSON.parse(payload),
        headers: { 'stripe-signature': signature },
        // A server whose clock is wrong rejects the signature. Stripe would send the event again.
        expects: ['webhook_invalid'],
      })
      if (outcome !== 'acknowledged') return
      waiting.shift()
      if (invoice) paid.push(invoice)
      else active.add(buyer)
    },
    async audit({ db }) {
      const payments = await db.query
        .selectFrom('payments')
        .select(['stripe_invoice_id', 'amount_cents', 'user_id'])
        .where('stripe_invoice_id', 'like', 'in_%')
        .execute()
      const ledger = payments.map(({ stripe_invoice_id }) => stripe_invoice_id)
      const open = waiting.map(({ invoice }) => invoice)
      const premium = await db.query
        .selectFrom('profiles')
        .select('id')
        .where('subscription_status', '=', 'active')
        .execute()
      const isPremium = new Set(premium.map(({ id }) => id))
      return [
        ...paid.filter((id) => !ledger.includes(id)).map((id) => `the payment ${id} is gone`),
        ...ledger
          .filter((id) => !paid.includes(id!) && !open.includes(id))
          .map((id) => `the payment ${id} was made up`),
        ...(new Set(ledger).size === ledger.length ? [] : ['a payment is there twice']),
        ...payments
          .filter(({ amount_cents, user_id }) => amount_cents !== amountCents || user_id === null)
          .map(({ stripe_invoice_id }) => `the payment ${stripe_invoice_id} is not what was paid`),
        ...[...active]
          .filter(({ id }) => !isPremium.has(id))
          .map(({ email }) => `${email} has paid and is not Premium`),
      ]
    },
    acknowledged: () => paid.length + active.size,
  }
}
