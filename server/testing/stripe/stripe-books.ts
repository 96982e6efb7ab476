// The other side of a subscription's life: what happens at Stripe, in simulated time, with the events that report it.
// It shares the objects of the fake API, so that requests of the server show up here, and keeps books of its own.
import type { Stripe } from 'stripe'
import type { FakeStripe } from './fake-stripe.ts'
import type { FakeSubscription } from './stripe-shape.ts'
import {
  checkoutEvent,
  giftEvent,
  invoiceEvent,
  refundedChargeEvent,
  subscriptionEvent,
  testPrices,
  type SubscriptionOptions,
} from './stripe-payloads.ts'

export const plans = {
  monthly: { price: testPrices.monthly, interval: 'month', cents: 999 },
  yearly: { price: testPrices.yearly, interval: 'year', cents: 9999 },
} as const
type Plan = keyof typeof plans

interface Charge {
  id: string
  intent: string
  invoice: string | null
  amount: number
  refunded: number
  at: number
}

/** What is known of a subscription; its object at the API is made from it. */
interface Contract {
  id: string
  plan: Plan
  status: Stripe.Subscription.Status
  start: number
  end: number
  trialEnd: number | null
  /** The invoice of a renewal that is not paid yet. */
  open: string | null
  lastEvent: string
}

export interface StripeBooks {
  /** Events that were not delivered yet. */
  take: () => object[]
  /** Pays the newest page that the server opened for this member. */
  pay: (trialDays?: number) => void
  payGift: () => void
  /** Ends a trial, renews, or ends what was canceled, as due now. `isPaid`: false if the card is refused. */
  passPeriod: (isPaid?: boolean) => void
  /** The card is charged for the open invoice. */
  recover: () => void
  upgrade: () => void
  /** Reports what the server changed by requests: cancellations, pauses, refunds. */
  noticeRequests: () => void
  /** When the current period ends, or the trial. */
  periodEnd: () => number
  /** What the member has paid for subscriptions, without what was paid back. */
  paidCents: () => number
  /** Whether Stripe says that they have Premium now. */
  isRunning: (graceDays: number) => boolean
  /** Whether Stripe may still take money. */
  isBilled: () => boolean
}

const daySeconds = 86_400

