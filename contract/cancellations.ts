// Cancellation reasons. The values are those of Stripe's `cancellation_details.feedback`.

export const cancelFeedbacks = [
  'too_expensive',
  'unused',
  'missing_features',
  'low_quality',
  'switched_service',
  'too_complex',
  'customer_service',
  'other',
] as const
export type CancelFeedback = (typeof cancelFeedbacks)[number]

export const cancelFeedbackLabels: Record<CancelFeedback, string> = {
  too_expensive: 'It costs too much',
  unused: 'I do not use it enough',
  missing_features: 'Something is missing',
  low_quality: 'The quality is not good enough',
  switched_service: 'I use another service',
  too_complex: 'It is too complicated',
  customer_service: 'I am not happy with the support',
  other: 'Another reason',
}

/** The reasons that members choose, and those for which Stripe ends a subscription automatically. */
export const cancelReasons = [...cancelFeedbacks, 'payment_failed', 'none'] as const
export type CancelReason = (typeof cancelReasons)[number]

export const cancelCommentMaxLength = 500
