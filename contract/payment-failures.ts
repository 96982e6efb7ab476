// Why a payment failed, as texts for members and admins.

export const paymentFailures = [
  'declined',
  'insufficient_funds',
  'expired_card',
  'wrong_details',
  'authentication_required',
  'bank_unavailable',
  'unknown',
] as const
export type PaymentFailure = (typeof paymentFailures)[number]

export const paymentFailureMessages: Record<PaymentFailure, string> = {
  declined: 'The bank declined the card.',
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  wrong_details: 'The card details are incorrect.',
  authentication_required: 'The bank requires the payment to be confirmed.',
  bank_unavailable: 'The bank could not be reached.',
  unknown: 'The payment did not go through.',
}
