// Builds the emails about payments that were made or will soon be made.
import { formatMoney } from '#contract/currencies.ts'
import type { Mail } from './mail-texts.ts'
import { markCustomTexts, planName } from './custom-texts.ts'

interface Site {
  publicUrl: string
  brandName: string
}

const daySeconds = 24 * 3600

export function receiptMail(
  to: string,
  { publicUrl, brandName }: Site,
  payment: {
    amount_cents: number
    currency: string
    /** The end of the period that was paid for. */
    covers_to: string | null
    /** URL of the invoice at Stripe. */
    invoice_url: string | null
  },
): Mail {
  const { amount_cents, currency, covers_to, invoice_url } = payment
  const paid = `We have received ${formatMoney(amount_cents, currency)} for ${brandName} Premium`
  return {
    to,
    own: markCustomTexts('receipt', 1, {
      plan: planName,
      amount: formatMoney(amount_cents, currency),
    }),
    subject: `Your ${brandName} receipt`,
    paragraphs: [
      'Hello,',
      covers_to === null ? `${paid}.` : `${paid}. It is paid until ${covers_to.slice(0, 10)}.`,
      invoice_url === null
        ? 'Your invoices are in the customer portal, which you open from your profile:'
        : 'You can read and save the invoice here:',
    ],
    button:
      invoice_url === null
        ? { label: 'Open your profile', link: `${publicUrl}/profile` }
        : { label: 'View the invoice', link: invoice_url },
    closing: 'No action is needed.',
    validSeconds: 7 * daySeconds,
  }
}

export function cardExpiresMail(
  to: string,
  { publicUrl, brandName }: Site,
  card: { last4: string; expires: string },
): Mail {
  return {
    to,
    own: markCustomTexts('card_expires', 1, {
      plan: planName,
      card: card.last4,
      date: card.expires,
    }),
    subject: `The card for your ${brandName} Premium expires soon`,
    paragraphs: [
      'Hello,',
      `The card that ends in ${card.last4} is valid until ${card.expires}. It pays for ${brandName} Premium.`,
      'If you have a new card, enter it under “Manage Billing” in your profile:',
    ],
    button: { label: 'Open your profile', link: `${publicUrl}/profile` },
    closing: 'If your bank renews the card automatically, no action is needed.',
    validSeconds: 7 * daySeconds,
  }
}

export function renewalMail(
  to: string,
  { publicUrl, brandName }: Site,
  renewal: { renews_at: string; amount_cents: number; currency: string },
): Mail {
  const { renews_at, amount_cents, currency } = renewal
  return {
    to,
    own: markCustomTexts('renewal', 1, {
      plan: planName,
      amount: formatMoney(amount_cents, currency),
      date: renews_at.slice(0, 10),
    }),
    subject: `Your ${brandName} Premium renews soon`,
    paragraphs: [
      'Hello,',
      `Your yearly plan renews on ${renews_at.slice(0, 10)} for another year. ` +
        `${formatMoney(amount_cents, currency)} is charged on that day.`,
      'If you do not want that, cancel in your profile before that day. You keep Premium until then:',
    ],
    button: { label: 'Open your profile', link: `${publicUrl}/profile` },
    closing: 'If you want to continue, no action is needed.',
    validSeconds: 5 * daySeconds,
  }
}
