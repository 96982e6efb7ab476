// The mail about months that a friend has earned.
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
        : `You joined ${brandName} with the link of a member. As promised, you get ${period} of Premium.`,
      way === 'coupon'
        ? 'It is taken off your next payments. You do not have to do anything.'
        : 'It has been added to your account. There is nothing to pay, and nothing renews.',
    ],
    button: { label: 'See your plan', link: `${publicUrl}/profile` },
    closing: 'If the payment is refunded, months that are not used yet end.',
    validSeconds: 14 * 24 * 3600,
  }
}
