// Sent once for each invoice that could not be collected.
import { type PaymentFailure, paymentFailureMessages } from '#contract/payment-failures.ts'
import type { Mail } from './mail-texts.ts'
import { ownWords, planName } from './own-words.ts'

/** After this it is not sent any more. */
const validSeconds = 3 * 24 * 3600

export function paymentFailedMail(
  to: string,
  { publicUrl, brandName }: { publicUrl: string; brandName: string },
  payment: {
    reason: PaymentFailure
    amount_cents: number
    currency: string
    /** Null: Premium has ended. */
    premium_until: string | null
    pay_url: string | null
  },
): Mail {
  const { reason, amount_cents, currency, premium_until, pay_url } = payment
  const amount = new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(
    amount_cents / 100,
  )
  return {
    to,
    own: ownWords('payment_failed', 1, {
      plan: planName,
      amount,
      reason: paymentFailureMessages[reason],
    }),
    subject: `Your payment to ${brandName} failed`,
    paragraphs: [
      'Hello,',
      `The payment of ${amount} for Premium failed. ${paymentFailureMessages[reason]}`,
      premium_until === null
        ? 'Premium has ended. It comes back as soon as the payment is made:'
        : `Premium stays until ${premium_until.slice(0, 10)}. You can pay here, with another card too:`,
    ],
    button: { label: 'Pay now', link: pay_url ?? `${publicUrl}/profile` },
    closing:
      'The payment may be tried again in the next days. If you have paid meanwhile, there is nothing to do.',
    validSeconds,
  }
}
