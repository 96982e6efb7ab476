// Builds the emails about joining the service, and about keys that give access to an account.
import type { Mail } from './mail-texts.ts'
import { markCustomTexts } from './custom-texts.ts'

interface Site {
  publicUrl: string
  brandName: string
}

const daySeconds = 24 * 3600

export interface InvitationFacts {
  /** Name of the admin who invites. Empty if the admin has none. */
  inviter: string
  /** Whether the new account has Premium. */
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
    own: markCustomTexts('invitation', 2, { inviter: inviter || brandName, days: String(days) }),
    subject: invites,
    paragraphs: [
      'Hello,',
      `${invites}. Choose a name and a password to start listening.`,
      ...(isPremium ? ['Your account comes with Premium: there is nothing to pay.'] : []),
    ],
    button: { label: 'Accept the invitation', link },
    closing:
      `The link works once, for ${days} days, and only for this address. ` +
      'If you do not want an account, please ignore this email.',
    validSeconds: days * daySeconds,
  }
}

/** Sent after the address of a new account was confirmed. */
export function welcomeMail(to: string, { publicUrl, brandName }: Site): Mail {
  return {
    to,
    own: markCustomTexts('welcome', 2, {}),
    subject: `Your ${brandName} account is ready`,
    paragraphs: [
      'Hello,',
      `Your address is confirmed, and your ${brandName} account is ready. ` +
        'Your likes and playlists are available on every device where you sign in.',
    ],
    button: { label: 'Start listening', link: `${publicUrl}/browse` },
    closing: 'Your name, your devices and your plan are in your profile.',
    validSeconds: 3 * daySeconds,
  }
}

const keyKinds = {
  app: {
    subject: 'New device key for your',
    what: 'A device key was created. An app can use it to sign in and play music.',
  },
  feed: {
    subject: 'New private feed for your',
    what: 'A private feed was created. Anyone who has its address can play music with it.',
  },
  access_token: {
    subject: 'New access token for your',
    what: 'An access token was created. A program can use it to act on your behalf.',
  },
} as const

/** Sent to the account's owner when a key is created that gives access without the password. */
export function newKeyMail(
  to: string,
  { publicUrl, brandName }: Site,
  key: { kind: keyof typeof keyKinds; name: string; address: string; at: Date },
): Mail {
  const { subject, what } = keyKinds[key.kind]
  const time = key.at.toISOString().slice(0, 16).replace('T', ' ')
  return {
    to,
    own: markCustomTexts('new_key', 1, { key: key.name }),
    subject: `${subject} ${brandName} account`,
    paragraphs: [
      'Hello,',
      `${what} It is called “${key.name}” and was created from the address ${key.address} on ${time} UTC.`,
    ],
    button: { label: 'Review your account', link: `${publicUrl}/profile` },
    closing:
      'If this was not you, revoke it in your profile, then choose a new password. That signs out every device.',
    validSeconds: 3 * daySeconds,
  }
}

/** Contains the reply of the support as it was typed. */
export function supportReplyMail(
  to: string,
  { publicUrl, brandName }: Site,
  { subject, text, replyTo }: { subject: string; text: string; replyTo: string },
): Mail {
  return {
    to,
    own: markCustomTexts('support_answer', 1, { subject }),
    subject: `Re: ${subject}`,
    paragraphs: [
      `${brandName} has answered your message “${subject}”:`,
      ...text.split(/\n\s*\n/).map((paragraph) => paragraph.trim()),
    ],
    button: { label: 'Read and reply', link: `${publicUrl}/profile#help` },
    closing: 'The whole conversation is in your profile, under Help.',
    ...(replyTo && { reply_to: replyTo }),
    // The reply is also shown in the profile, so the email is still useful if it arrives late.
    validSeconds: 14 * daySeconds,
  }
}
