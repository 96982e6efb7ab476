// Creates Stripe's events in the format of its API of 2026, with only the fields that we use.
import { randomBytes } from 'node:crypto'
import type { Stripe } from 'stripe'
import type {
  EventData,
  FakeCharge,
  FakeDispute,
  FakeInvoice,
  FakeRefund,
  FakeSession,
  FakeSubscription,
  StripeEventType,
} from './stripe-shape.ts'

export const testPrices = { monthly: 'price_month', yearly: 'price_year' }

/** The settings with which an owner sells plans. */
export function sellingSettings(webhookSecret: string) {
  return {
    preview_length_seconds: 45,
    maintenance_mode: false,
    pricing_monthly_cents: 999,
    pricing_yearly_cents: 9999,
    stripe_price_monthly: testPrices.monthly,
    stripe_price_yearly: testPrices.yearly,
    stripe_webhook_secret: webhookSecret,
  }
}

interface EventOptions {
  id?: string
  /** Time of the event, Unix time in seconds. */
  created: number
}

export interface SubscriptionOptions extends EventOptions {
  subscription: string
  customer: string
  userId?: string
  status?: Stripe.Subscription.Status
  previousStatus?: Stripe.Subscription.Status
  price?: string
  interval?: Stripe.Price.Recurring.Interval
  periodStart?: number
  periodEnd?: number
  cancelAtPeriodEnd?: boolean
  paused?: boolean
  endedAt?: number
  trialEnd?: number
  canceledAt?: number
  feedback?: Stripe.Subscription.CancellationDetails.Feedback
  comment?: string
}

export function subscriptionEvent(
  step: 'created' | 'updated' | 'deleted',
  options: SubscriptionOptions,
) {
  const { price = testPrices.monthly, interval = 'month', created } = options
  const { periodStart = created, trialEnd, periodEnd = trialEnd ?? created + 30 * 86_400 } = options
  return event(`customer.subscription.${step}`, options, {
    object: {
      id: options.subscription,
      object: 'subscription',
      customer: options.customer,
      status: options.status ?? 'active',
      metadata: options.userId ? { user_id: options.userId } : {},
      start_date: periodStart,
      cancel_at: null,
      canceled_at: options.canceledAt ?? (options.cancelAtPeriodEnd ? created : null),
      cancellation_details: {
        reason: options.cancelAtPeriodEnd ? 'cancellation_requested' : null,
        feedback: options.feedback ?? null,
        comment: options.comment ?? null,
      },
      discounts: [],
      cancel_at_period_end: options.cancelAtPeriodEnd ?? false,
      ended_at: options.endedAt ?? null,
      trial_start: options.trialEnd ? periodStart : null,
      trial_end: options.trialEnd ?? null,
      pause_collection: options.paused ? { behavior: 'void', resumes_at: null } : null,
      items: {
        object: 'list',
        data: [
          {
            id: 'si_1',
            price: { id: price, object: 'price', recurring: { interval } },
            current_period_start: periodStart,
            current_period_end: periodEnd,
          },
        ],
      },
    } satisfies FakeSubscription,
    ...(options.previousStatus && { previous_attributes: { status: options.previousStatus } }),
  })
}

export function checkoutEvent(
  options: EventOptions & {
    subscription: string
    customer: string
    userId: string
    session?: string
    plan?: 'monthly' | 'yearly'
    paid?: boolean
  },
) {
  return event('checkout.session.completed', options, {
    object: {
      id: options.session ?? 'cs_test_1',
      object: 'checkout.session',
      mode: 'subscription',
      subscription: options.subscription,
      customer: options.customer,
      client_reference_id: options.userId,
      payment_status: options.paid === false ? 'unpaid' : 'paid',
      metadata: { user_id: options.userId, plan: options.plan ?? 'monthly' },
    } satisfies FakeSession,
  })
}

/** The event for the payment of a gift. */
export function giftEvent(
  options: EventOptions & {
    gift: string
    intent: string
    amount: number
    currency?: string
    paid?: boolean
    type?: 'checkout.session.completed' | 'checkout.session.async_payment_succeeded'
  },
) {
  return event(options.type ?? 'checkout.session.completed', options, {
    object: {
      id: `cs_of_${options.intent}`,
      object: 'checkout.session',
      mode: 'payment',
      subscription: null,
      customer: null,
      payment_intent: options.intent,
      payment_status: options.paid === false ? 'unpaid' : 'paid',
      amount_total: options.amount,
      currency: options.currency ?? 'usd',
      metadata: { gift_id: options.gift },
    } satisfies FakeSession,
  })
}

