// Simulates the subscriptions in Stripe over simulated time, and the events that report their changes. Uses the
// objects of the fake API, so that the server's requests have an effect here, and also keeps its own records.
import type { Stripe } from 'stripe'
import type { FakeStripe } from './fake-stripe.ts'
import type { FakeCoupon, FakeInvoice, FakeSubscription } from './stripe-shape.ts'
import {
  findAppliedCoupon,
  applyDiscount,
  readGift,
  readOffer,
  countReducedPayments,
  plans,
  readTrialDays,
  type Offer,
} from './checkout-offer.ts'
import {
  checkoutEvent,
  giftEvent,
  invoiceEvent,
  refundedChargeEvent,
  subscriptionEvent,
  type SubscriptionOptions,
} from './stripe-payloads.ts'

interface Charge {
  id: string
  intent: string
  invoice: string | null
  amount: number
  currency: string
  refunded: number
  at: number
}

/** The state of a simulated subscription, from which its API object is created. */
interface Contract {
  id: string
  offer: Offer
  status: Stripe.Subscription.Status
  start: number
  end: number
  trialEnd: number | null
  /** The unpaid invoice of a renewal. */
  open: { invoice: string; amount: number } | null
  /** For each discount, the number of payments that it has reduced. */
  reduced: Map<string, number>
  lastEvent: string
}

export interface StripeBooks {
  /** Returns the events that were not taken yet. */
  take: () => object[]
  /**
   * Pays a page that the server created for this member, by default the newest one. Returns the days of its trial.
   */
  pay: (page?: { session?: string; coupon?: FakeCoupon | null }) => number
  /** Pays the page of a gift, by default the newest one. */
  payGift: (session?: string) => void
  /**
   * Moves to the end of the current period: ends a trial, renews, or ends a canceled subscription. `isPaid` is false
   * if the card is refused.
   */
  passPeriod: (isPaid?: boolean) => void
  /** Charges the card for the unpaid invoice. */
  recover: () => void
  /** Ends the subscription, as Stripe does when the card was refused too often. */
  giveUp: () => void
  upgrade: () => void
  /** Reports changes that the server has requested: cancellations, pauses, refunds. */
  noticeRequests: () => void
  /** Returns the end of the current period or trial. */
  periodEnd: () => number
  /** Returns the member's payments for subscriptions, minus refunds. */
  paidCents: () => number
  /** Whether the member has Premium now, according to the simulated Stripe. */
  isRunning: (graceDays: number) => boolean
  /** Whether Stripe may still charge the member. */
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

  /** Writes the state to the API object, and queues an event about it. */
  function report(
    contract: Contract,
    step: 'created' | 'updated' | 'deleted',
    previousStatus?: Stripe.Subscription.Status,
  ): void {
    const object = objectOf(contract)
    const { offer, status, start, end, trialEnd } = contract
    const event = subscriptionEvent(step, {
      ...idsOf(contract),
      created: seconds(),
      status,
      price: offer.price,
      interval: offer.interval,
      periodStart: start,
      periodEnd: end,
      ...readOptions(object),
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
    contract.lastEvent = readFingerprint(event.data.object)
    pending.push(event)
  }

  function charge(contract: Contract, amount: number, invoice: string): void {
    const intent = next('pi')
    const { currency } = contract.offer
    charges.push({ id: next('ch'), intent, invoice, amount, currency, refunded: 0, at: seconds() })
    stripe.paidInvoices.set(invoice, intent)
    stripe.invoices.set(contract.id, [...(stripe.invoices.get(contract.id) ?? []), intent])
  }
  function bill(
    contract: Contract,
    amount: number,
    { reason = 'subscription_cycle', invoice = next('in') }: { reason?: Reason; invoice?: string },
  ): void {
    if (amount > 0) charge(contract, amount, invoice)
    const listed = {
      id: invoice,
      object: 'invoice',
      number: invoice.toUpperCase(),
      status: 'paid',
      total: amount,
      currency: contract.offer.currency,
      created: seconds(),
    } satisfies FakeInvoice
    stripe.bills.set(customer, [listed, ...(stripe.bills.get(customer) ?? [])])
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
      currency: contract.offer.currency,
      reason,
      price: contract.offer.price,
      periodStart: contract.start,
      periodEnd: contract.end,
      ...(type === 'invoice.payment_failed' && { nextAttemptAt: seconds() + 3 * daySeconds }),
    })
  }

  /** Returns the amount of the next payment. Removes discounts that it uses up. */
  function reduce(contract: Contract): number {
    const object = objectOf(contract)
    let amount: number = contract.offer.cents
    object.discounts = (object.discounts ?? []).filter((one) => {
      const id = typeof one === 'string' ? one : (one.id ?? '')
      const coupon = stripe.promotions.coupons.get(id.slice('di_'.length))
      if (!coupon) return false
      amount = applyDiscount(amount, coupon)
      const times = (contract.reduced.get(id) ?? 0) + 1
      contract.reduced.set(id, times)
      return times < countReducedPayments(coupon, contract.offer.interval)
    })
    return amount
  }

