// Refunds through Stripe: why they are made, and why Stripe refuses them.

export const refundReasons = ['requested_by_customer', 'duplicate', 'fraudulent'] as const
export type RefundReason = (typeof refundReasons)[number]

export const refundReasonWords: Record<RefundReason, string> = {
  requested_by_customer: 'The member asked for it',
  duplicate: 'Paid twice',
  fraudulent: 'Fraud',
}

export const refundStates = ['waiting', 'done', 'refused'] as const
export type RefundState = (typeof refundStates)[number]

export const refundFailures = [
  'already_refunded',
  'disputed',
  'not_found',
  'bank_refused',
  'other',
] as const
export type RefundFailure = (typeof refundFailures)[number]

export const refundFailureWords: Record<RefundFailure, string> = {
  already_refunded: 'Nothing is left to pay back.',
  disputed: 'The bank of the customer has taken the money back, so there is a dispute in Stripe.',
  not_found: 'Stripe does not know this payment.',
  bank_refused: 'The bank did not accept the money. Pay it back in another way.',
  other: 'Stripe refused it. Its dashboard says why.',
}
