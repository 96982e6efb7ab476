// Reads Stripe's events into the few facts that concern us. Fields that moved between versions of
// Stripe's API are found in their old places too: the version is the owner's account's.
import * as z from 'zod/mini'
import { paidPlans } from '#contract/billing.ts'
import { AppError } from '../http/app-error.ts'

interface About {
  subscription_id: string
  customer_id: string | null
  /** Whose purchase our own checkout said it is. */
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
  /** The status before, where this event changed it. */
  previous_status: string | null
  price: Price
  started_at: string | null
  period_start: string | null
  period_end: string | null
  /** When it ends by itself; null: it goes on. */
  cancel_at: string | null
  ended_at: string | null
}

export interface InvoiceFact extends About {
  kind: 'invoice'
  is_paid: boolean
  invoice_id: string
  amount_cents: number
  currency: string
  price: Price
  period_start: string | null
  period_end: string | null
  paid_at: string | null
}

export interface Price {
  id: string | null
  interval: string | null
}

export type BillingFact = CheckoutFact | SubscriptionFact | InvoiceFact

export interface RefundFact {
  charge_id: string
  /** Null: it tells of the charge, and what all of its refunds come to. */
  refund_id: string | null
  customer_id: string | null
  invoice_id: string | null
  charge_cents: number | null
  charged_at: string | null
  currency: string
  refunded_cents: number
  /** It came to nothing; of a dispute: it was won, and the money is back. */
  is_failed: boolean
  /** The customer's bank took it back: no part of what all refunds of the charge come to. */
  is_dispute: boolean
}

export interface BillingEvent {
  id: string
  type: string
  occurred_at: string
  /** Null: nothing about a subscription. */
  fact: BillingFact | null
  /** Empty: nothing was paid back. */
  refunds: RefundFact[]
}

const text = z.string().check(z.minLength(1), z.maxLength(255))
const seconds = z.number().check(z.int(), z.minimum(0), z.maximum(253_402_300_799))
const maybe = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema))
/** An id, or the whole thing in its place. */
const reference = maybe(z.union([text, z.object({ id: text })]))
const metadata = maybe(z.record(z.string(), z.unknown()))
const price = maybe(
  z.object({ id: text, recurring: maybe(z.object({ interval: maybe(z.string()) })) }),
)

const envelope = z.object({
  id: text,
  type: text,
  created: seconds,
  data: z.object({
    object: z.record(z.string(), z.unknown()),
    previous_attributes: maybe(z.object({ status: maybe(z.string()) })),
  }),
})
type Envelope = z.output<typeof envelope>

const checkoutSession = z.object({
  mode: z.string(),
  subscription: reference,
  customer: reference,
  client_reference_id: maybe(z.string()),
  payment_status: maybe(z.string()),
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
  ended_at: maybe(seconds),
  pause_collection: maybe(z.record(z.string(), z.unknown())),
  ...periods,
  items: z.object({ data: z.array(z.object({ price, ...periods })) }),
})

const cents = z.number().check(z.int(), z.minimum(0))
const currency = z.string().check(z.regex(/^[a-z]{3}$/))

const charge = z.object({
  id: text,
  customer: reference,
  invoice: reference,
  currency,
  amount: cents,
  amount_refunded: cents,
  created: maybe(seconds),
})

const dispute = z.object({
  id: text,
  charge: z.union([text, charge]),
  currency,
  amount: cents,
  status: text,
})

const refund = z.object({
  id: text,
  charge: reference,
  currency,
  amount: cents,
  status: maybe(z.string()),
})