export function invoiceEvent(
  type: 'invoice.paid' | 'invoice.payment_failed',
  options: EventOptions & {
    subscription: string
    customer: string
    invoice: string
    userId?: string
    amount?: number
    currency?: string
    /** Why the invoice was created: purchase, renewal or change of the plan. */
    reason?: 'subscription_create' | 'subscription_cycle' | 'subscription_update'
    payUrl?: string
    nextAttemptAt?: number
    price?: string
    periodStart?: number
    periodEnd?: number
  },
) {
  const { created, amount = 999 } = options
  const { periodStart = created, periodEnd = created + 30 * 86_400 } = options
  const isPaid = type === 'invoice.paid'
  return event(type, options, {
    object: {
      id: options.invoice,
      object: 'invoice',
      customer: options.customer,
      currency: options.currency ?? 'usd',
      amount_due: amount,
      amount_paid: isPaid ? amount : 0,
      billing_reason: options.reason ?? 'subscription_cycle',
      hosted_invoice_url: options.payUrl ?? null,
      next_payment_attempt: options.nextAttemptAt ?? null,
      parent: {
        type: 'subscription_details',
        subscription_details: {
          subscription: options.subscription,
          metadata: options.userId ? { user_id: options.userId } : {},
        },
      },
      status_transitions: { paid_at: isPaid ? created : null },
      lines: {
        object: 'list',
        data: [
          {
            period: { start: periodStart, end: periodEnd },
            pricing: { price_details: { price: options.price ?? testPrices.monthly } },
          },
        ],
      },
    } satisfies FakeInvoice,
  })
}

interface ChargeOptions extends EventOptions {
  charge: string
  customer: string | null
  intent?: string
  /** The total of all refunds of the charge. */
  refunded: number
  amount?: number
  currency?: string
  invoice?: string
  chargedAt?: number
}

/** Creates a charge. As in newer versions of the API, it has no invoice unless one is given. */
export function chargeObject(options: ChargeOptions) {
  const charge = {
    id: options.charge,
    object: 'charge' as const,
    customer: options.customer,
    currency: options.currency ?? 'usd',
    amount: options.amount ?? 999,
    amount_refunded: options.refunded,
    created: options.chargedAt ?? options.created,
    payment_intent: options.intent ?? null,
  } satisfies FakeCharge
  // Charges of older API versions contain the invoice.
  return { ...charge, ...(options.invoice && { invoice: options.invoice }) }
}

export function refundedChargeEvent(options: ChargeOptions) {
  return event('charge.refunded', options, { object: chargeObject(options) })
}

/** An event about a dispute: the customer's bank opens an inquiry, takes the money, or returns it. */
export function disputeEvent(
  step: 'created' | 'updated' | 'closed' | 'funds_withdrawn' | 'funds_reinstated',
  options: EventOptions & {
    dispute: string
    charge: string | object
    amount: number
    status: string
  },
) {
  return event(`charge.dispute.${step}`, options, {
    object: {
      id: options.dispute,
      object: 'dispute',
      charge: options.charge,
      currency: 'usd',
      amount: options.amount,
      status: options.status,
    } satisfies FakeDispute,
  })
}

/** An event about a single refund. */
export function refundEvent(
  step: 'created' | 'updated' | 'failed',
  options: EventOptions & { refund: string; charge: string; amount: number; status?: string },
) {
  return event(`refund.${step}`, options, {
    object: {
      id: options.refund,
      object: 'refund',
      charge: options.charge,
      currency: 'usd',
      amount: options.amount,
      status: options.status ?? (step === 'failed' ? 'failed' : 'succeeded'),
    } satisfies FakeRefund,
  })
}

function event<Type extends StripeEventType, Data extends EventData<Type>>(
  type: Type,
  { id, created }: EventOptions,
  data: Data,
) {
  return {
    id: id ?? `evt_${randomBytes(8).toString('hex')}`,
    object: 'event' as const,
    api_version: '2026-10-28.endive',
    created,
    livemode: false,
    type,
    data,
  }
}
