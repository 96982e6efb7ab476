// Builds the emails about a new price, and those with receipts for manually recorded payments.
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
      `You pay ${formatMoney(old_cents, currency)} per ${period} for ${brandName} Premium. From your renewal on ${applies_at.slice(0, 10)} the price is ${formatMoney(new_cents, currency)} per ${period}.`,
      'Until then you pay the old price. If you do not want to pay the new price, cancel in your profile before that day. You keep Premium until the end of the paid period:',
    ],
    button: { label: 'Open your profile', link: `${publicUrl}/profile` },
    closing: 'If you want to continue, no action is needed.',
    validSeconds: 14 * daySeconds,
  }
}

export function priceChangeCanceledMail(
  to: string,
  { publicUrl, brandName }: Site,
  { old_cents, currency }: { old_cents: number; currency: string },
): Mail {
  return {
    to,
    subject: `The price of your ${brandName} Premium stays the same`,
    paragraphs: [
      'Hello,',
      `We informed you about a new price for ${brandName} Premium. The change was canceled: you continue to pay ${formatMoney(old_cents, currency)}.`,
      'You can see your plan in your profile:',
    ],
    button: { label: 'Open your profile', link: `${publicUrl}/profile` },
    closing: 'No action is needed.',
    validSeconds: 14 * daySeconds,
  }
}

export function manualPaymentReceiptMail(
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
        : `Receipt ${voids} is void. Receipt ${number} reverses its ${formatMoney(-amount_cents, currency)}.`,
      'You can read and print the receipt here:',
    ],
    button: { label: 'View the receipt', link: `${publicUrl}/receipts/${number}` },
    closing: 'No action is needed.',
    validSeconds: 7 * daySeconds,
  }
}
