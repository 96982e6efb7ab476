// Refunds through Stripe: the reasons for making one, and the reasons why one fails.

export const refundReasons = ['requested_by_customer', 'duplicate', 'fraudulent'] as const
export type RefundReason = (typeof refundReasons)[number]

export const refundReasonLabels: Record<RefundReason, string> = {
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

export const refundFailureTexts: Record<RefundFailure, string> = {
  already_refunded: 'The payment has already been refunded in full.',
  disputed: "The customer's bank has disputed this payment. Respond to the dispute in Stripe.",
  not_found: 'Stripe has no record of this payment.',
  bank_refused: 'The bank did not accept the refund. Pay the money back in another way.',
  other: 'Stripe refused the refund. Its dashboard shows the reason.',
}
