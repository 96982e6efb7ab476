// Builds the email about a failed payment, which is sent once for each invoice.
import { formatMoney } from '#contract/currencies.ts'
import { type PaymentFailure, paymentFailureMessages } from '#contract/payment-failures.ts'
import type { Mail } from './mail-texts.ts'
import { markCustomTexts, planName } from './custom-texts.ts'

/** The email is not sent later than this. */
const validSeconds = 3 * 24 * 3600

export function paymentFailedMail(
  to: string,
  { publicUrl, brandName }: { publicUrl: string; brandName: string },
  payment: {
    reason: PaymentFailure
    amount_cents: number
    currency: string
    /** When Premium ends. Null if it has already ended. */
    premium_until: string | null
    pay_url: string | null
  },
): Mail {
  const { reason, amount_cents, currency, premium_until, pay_url } = payment
  const amount = formatMoney(amount_cents, currency)
  return {
    to,
    own: markCustomTexts('payment_failed', 1, {
      plan: planName,
      amount,
      reason: paymentFailureMessages[reason],
    }),
    subject: `Your payment to ${brandName} failed`,
    paragraphs: [
      'Hello,',
      `The payment of ${amount} for Premium failed. ${paymentFailureMessages[reason]}`,
      premium_until === null
        ? 'Premium has ended. It resumes as soon as you pay:'
        : `Premium remains active until ${premium_until.slice(0, 10)}. You can pay here, also with another card:`,
    ],
    button: { label: 'Pay now', link: pay_url ?? `${publicUrl}/profile` },
    closing:
      'The payment may be retried in the next few days. If you have already paid, no action is needed.',
    validSeconds,
  }
}
