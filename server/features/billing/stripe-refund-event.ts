// Extracts refunds, and disputes opened by a customer's bank, from Stripe's events.
import * as z from 'zod/mini'
import {
  cents,
  currency,
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

export interface RefundFact {
  charge_id: string
  /** The single refund that the event is about. Null if the event reports a charge with the total of its refunds. */
  refund_id: string | null
  customer_id: string | null
  invoice_id: string | null
  payment_intent: string | null
  charge_cents: number | null
  charged_at: string | null
  currency: string
  refunded_cents: number
  /** Whether the refund failed. For a dispute: whether the owner won the dispute and got the money back. */
  is_failed: boolean
  /** Whether the customer's bank reversed the payment. The refund total of the charge does not include disputes. */
  is_dispute: boolean
}

const charge = z.object({
  id: text,
  customer: reference,
  invoice: reference,
  payment_intent: reference,
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

/** Throws `webhook_invalid` if the event does not match the schema for its type. */
export function readRefunds(event: Envelope): RefundFact[] {
  switch (event.type) {
    case 'charge.refunded':
      return [chargeFact(parseShape(charge, event.data.object), event)]
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated': {
      const object = parseShape(refund, event.data.object)
      const charge_id = toId(object.charge)
      const is_failed = object.status === 'failed' || object.status === 'canceled'
      return charge_id === null ? [] : [{ ...partOf(charge_id, object), is_failed }]
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated': {
      const object = parseShape(dispute, event.data.object)
      const { charge: disputedCharge } = object
      const fact = partOf(
        typeof disputedCharge === 'string' ? disputedCharge : disputedCharge.id,
        object,
      )
      const reported = {
        ...fact,
        is_dispute: true,
        is_failed: object.status === 'won' || object.status === 'prevented',
        // An inquiry is a warning: the bank has not taken any money yet.
        refunded_cents: object.status.startsWith('warning') ? 0 : object.amount,
      }
      return typeof disputedCharge === 'string'
        ? [reported]
        : [chargeFact(disputedCharge, event), reported]
    }
    default:
      return []
  }
}

/** Reads a charge from Stripe's API. Throws `webhook_invalid`. */
export function readCharge(payload: unknown, event: { occurred_at: string }): RefundFact {
  return chargeFact(parseShape(charge, payload), { created: Date.parse(event.occurred_at) / 1000 })
}

function chargeFact(object: z.output<typeof charge>, event: Pick<Envelope, 'created'>): RefundFact {
  return {
    charge_id: object.id,
    refund_id: null,
    customer_id: toId(object.customer),
    invoice_id: toId(object.invoice),
    payment_intent: toId(object.payment_intent),
    charge_cents: object.amount,
    charged_at: toTimestampOrNull(object.created) ?? toTimestamp(event.created),
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
    payment_intent: null,
    charge_cents: null,
    charged_at: null,
    currency,
    refunded_cents: amount,
    is_failed: false,
    is_dispute: false,
  }
}