export function createStripeBooks(
  stripe: FakeStripe,
  member: { id: string; name: string },
  now: () => Date,
): StripeBooks {
  const pending: object[] = []
  const charges: Charge[] = []
  const contracts: Contract[] = []
  const customer = `cus_${member.name}`
  const seen = { refunds: stripe.refunds.made.length }
  let number = 0
  const next = (kind: string) => `${kind}_${member.name}_${++number}`
  const seconds = () => Math.floor(now().getTime() / 1000)
  const idsOf = ({ id }: Contract) => ({ subscription: id, customer, userId: member.id })

  function current(): Contract {
    const last = contracts.at(-1)
    if (!last) throw new Error('nothing was bought')
    return last
  }
  function objectOf({ id }: Contract): FakeSubscription {
    return stripe.subscriptions.get(id) ?? {}
  }

  /** Writes the state into the object of the API, and queues the event. */
  function report(
    contract: Contract,
    step: 'created' | 'updated' | 'deleted',
    previousStatus?: Stripe.Subscription.Status,
  ): void {
    const object = objectOf(contract)
    const { plan, status, start, end, trialEnd } = contract
    const event = subscriptionEvent(step, {
      ...idsOf(contract),
      created: seconds(),
      status,
      price: plans[plan].price,
      interval: plans[plan].interval,
      periodStart: start,
      periodEnd: end,
      ...optionsOf(object),
      ...(trialEnd !== null && { trialEnd }),
      ...(previousStatus && { previousStatus }),
      ...(status === 'canceled' && { endedAt: seconds() }),
    })
    Object.assign(event.data.object, {
      start_date: object.start_date ?? start,
      discounts: object.discounts ?? [],
      default_payment_method: {
        object: 'payment_method',
        card: { fingerprint: `card_${member.name}`, last4: '4242', exp_month: 12, exp_year: 2099 },
      },
    })
    stripe.subscriptions.set(contract.id, { ...event.data.object })
    contract.lastEvent = fingerprintOf(event.data.object)
    pending.push(event)
  }

  function charge(contract: Contract, amount: number, invoice: string): void {
    const intent = next('pi')
    charges.push({ id: next('ch'), intent, invoice, amount, refunded: 0, at: seconds() })
    stripe.paidInvoices.set(invoice, intent)
    stripe.invoices.set(contract.id, [...(stripe.invoices.get(contract.id) ?? []), intent])
  }
  function bill(
    contract: Contract,
    amount: number,
    { reason = 'subscription_cycle', invoice = next('in') }: { reason?: Reason; invoice?: string },
  ): void {
    if (amount > 0) charge(contract, amount, invoice)
    pending.push(invoiceOf('invoice.paid', contract, { amount, reason, invoice }))
  }
  function invoiceOf(
    type: 'invoice.paid' | 'invoice.payment_failed',
    contract: Contract,
    { amount, reason, invoice }: { amount: number; reason: Reason; invoice: string },
  ) {
    return invoiceEvent(type, {
      ...idsOf(contract),
      created: seconds(),
      invoice,
      amount,
      reason,
      price: plans[contract.plan].price,
      periodStart: contract.start,
      periodEnd: contract.end,
      ...(type === 'invoice.payment_failed' && { nextTry: seconds() + 3 * daySeconds }),
    })
  }

  function renew(contract: Contract, isPaid: boolean): void {
    const before = contract.status
    const object = objectOf(contract)
    contract.start = contract.end
    contract.end = afterPeriod(contract.start, contract.plan)
    if (object.pause_collection) return report(contract, 'updated')
    if (isPaid) {
      contract.status = 'active'
      bill(contract, takeDiscount(object, plans[contract.plan].cents), {})
    } else {
      contract.status = 'past_due'
      contract.open = next('in')
      stripe.paymentErrors.set(contract.open, {
        code: 'card_declined',
        decline_code: 'insufficient_funds',
      })
      const failed = { amount: plans[contract.plan].cents, reason: 'subscription_cycle' } as const
      pending.push(
        invoiceOf('invoice.payment_failed', contract, { ...failed, invoice: contract.open }),
      )
    }
    report(contract, 'updated', before)
  }

  return {
    take: () => pending.splice(0),
    pay(trialDays = 0) {
      const session = [...stripe.sessions.values()].findLast(({ status }) => status === 'open')
      const form = stripe.calls.findLast(({ path }) => path === '/v1/checkout/sessions')?.form ?? {}
      if (!session || form.client_reference_id !== member.id) throw new Error('no page is open')
      const plan = form['metadata[plan]'] === 'yearly' ? 'yearly' : 'monthly'
      const start = seconds()
      const trialEnd = trialDays > 0 ? start + trialDays * daySeconds : null
      const contract: Contract = {
        id: next('sub'),
        plan,
        status: trialEnd === null ? 'active' : 'trialing',
        start,
        end: trialEnd ?? afterPeriod(start, plan),
        trialEnd,
        open: null,
        lastEvent: '',
      }
      contracts.push(contract)
      Object.assign(session, { status: 'complete', url: null, subscription: contract.id })
      pending.push(checkoutEvent({ ...idsOf(contract), created: start, plan }))
      report(contract, 'created')
      const amount = trialEnd === null ? plans[plan].cents : 0
      bill(contract, amount, { reason: 'subscription_create' })
    },
    payGift() {
      const form = stripe.calls.findLast(({ path }) => path === '/v1/checkout/sessions')?.form ?? {}
      const gift = form['metadata[gift_id]'] ?? ''
      const amount = Number(form['line_items[0][price_data][unit_amount]'])
      pending.push(giftEvent({ gift, amount, intent: next('pi_gift'), created: seconds() }))
    },
    passPeriod(isPaid = true) {
      const contract = current()
      const object = objectOf(contract)
      if (contract.status === 'canceled') return
      if (object.cancel_at_period_end) {
        contract.status = 'canceled'
        return report(contract, 'deleted')
      }
      renew(contract, isPaid)
    },
    recover() {
      const contract = current()
      if (contract.open === null) throw new Error('nothing is open')
      const amount = plans[contract.plan].cents
      bill(contract, amount, { invoice: contract.open })
      contract.open = null
      contract.status = 'active'
      report(contract, 'updated', 'past_due')
    },
    upgrade() {
      const contract = current()
      const [from, until] = [contract.start, contract.end]
      const unused = Math.round((plans.monthly.cents * (until - seconds())) / (until - from))
      contract.plan = 'yearly'
      contract.start = seconds()
      contract.end = afterPeriod(contract.start, 'yearly')
      bill(contract, plans.yearly.cents - unused, { reason: 'subscription_update' })
      report(contract, 'updated')
    },
    noticeRequests() {
      for (const contract of contracts) {
        const object = objectOf(contract)
        if (fingerprintOf(object) === contract.lastEvent) continue
        const isEnded = object.status === 'canceled' && contract.status !== 'canceled'
        if (isEnded) contract.status = 'canceled'
        report(contract, isEnded ? 'deleted' : 'updated')
      }
      for (const refund of stripe.refunds.made.slice(seen.refunds)) {
        const paid = charges.find(({ intent }) => intent === refund.payment_intent)
        if (!paid) continue
        paid.refunded += refund.amount ?? paid.amount - paid.refunded
        pending.push(
          refundedChargeEvent({
            charge: paid.id,
            customer,
            intent: paid.intent,
            refunded: paid.refunded,
            amount: paid.amount,
            created: seconds(),
            chargedAt: paid.at,
          }),
        )
      }
      seen.refunds = stripe.refunds.made.length
    },
    periodEnd: () => current().end,
    paidCents: () => charges.reduce((sum, { amount, refunded }) => sum + amount - refunded, 0),
    isRunning: (graceDays) =>
      contracts.some((contract) => {
        if (objectOf(contract).pause_collection) return false
        if (contract.status === 'past_due') {
          return seconds() < contract.start + graceDays * daySeconds
        }
        return contract.status === 'active' || contract.status === 'trialing'
      }),
    isBilled: () => contracts.some(({ status }) => status !== 'canceled'),
  }
}

