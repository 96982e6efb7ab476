// Reads the fields we need from Stripe's events. The owner's account determines the API version, so fields that moved
// between versions are also read from their old places.
import * as z from 'zod/mini'
import { paidPlans } from '#contract/billing.ts'
import { readRefunds, type RefundFact } from './stripe-refund-event.ts'
import {
  currency,
  cents,
  envelope,
  toId,
  maybe,
  toTimestampOrNull,
  toTimestamp,
  parseShape,
  reference,
  seconds,
  text,
  type Envelope,
} from './stripe-shapes.ts'
import { runningStatuses } from './subscription-query.ts'

interface About {
  subscription_id: string
  customer_id: string | null
  /** The user id that our checkout stored in the purchase's metadata. */
  claimed_user_id: string | null
}

export interface CheckoutFact extends About {
  kind: 'checkout'
  plan: 'monthly' | 'yearly' | null
  is_paid: boolean
}

export interface SubscriptionFact extends About {
  kind: 'subscription'
  step: 'created' | 'updated' | 'deleted'
  status: string
  /** The status before this event. Null if the event did not change the status. */
  previous_status: string | null
  price: Price
  started_at: string | null
  period_start: string | null
  period_end: string | null
  /** The scheduled end of a canceled subscription. Null if the subscription renews. */
  cancel_at: string | null
  ended_at: string | null
  trial_ends_at: string | null
  cancel_asked_at: string | null
  cancel_reason: string | null
  cancel_feedback: string | null
  cancel_comment: string | null
}

export interface InvoiceFact extends About {
  kind: 'invoice'
  is_paid: boolean
  /** Whether this is the first invoice of a purchase, not of a renewal or of the end of a trial. */
  is_first: boolean
  invoice_id: string
  due_cents: number
  /** The URL of the invoice at Stripe. */
  pay_url: string | null
  next_try_at: string | null
  amount_cents: number
  currency: string
  price: Price
  period_start: string | null
  period_end: string | null
  paid_at: string | null
}

/** A payment made on a gift's payment page. */
export interface GiftFact {
  gift_id: string
  payment_intent: string | null
  customer_id: string | null
  amount_cents: number
  currency: string
  is_paid: boolean
}

export interface Price {
  id: string | null
  interval: string | null
}

export type BillingFact = CheckoutFact | SubscriptionFact | InvoiceFact

export interface BillingEvent {
  id: string
  type: string
  occurred_at: string
  /** Null if the event is not about a subscription. */
  fact: BillingFact | null
  gift: GiftFact | null
  /** Refunds and disputes in the event. Empty if there are none. */
  refunds: RefundFact[]
}

const metadata = maybe(z.record(z.string(), z.unknown()))
const price = maybe(
  z.object({ id: text, recurring: maybe(z.object({ interval: maybe(z.string()) })) }),
)

const checkoutSession = z.object({
  mode: z.string(),
  subscription: reference,
  customer: reference,
  client_reference_id: maybe(z.string()),
  payment_status: maybe(z.string()),
  payment_intent: reference,
  amount_total: maybe(cents),
  currency: maybe(currency),
  metadata,
})

const periods = { current_period_start: maybe(seconds), current_period_end: maybe(seconds) }
const subscription = z.object({
  id: text,
  customer: reference,
  status: text,
  metadata,
  start_date: maybe(seconds),
  cancel_at: maybe(seconds),
  cancel_at_period_end: maybe(z.boolean()),
  canceled_at: maybe(seconds),
  cancellation_details: maybe(
    z.object({
      reason: maybe(z.string()),
      feedback: maybe(z.string()),
      comment: maybe(z.string()),
    }),
  ),
  ended_at: maybe(seconds),
  trial_end: maybe(seconds),
  pause_collection: maybe(z.record(z.string(), z.unknown())),
  ...periods,
  items: z.object({ data: z.array(z.object({ price, ...periods })) }),
})

const invoice = z.object({
  id: text,
  customer: reference,
  currency,
  amount_paid: cents,
  amount_due: maybe(cents),
  billing_reason: maybe(z.string()),
  hosted_invoice_url: maybe(z.string()),
  next_payment_attempt: maybe(seconds),
  subscription: reference,
  subscription_details: maybe(z.object({ metadata })),
  parent: maybe(
    z.object({
      subscription_details: maybe(z.object({ subscription: reference, metadata })),
    }),
  ),
  status_transitions: maybe(z.object({ paid_at: maybe(seconds) })),
  lines: z.object({
    data: z.array(
      z.object({
        period: maybe(z.object({ start: seconds, end: seconds })),
        price,
        pricing: maybe(z.object({ price_details: maybe(z.object({ price: reference })) })),
      }),
    ),
  }),
})

/** Throws `webhook_invalid` if the payload is not an event or does not match the schema for its type. */
export function readBillingEvent(payload: unknown): BillingEvent {
  const event = parseShape(envelope, payload)
  return {
    id: event.id,
    type: event.type,
    occurred_at: toTimestamp(event.created),
    fact: readFact(event),
    gift: readGift(event),
    refunds: readRefunds(event),
  }
}

function readFact(event: Envelope): BillingFact | null {
  switch (event.type) {
    case 'checkout.session.completed':
      return readCheckout(event)
    case 'customer.subscription.created':
      return readSubscription(event, 'created')
    case 'customer.subscription.updated':
      return readSubscription(event, 'updated')
    case 'customer.subscription.deleted':
      return readSubscription(event, 'deleted')
    case 'invoice.paid':
      return readInvoice(event, true)
    case 'invoice.payment_failed':
      return readInvoice(event, false)
    default:
      return null
  }
}