const invoice = z.object({
  id: text,
  customer: reference,
  currency,
  amount_paid: cents,
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

/** Throws `webhook_invalid` for what is not an event, or not shaped like the event it says it is. */
export function readBillingEvent(payload: unknown): BillingEvent {
  const event = parse(envelope, payload)
  return {
    id: event.id,
    type: event.type,
    occurred_at: moment(event.created),
    fact: readFact(event),
    refunds: readRefunds(event),
  }
}

function readRefunds(event: Envelope): RefundFact[] {
  switch (event.type) {
    case 'charge.refunded':
      return [chargeFact(parse(charge, event.data.object), event)]
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated': {
      const object = parse(refund, event.data.object)
      const charge_id = idOf(object.charge)
      const is_failed = object.status === 'failed' || object.status === 'canceled'
      return charge_id === null ? [] : [{ ...partOf(charge_id, object), is_failed }]
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const object = parse(dispute, event.data.object)
      const { charge: whose } = object
      const fact = partOf(typeof whose === 'string' ? whose : whose.id, object)
      const told = {
        ...fact,
        is_dispute: true,
        is_failed: object.status === 'won' || object.status === 'prevented',
        // The bank asks first: nothing is taken yet.
        refunded_cents: object.status.startsWith('warning') ? 0 : object.amount,
      }
      return typeof whose === 'string' ? [told] : [chargeFact(whose, event), told]
    }
    default:
      return []
  }
}

/** A charge as Stripe's API answers it. Throws `webhook_invalid`. */
export function readCharge(payload: unknown, event: BillingEvent): RefundFact {
  return chargeFact(parse(charge, payload), { created: Date.parse(event.occurred_at) / 1000 })
}

function chargeFact(object: z.output<typeof charge>, event: Pick<Envelope, 'created'>): RefundFact {
  return {
    charge_id: object.id,
    refund_id: null,
    customer_id: idOf(object.customer),
    invoice_id: idOf(object.invoice),
    charge_cents: object.amount,
    charged_at: maybeMoment(object.created) ?? moment(event.created),
    currency: object.currency,
    refunded_cents: object.amount_refunded,
    is_failed: false,
    is_dispute: false,
  }
}

function partOf(
  charge_id: string,
  { id, currency, amount }: { id: string; currency: string; amount: number },
): RefundFact {
  return {
    charge_id,
    refund_id: id,
    customer_id: null,
    invoice_id: null,
    charge_cents: null,
    charged_at: null,
    currency,
    refunded_cents: amount,
    is_failed: false,
    is_dispute: false,
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
  const session = parse(checkoutSession, event.data.object)
  const subscription_id = idOf(session.subscription)
  if (session.mode !== 'subscription' || subscription_id === null) return null
  return {
    kind: 'checkout',
    subscription_id,
    customer_id: idOf(session.customer),
    claimed_user_id: claimOf(session.metadata) ?? uuidOf(session.client_reference_id),
    plan: paidPlans.find((plan) => plan === session.metadata?.plan) ?? null,
    is_paid: session.payment_status === 'paid' || session.payment_status === 'no_payment_required',
  }
}

function readSubscription(event: Envelope, step: SubscriptionFact['step']): SubscriptionFact {
  const object = parse(subscription, event.data.object)
  const items = object.items.data
  const starts = [object, ...items].map((part) => part.current_period_start ?? 0)
  const ends = [object, ...items].map((part) => part.current_period_end ?? 0)
  const period_end = latest(ends)
  const ends_by_itself = object.cancel_at_period_end ? period_end : null
  return {
    kind: 'subscription',
    step,
    subscription_id: object.id,
    customer_id: idOf(object.customer),
    claimed_user_id: claimOf(object.metadata),
    status: statusOf(step, object),
    previous_status: event.data.previous_attributes?.status ?? null,
    price: priceOf(items[0]?.price),
    started_at: maybeMoment(object.start_date),
    period_start: latest(starts),
    period_end,
    cancel_at: maybeMoment(object.cancel_at) ?? ends_by_itself,
    ended_at: maybeMoment(object.ended_at),
  }
}

/** While nothing is collected, nothing is given: Stripe calls such a subscription active all the same. */
function statusOf(step: SubscriptionFact['step'], object: z.output<typeof subscription>): string {
  if (step === 'deleted') return 'canceled'
  return object.pause_collection && object.status === 'active' ? 'paused' : object.status
}

function readInvoice(event: Envelope, isPaid: boolean): InvoiceFact | null {
  const object = parse(invoice, event.data.object)
  const details = object.parent?.subscription_details
  const subscription_id = idOf(details?.subscription) ?? idOf(object.subscription)
  if (subscription_id === null) return null
  // The line that reaches furthest is the new period; others settle what was before.
  const [line] = object.lines.data.toSorted((a, b) => (b.period?.end ?? 0) - (a.period?.end ?? 0))
  const price = priceOf(line?.price)
  return {
    kind: 'invoice',
    subscription_id,
    customer_id: idOf(object.customer),
    claimed_user_id: claimOf(details?.metadata) ?? claimOf(object.subscription_details?.metadata),
    is_paid: isPaid,
    invoice_id: object.id,
    amount_cents: object.amount_paid,
    currency: object.currency,
    price: { ...price, id: price.id ?? idOf(line?.pricing?.price_details?.price) },
    period_start: maybeMoment(line?.period?.start),
    period_end: maybeMoment(line?.period?.end),
    paid_at: maybeMoment(object.status_transitions?.paid_at),
  }
}

function parse<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  const details = result.error.issues.map(({ path, message }) => ({
    field: path.join('.'),
    message,
  }))
  throw new AppError('webhook_invalid', { details })
}

function idOf(value: string | { id: string } | null | undefined): string | null {
  return (typeof value === 'string' ? value : value?.id) ?? null
}

function priceOf(value: z.output<typeof price>): Price {
  return { id: value?.id ?? null, interval: value?.recurring?.interval ?? null }
}

function claimOf(value: z.output<typeof metadata>): string | null {
  return uuidOf(value?.user_id)
}

function uuidOf(value: unknown): string | null {
  const result = z.safeParse(z.uuid(), value)
  return result.success ? result.data : null
}

function latest(times: number[]): string | null {
  const time = Math.max(...times)
  return time > 0 ? moment(time) : null
}

function maybeMoment(time: number | null | undefined): string | null {
  return time == null ? null : moment(time)
}

function moment(time: number): string {
  return new Date(time * 1000).toISOString()
}
