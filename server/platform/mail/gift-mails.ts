// Builds the emails about gifts.
import { formatMoney } from '#contract/currencies.ts'
import type { Mail } from './mail-texts.ts'
import { markCustomTexts, planName } from './custom-texts.ts'

interface Site {
  publicUrl: string
  brandName: string
}

interface GiftFacts {
  months: number
  amount_cents: number
  currency: string
  from_name: string
  message: string
  recipient_email: string | null
  send_at: string | null
}

/** An email that is still unsent after this time is not sent. */
const validSeconds = 14 * 24 * 3600

const buildLink = ({ publicUrl }: Site, code: string) => `${publicUrl}/gift?code=${code}`
const formatPeriod = (months: number) => (months === 1 ? '1 month' : `${months} months`)

/** The email to the recipient of a gift. */
export function giftMail(to: string, site: Site, gift: GiftFacts, code: string): Mail {
  return {
    to,
    own: markCustomTexts('gift', 1, {
      plan: planName,
      giver: gift.from_name,
      months: String(gift.months),
    }),
    subject: `${gift.from_name} gives you ${site.brandName} Premium`,
    paragraphs: [
      'Hello,',
      `${gift.from_name} gives you ${formatPeriod(gift.months)} of ${site.brandName} Premium. There is nothing to pay, and nothing renews.`,
      ...(gift.message === '' ? [] : gift.message.split(/\n+/)),
      `Your code is ${code}. Redeem it here, with your account or a new one:`,
    ],
    button: { label: 'Redeem the gift', link: buildLink(site, code) },
    closing:
      'The code works once. If you already have Premium, the gift starts when your plan ends.',
    validSeconds,
  }
}

/** The email to the buyer of a gift. */
export function giftReceiptMail(to: string, site: Site, gift: GiftFacts, code: string): Mail {
  const amount = formatMoney(gift.amount_cents, gift.currency)
  const { recipient_email, send_at } = gift
  return {
    to,
    own: markCustomTexts('gift_receipt', 1, {
      plan: planName,
      amount,
      months: String(gift.months),
    }),
    subject: `Your ${site.brandName} gift`,
    paragraphs: [
      'Hello,',
      `Thank you. You paid ${amount} for ${formatPeriod(gift.months)} of ${site.brandName} Premium as a gift. Nothing renews.`,
      recipient_email === null || send_at === null
        ? 'Print this email, or give the code to the recipient.'
        : `We will email it to ${recipient_email} on ${send_at.slice(0, 10)}.`,
      `The code is ${code}. It can be redeemed at ${site.publicUrl}/gift.`,
    ],
    button: { label: 'See your gifts', link: `${site.publicUrl}/gift` },
    closing: 'The code works once.',
    validSeconds,
  }
}
