// The texts of mails about a new price, and of receipts for payments that are recorded by hand.
import { formatMoney } from '#contract/currencies.ts'
import type { Mail } from './mail-texts.ts'

interface Site {
  publicUrl: string
  brandName: string
}

const daySeconds = 24 * 3600

export function priceChangeMail(
  to: string,
  { publicUrl, brandName }: Site,
  change: {
    old_cents: number
    new_cents: number
    currency: string
    applies_at: string
    isYearly: boolean
  },
): Mail {
  const { old_cents, new_cents, currency, applies_at, isYearly } = change
  const period = isYearly ? 'year' : 'month'
  return {
    to,
    subject: `The price of ${brandName} Premium changes`,
    paragraphs: [
      'Hello,',
      `You pay ${formatMoney(old_cents, currency)} per ${period} for ${brandName} Premium. From your renewal on ${applies_at.slice(0, 10)} it is ${formatMoney(new_cents, currency)} per ${period}.`,
      'Until then you pay the old price. If you do not want the new one, cancel in your profile before that day. You keep Premium until the end of what you have paid:',
    ],
    button: { label: 'Open your profile', link: `${publicUrl}/profile` },
    closing: 'If you want to go on listening, there is nothing to do.',
    validSeconds: 14 * daySeconds,
  }
}

export function priceStaysMail(
  to: string,
  { publicUrl, brandName }: Site,
  { old_cents, currency }: { old_cents: number; currency: string },
): Mail {
  return {
    to,
    subject: `The price of your ${brandName} Premium stays`,
    paragraphs: [
      'Hello,',
      `We told you about a new price for ${brandName} Premium. It does not come: you go on paying ${formatMoney(old_cents, currency)}.`,
      'Your plan is in your profile:',
    ],
    button: { label: 'Open your profile', link: `${publicUrl}/profile` },
    closing: 'There is nothing to do.',
    validSeconds: 14 * daySeconds,
  }
}

export function handReceiptMail(
  to: string,
  { publicUrl, brandName }: Site,
  receipt: { number: number; amount_cents: number; currency: string; voids: number | null },
): Mail {
  const { number, amount_cents, currency, voids } = receipt
  return {
    to,
    subject: `Your ${brandName} receipt ${number}`,
    paragraphs: [
      'Hello,',
      voids === null
        ? `We have received ${formatMoney(amount_cents, currency)} for ${brandName} Premium.`
        : `Receipt ${voids} is void. Receipt ${number} takes ${formatMoney(-amount_cents, currency)} back.`,
      'The receipt can be read and printed here:',
    ],
    button: { label: 'See the receipt', link: `${publicUrl}/receipts/${number}` },
    closing: 'There is nothing to do.',
    validSeconds: 7 * daySeconds,
  }
}
