// The texts of mails about gifts.
import type { Mail } from './mail-texts.ts'
import { ownWords, planName } from './own-words.ts'

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

/** How long they are worth sending. */
const validSeconds = 14 * 24 * 3600

const linkOf = ({ publicUrl }: Site, code: string) => `${publicUrl}/gift?code=${code}`
const periodOf = (months: number) => (months === 1 ? '1 month' : `${months} months`)

/** To the person who gets it. */
export function giftMail(to: string, site: Site, gift: GiftFacts, code: string): Mail {
  return {
    to,
    own: ownWords('gift', 1, {
      plan: planName,
      giver: gift.from_name,
      months: String(gift.months),
    }),
    subject: `${gift.from_name} gives you ${site.brandName} Premium`,
    paragraphs: [
      'Hello,',
      `${gift.from_name} gives you ${periodOf(gift.months)} of ${site.brandName} Premium. There is nothing to pay, and nothing renews.`,
      ...(gift.message === '' ? [] : gift.message.split(/\n+/)),
      `Your code is ${code}. You redeem it here, with an account that you have or make there:`,
    ],
    button: { label: 'Redeem the gift', link: linkOf(site, code) },
    closing: 'The code works once. If you have Premium already, the gift starts when it has ended.',
    validSeconds,
  }
}

/** To the buyer. */
export function giftReceiptMail(to: string, site: Site, gift: GiftFacts, code: string): Mail {
  const amount = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: gift.currency,
  }).format(gift.amount_cents / 100)
  const { recipient_email, send_at } = gift
  return {
    to,
    own: ownWords('gift_receipt', 1, { plan: planName, amount, months: String(gift.months) }),
    subject: `Your ${site.brandName} gift`,
    paragraphs: [
      'Hello,',
      `Thank you. You paid ${amount} for ${periodOf(gift.months)} of ${site.brandName} Premium as a gift. Nothing renews.`,
      recipient_email === null || send_at === null
        ? 'You can print this mail, or hand the code over.'
        : `We mail it to ${recipient_email} on ${send_at.slice(0, 10)}.`,
      `The code is ${code}. It is redeemed at ${site.publicUrl}/gift.`,
    ],
    button: { label: 'See your gifts', link: `${site.publicUrl}/gift` },
    closing: 'The code works once.',
    validSeconds,
  }
}
