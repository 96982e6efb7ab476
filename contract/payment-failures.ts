// Why a payment failed, in words for members and admins.

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
  insufficient_funds: 'There was not enough money on the card.',
  expired_card: 'The card has expired.',
  wrong_details: 'The details of the card are not right.',
  authentication_required: 'The bank wants the payment to be confirmed.',
  bank_unavailable: 'The bank could not be reached.',
  unknown: 'The payment did not go through.',
}
