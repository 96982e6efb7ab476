// Refunds of the fake Stripe.
import type { Stripe } from 'stripe'
import { refundReasons } from '#contract/refunds.ts'
import type { Part } from './stripe-shape.ts'
import { errorBody, type FakeResponse } from './fake-responses.ts'

interface FakeRefund extends Part<Stripe.Refund> {
  id: string
  object: 'refund'
  payment_intent: string
  /** The refunded amount. Undefined for the whole payment. */
  amount?: number
  reason: Stripe.Refund.Reason | null
  status: 'succeeded'
  metadata: Record<string, string>
}

export interface FakeRefunds {
  made: FakeRefund[]
  /** Error codes with which Stripe refuses refunds, by payment intent. */
  errors: Map<string, string>
  /** The next request for a refund creates it, but returns 500, as if the response was lost. */
  loseNextResponse: () => void
  answer: (method: string, query: URLSearchParams, form: Record<string, string>) => FakeResponse
}

export function createFakeRefunds(): FakeRefunds {
  const made: FakeRefund[] = []
  const errors = new Map<string, string>()
  let isLost = false
  return {
    made,
    errors,
    loseNextResponse: () => void (isLost = true),
    answer(method, query, form) {
      if (method === 'GET') {
        const data = made.filter(
          ({ payment_intent }) => payment_intent === query.get('payment_intent'),
        )
        return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/refunds' } }
      }
      const { payment_intent = '', amount, reason } = form
      const code = errors.get(payment_intent)
      if (code) return { status: 400, body: errorBody(code) }
      const refund: FakeRefund = {
        id: `re_${made.length + 1}`,
        object: 'refund',
        payment_intent,
        ...(amount !== undefined && { amount: Number(amount) }),
        reason: refundReasons.find((one) => one === reason) ?? null,
        status: 'succeeded',
        metadata: { refund_request: form['metadata[refund_request]'] ?? '' },
      }
      made.push(refund)
      if (!isLost) return { status: 200, body: refund }
      isLost = false
      return { status: 500, body: errorBody('api_error') }
    },
  }
}