function readCheckout(event: Envelope): CheckoutFact | null {
  const session = parseShape(checkoutSession, event.data.object)
  const subscription_id = toId(session.subscription)
  if (session.mode !== 'subscription' || subscription_id === null) return null
  return {
    kind: 'checkout',
    subscription_id,
    customer_id: toId(session.customer),
    claimed_user_id: readClaim(session.metadata) ?? toUuid(session.client_reference_id),
    plan: paidPlans.find((plan) => plan === session.metadata?.plan) ?? null,
    is_paid: session.payment_status === 'paid' || session.payment_status === 'no_payment_required',
  }
}

function readGift(event: Envelope): GiftFact | null {
  const isSession = [
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
  ].includes(event.type)
  if (!isSession) return null
  const session = parseShape(checkoutSession, event.data.object)
  const gift_id = toUuid(session.metadata?.gift_id)
  if (session.mode !== 'payment' || gift_id === null || !session.currency) return null
  return {
    gift_id,
    payment_intent: toId(session.payment_intent),
    customer_id: toId(session.customer),
    amount_cents: session.amount_total ?? 0,
    currency: session.currency,
    is_paid: session.payment_status === 'paid',
  }
}

function readSubscription(event: Envelope, step: SubscriptionFact['step']): SubscriptionFact {
  const previous_status = event.data.previous_attributes?.status ?? null
  return { ...readSubscriptionObject(event.data.object, step), previous_status }
}

/** Reads a subscription from an event or from Stripe's API. Throws `webhook_invalid`. */
export function readSubscriptionObject(
  payload: unknown,
  step: SubscriptionFact['step'],
): SubscriptionFact {
  const object = parseShape(subscription, payload)
  const items = object.items.data
  const starts = [object, ...items].map((part) => part.current_period_start ?? 0)
  const ends = [object, ...items].map((part) => part.current_period_end ?? 0)
  const period_end = latest(ends)
  const ends_by_itself = object.cancel_at_period_end ? period_end : null
  return {
    kind: 'subscription',
    step,
    subscription_id: object.id,
    customer_id: toId(object.customer),
    claimed_user_id: readClaim(object.metadata),
    status: statusOf(step, object),
    previous_status: null,
    price: priceOf(items[0]?.price),
    started_at: toTimestampOrNull(object.start_date),
    period_start: latest(starts),
    period_end,
    cancel_at: toTimestampOrNull(object.cancel_at) ?? ends_by_itself,
    ended_at: toTimestampOrNull(object.ended_at),
    trial_ends_at: toTimestampOrNull(object.trial_end),
    ...cancellationOf(object),
  }
}

function cancellationOf({ canceled_at, cancellation_details }: z.output<typeof subscription>) {
  const { reason, feedback, comment } = cancellation_details ?? {}
  return {
    cancel_asked_at: toTimestampOrNull(canceled_at),
    cancel_reason: reason?.slice(0, 60) ?? null,
    cancel_feedback: feedback?.slice(0, 60) ?? null,
    cancel_comment: comment?.slice(0, 2000) ?? null,
  }
}

/**
 * Returns 'paused' while collection is paused. Premium is then not granted, although Stripe still reports the
 * subscription as active or past due.
 */
function statusOf(step: SubscriptionFact['step'], object: z.output<typeof subscription>): string {
  if (step === 'deleted') return 'canceled'
  const isPaused = object.pause_collection && runningStatuses.includes(object.status)
  return isPaused ? 'paused' : object.status
}

function readInvoice(event: Envelope, isPaid: boolean): InvoiceFact | null {
  const object = parseShape(invoice, event.data.object)
  const details = object.parent?.subscription_details
  const subscription_id = toId(details?.subscription) ?? toId(object.subscription)
  if (subscription_id === null) return null
  // The invoice line with the latest end is for the new period. The other lines are for previous periods.
  const [line] = object.lines.data.toSorted((a, b) => (b.period?.end ?? 0) - (a.period?.end ?? 0))
  const price = priceOf(line?.price)
  return {
    kind: 'invoice',
    subscription_id,
    customer_id: toId(object.customer),
    claimed_user_id:
      readClaim(details?.metadata) ?? readClaim(object.subscription_details?.metadata),
    is_paid: isPaid,
    is_first: object.billing_reason === 'subscription_create',
    invoice_id: object.id,
    due_cents: object.amount_due ?? 0,
    pay_url: toHttpsUrl(object.hosted_invoice_url),
    next_try_at: toTimestampOrNull(object.next_payment_attempt),
    amount_cents: object.amount_paid,
    currency: object.currency,
    price: { ...price, id: price.id ?? toId(line?.pricing?.price_details?.price) },
    period_start: toTimestampOrNull(line?.period?.start),
    period_end: toTimestampOrNull(line?.period?.end),
    paid_at: toTimestampOrNull(object.status_transitions?.paid_at),
  }
}

/** Returns the URL if it uses https, otherwise null, because screens and emails link to it. */
function toHttpsUrl(url: string | null | undefined): string | null {
  return url && url.length <= 2000 && url.startsWith('https://') ? url : null
}

function priceOf(value: z.output<typeof price>): Price {
  return { id: value?.id ?? null, interval: value?.recurring?.interval ?? null }
}

function readClaim(value: z.output<typeof metadata>): string | null {
  return toUuid(value?.user_id)
}

function toUuid(value: unknown): string | null {
  const result = z.safeParse(z.uuid(), value)
  return result.success ? result.data : null
}

function latest(times: number[]): string | null {
  const time = Math.max(...times)
  return time > 0 ? toTimestamp(time) : null
}