  function renew(contract: Contract, isPaid: boolean): void {
    const before = contract.status
    const object = objectOf(contract)
    contract.start = contract.end
    contract.end = afterPeriod(contract.start, contract.offer.interval)
    if (object.pause_collection) return report(contract, 'updated')
    const amount = reduce(contract)
    if (isPaid) {
      contract.status = 'active'
      bill(contract, amount, {})
    } else {
      contract.status = 'past_due'
      const invoice = next('in')
      contract.open = { invoice, amount }
      stripe.paymentErrors.set(invoice, {
        code: 'card_declined',
        decline_code: 'insufficient_funds',
      })
      const failed = { amount, reason: 'subscription_cycle', invoice } as const
      pending.push(invoiceOf('invoice.payment_failed', contract, failed))
    }
    report(contract, 'updated', before)
  }

  return {
    take: () => pending.splice(0),
    pay({ session: id, coupon: typed = null } = {}) {
      const open = [...stripe.sessions.values()].filter(({ status }) => status === 'open')
      const session = id === undefined ? open.at(-1) : open.find((one) => one.id === id)
      const form = stripe.sessionForms.get(session?.id ?? '') ?? {}
      if (!session || form.client_reference_id !== member.id) throw new Error('no page is open')
      const offer = readOffer(stripe, form)
      const trialDays = readTrialDays(form)
      const start = seconds()
      const trialEnd = trialDays > 0 ? start + trialDays * daySeconds : null
      const contract: Contract = {
        id: next('sub'),
        offer,
        status: trialEnd === null ? 'active' : 'trialing',
        start,
        end: trialEnd ?? afterPeriod(start, offer.interval),
        trialEnd,
        open: null,
        reduced: new Map(),
        lastEvent: '',
      }
      contracts.push(contract)
      const coupon = typed ?? findAppliedCoupon(stripe, form)
      if (coupon) {
        stripe.subscriptions.set(contract.id, { discounts: [`di_${coupon.id}`] })
        const code = stripe.promotions.codes.find(({ promotion }) => promotion.coupon === coupon)
        if (code) code.times_redeemed += 1
      }
      Object.assign(session, { status: 'complete', url: null, subscription: contract.id })
      const plan = offer.interval === 'year' ? 'yearly' : 'monthly'
      pending.push(checkoutEvent({ ...idsOf(contract), session: session.id, created: start, plan }))
      const amount = trialEnd === null ? reduce(contract) : 0
      report(contract, 'created')
      bill(contract, amount, { reason: 'subscription_create' })
      return trialDays
    },
    payGift(session = [...stripe.sessions.keys()].at(-1)) {
      const gift = readGift(stripe.sessionForms.get(session ?? '') ?? {})
      if (!gift) throw new Error('no gift is being bought')
      Object.assign(stripe.sessions.get(session ?? '') ?? {}, { status: 'complete', url: null })
      const { id, cents: amount, currency } = gift
      const intent = next('pi_gift')
      pending.push(giftEvent({ gift: id, amount, currency, intent, created: seconds() }))
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
      bill(contract, contract.open.amount, { invoice: contract.open.invoice })
      contract.open = null
      contract.status = 'active'
      report(contract, 'updated', 'past_due')
    },
    giveUp() {
      const contract = current()
      const before = contract.status
      contract.status = 'canceled'
      report(contract, 'deleted', before)
    },
    upgrade() {
      const contract = current()
      const [from, until] = [contract.start, contract.end]
      const unused = Math.round((plans.monthly.cents * (until - seconds())) / (until - from))
      contract.offer = plans.yearly
      contract.start = seconds()
      contract.end = afterPeriod(contract.start, 'year')
      bill(contract, plans.yearly.cents - unused, { reason: 'subscription_update' })
      report(contract, 'updated')
    },
    noticeRequests() {
      for (const contract of contracts) {
        const object = objectOf(contract)
        if (readFingerprint(object) === contract.lastEvent) continue
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
            currency: paid.currency,
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

/** Reads the fields that the server's requests may have changed. */
function readOptions(object: FakeSubscription): Partial<SubscriptionOptions> {
  return {
    ...(object.cancel_at_period_end && { cancelAtPeriodEnd: true }),
    ...(object.pause_collection && { paused: true }),
    ...(object.canceled_at && { canceledAt: object.canceled_at }),
    ...(object.cancellation_details?.feedback && {
      feedback: object.cancellation_details.feedback,
    }),
  }
}

/**
 * Returns a text that changes when a request changes the subscription. Excludes times, which both requests and events
 * set.
 */
function readFingerprint(object: FakeSubscription): string {
  const { status, cancel_at_period_end, pause_collection, discounts } = object
  return JSON.stringify([
    status,
    cancel_at_period_end ?? false,
    !!pause_collection,
    discounts ?? [],
  ])
}

function afterPeriod(start: number, interval: Offer['interval']): number {
  const end = new Date(start * 1000)
  const day = end.getUTCDate()
  if (interval === 'year') end.setUTCFullYear(end.getUTCFullYear() + 1)
  else end.setUTCMonth(end.getUTCMonth() + 1)
  if (end.getUTCDate() !== day) end.setUTCDate(0)
  return Math.floor(end.getTime() / 1000)
}
