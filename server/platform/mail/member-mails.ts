// The texts of mails about joining the service.
import type { Mail } from './mail-texts.ts'

const daySeconds = 24 * 3600

export interface InvitationFacts {
  /** Empty: the admin has set none. */
  inviter: string
  /** The plan that comes with it. */
  isPremium: boolean
  link: string
  days: number
}

export function invitationMail(
  to: string,
  brandName: string,
  { inviter, isPremium, link, days }: InvitationFacts,
): Mail {
  const invites = inviter
    ? `${inviter} invites you to ${brandName}`
    : `You are invited to ${brandName}`
  return {
    to,
    subject: invites,
    paragraphs: [
      'Hello,',
      `${invites}. Choose a name and a password, and you can listen at once.`,
      ...(isPremium ? ['Your account comes with Premium: there is nothing to pay.'] : []),
    ],
    button: { label: 'Accept the invitation', link },
    closing:
      `The link works once, for ${days} days, and only for this address. ` +
      'If you do not want an account, there is nothing to do.',
    validSeconds: days * daySeconds,
  }
}