type Reason = 'subscription_create' | 'subscription_cycle' | 'subscription_update'

/** What requests may have changed. */
function optionsOf(object: FakeSubscription): Partial<SubscriptionOptions> {
  return {
    ...(object.cancel_at_period_end && { cancelAtPeriodEnd: true }),
    ...(object.pause_collection && { paused: true }),
    ...(object.canceled_at && { canceledAt: object.canceled_at }),
    ...(object.cancellation_details?.feedback && {
      feedback: object.cancellation_details.feedback,
    }),
  }
}

/** Without the times, which requests and events set by themselves. */
function fingerprintOf(object: FakeSubscription): string {
  const { status, cancel_at_period_end, pause_collection, discounts } = object
  return JSON.stringify([
    status,
    cancel_at_period_end ?? false,
    !!pause_collection,
    discounts ?? [],
  ])
}

/** A discount of one payment is used by it. */
function takeDiscount(object: FakeSubscription, cents: number): number {
  if ((object.discounts ?? []).length === 0) return cents
  object.discounts = []
  return Math.round(cents / 2)
}

function afterPeriod(start: number, plan: Plan): number {
  const end = new Date(start * 1000)
  const day = end.getUTCDate()
  if (plan === 'yearly') end.setUTCFullYear(end.getUTCFullYear() + 1)
  else end.setUTCMonth(end.getUTCMonth() + 1)
  if (end.getUTCDate() !== day) end.setUTCDate(0)
  return Math.floor(end.getTime() / 1000)
}
