// Builds the email about months of Premium that were earned by a referral.
import type { Mail } from './mail-texts.ts'

interface Site {
  publicUrl: string
  brandName: string
}

export function referralRewardMail(
  to: string,
  { publicUrl, brandName }: Site,
  { months, side, way }: { months: number; side: 'referrer' | 'friend'; way: 'coupon' | 'months' },
): Mail {
  const period = months === 1 ? '1 month' : `${months} months`
  return {
    to,
    subject: `${period} of ${brandName} Premium for you`,
    paragraphs: [
      'Hello,',
      side === 'referrer'
        ? `A friend joined ${brandName} with your link and became a Premium member. Thank you: you get ${period} of Premium.`
        : `You joined ${brandName} with a member's link. As promised, you get ${period} of Premium.`,
      way === 'coupon'
        ? 'It will be deducted from your next payments. No action is needed.'
        : 'It has been added to your account. There is nothing to pay, and nothing renews.',
    ],
    button: { label: 'View your plan', link: `${publicUrl}/profile` },
    closing: 'If the payment is refunded, unused months are canceled.',
    validSeconds: 14 * 24 * 3600,
  }
}
