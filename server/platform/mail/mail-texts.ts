// Builds the emails that have no file of their own. Each email has one message and one button.
import * as z from 'zod/mini'
import { mailKindNames } from '#contract/mail/mail-kinds.ts'
import { markCustomTexts } from './custom-texts.ts'

const words = z.optional(z.object({ html: z.string(), text: z.string() }))

export const mail = z.object({
  /** Set if the owner may replace texts of this email. */
  own: z.optional(
    z.object({
      kind: z.enum(mailKindNames),
      /** The number of paragraphs at the beginning that the owner's opening replaces. */
      replaces: z.number(),
      values: z.record(z.string(), z.string()),
    }),
  ),
  to: z.string(),
  subject: z.string(),
  /** Paragraphs before the button, in the HTML and in the text version. */
  paragraphs: z.array(z.string()),
  /** Formatted text after the paragraphs, as safe HTML and as plain text. */
  body: words,
  /**
   * The owner's texts before the paragraphs (`opening`) and before the small print (`ending`), as safe HTML and as
   * plain text.
   */
  opening: words,
  ending: words,
  /** Music that is listed before the button. Pictures have absolute URLs. */
  items: z.optional(
    z.array(
      z.object({
        title: z.string(),
        detail: z.string(),
        link: z.string(),
        picture: z.nullable(z.string()),
      }),
    ),
  ),
  /** The last line, with the one-click unsubscribe URL of RFC 8058. Only in emails that need consent. */
  unsubscribe: z.optional(z.object({ label: z.string(), link: z.string() })),
  button: z.object({ label: z.string(), link: z.string() }),
  /** Small print after the button. */
  closing: z.string(),
  /** The address to which replies are sent, if it isn't the sender. */
  reply_to: z.optional(z.string()),
  /** After this time the link is invalid, and an unsent email is not sent. */
  validSeconds: z.number(),
})
export type Mail = z.infer<typeof mail>

/** Lifetime of the links. The emails state it as text. */
export const resetLinkSeconds = 3600
export const confirmLinkSeconds = 24 * 3600

export function passwordResetMail(to: string, brandName: string, link: string): Mail {
  return {
    to,
    own: markCustomTexts('password_reset', 2, {}),
    subject: `Choose a new ${brandName} password`,
    paragraphs: [
      'Hello,',
      `Someone, hopefully you, requested a new password for your ${brandName} account. You can choose one here:`,
    ],
    button: { label: 'Choose a new password', link },
    closing:
      'The link works once and expires in one hour. Choosing a new password signs you out everywhere. ' +
      'If this was not you, ignore this email: your password stays the same.',
    validSeconds: resetLinkSeconds,
  }
}

export function confirmAddressMail(to: string, brandName: string, link: string): Mail {
  return {
    to,
    own: markCustomTexts('confirm_address', 2, {}),
    subject: `Welcome to ${brandName}: please confirm your address`,
    paragraphs: ['Hello and welcome,', 'Please confirm that this is your email address:'],
    button: { label: 'Confirm my address', link },
    closing: `The link works for one day. If you did not sign up for ${brandName}, please ignore this email.`,
    validSeconds: confirmLinkSeconds,
  }
}

/**
 * Sent when someone signs up with the address of an existing account. An error on the page would reveal that the
 * account exists.
 */
export function accountExistsMail(to: string, brandName: string, link: string): Mail {
  return {
    to,
    own: markCustomTexts('account_exists', 1, {}),
    subject: `You already have a ${brandName} account`,
    paragraphs: [
      'Hello again,',
      `Someone, hopefully you, just tried to sign up for ${brandName} with this address, which already has an account. ` +
        'Nothing was changed. You can sign in or request a new password here:',
    ],
    button: { label: 'Go to sign in', link },
    closing: 'If this was not you, please ignore this email.',
    validSeconds: 24 * 3600,
  }
}

/** A notification that is still unsent after this time is not sent. */
const noticeSeconds = 3 * 24 * 3600

interface Site {
  publicUrl: string
  brandName: string
}

/** Sent by `npm run doctor -- --mail ADDRESS`. */
export function testMail(to: string, { publicUrl, brandName }: Site): Mail {
  return {
    to,
    subject: `Test message from ${brandName}`,
    paragraphs: ['Hello,', `${brandName} sent this message to test its email settings. They work.`],
    button: { label: `Open ${brandName}`, link: publicUrl },
    closing: 'No action is needed.',
    validSeconds: noticeSeconds,
  }
}

const notMe =
  'If this was not you, choose a new password immediately. That signs out every device, and only you get the link.'

export function passwordChangedMail(to: string, { publicUrl, brandName }: Site): Mail {
  return {
    to,
    own: markCustomTexts('password_changed', 1, {}),
    subject: `Your ${brandName} password was changed`,
    paragraphs: [
      'Hello,',
      `The password of your ${brandName} account was changed, and every device was signed out.`,
    ],
    button: { label: 'Go to sign in', link: `${publicUrl}/auth` },
    closing: notMe,
    validSeconds: noticeSeconds,
  }
}

/** Contains the same link as the email for a forgotten password. */
export function passwordGuessedMail(to: string, { brandName }: Site, link: string): Mail {
  return {
    to,
    own: markCustomTexts('password_guessed', 1, {}),
    subject: `Someone is guessing the password of your ${brandName} account`,
    paragraphs: [
      'Hello,',
      `In the last hour someone tried to sign in to your ${brandName} account with many wrong passwords. ` +
        'For now, sign-ins from new browsers are slowed down. Browsers that you have used before work as usual.',
      'If your password is short, or you also use it elsewhere, choose a new one:',
    ],
    button: { label: 'Choose a new password', link },
    closing:
      'The link works once and expires in one hour. Choosing a new password signs you out everywhere. ' +
      'If you do nothing, your password stays the same.',
    validSeconds: resetLinkSeconds,
  }
}

/** Why two-factor authentication was turned off. Empty if the account's owner did it. */
const twoFactorOff = {
  off: [],
  'removed by an admin': ['An admin switched it off. You can set it up again in your profile.'],
  'removed by a reset': [
    'It was set up before this address was confirmed, so the new password that you chose through an email link removed it. ' +
      'You can set it up again in your profile.',
  ],
} satisfies Record<string, string[]>

export function twoFactorChangedMail(
  to: string,
  { publicUrl, brandName }: Site,
  change: 'on' | keyof typeof twoFactorOff,
): Mail {
  return {
    to,
    own: markCustomTexts('two_factor_changed', 1, {}),
    subject: `Two-factor sign-in was switched ${change === 'on' ? 'on' : 'off'} for your ${brandName} account`,
    paragraphs:
      change === 'on'
        ? [
            'Hello,',
            `From now on you need a code from your authenticator app to sign in to ${brandName}.`,
          ]
        : [
            'Hello,',
            `From now on your password alone is enough to sign in to ${brandName}.`,
            ...twoFactorOff[change],
          ],
    button: { label: 'Review your account', link: `${publicUrl}/profile` },
    closing: notMe,
    validSeconds: noticeSeconds,
  }
}

export function newDeviceMail(
  to: string,
  { publicUrl, brandName }: Site,
  { device, address, at }: { device: string; address: string; at: Date },
): Mail {
  const time = at.toISOString().slice(0, 16).replace('T', ' ')
  return {
    to,
    own: markCustomTexts('new_device', 1, { device }),
    subject: `New sign-in to your ${brandName} account`,
    paragraphs: [
      'Hello,',
      `Someone, hopefully you, signed in to your ${brandName} account with a new device: ` +
        `${device}, from the address ${address}, on ${time} UTC.`,
    ],
    button: { label: 'Review your devices', link: `${publicUrl}/profile` },
    closing: notMe,
    validSeconds: noticeSeconds,
  }
}

/** The email to admins about an alert. `continues` marks the daily reminder. */
export function alertMail(
  to: string,
  { publicUrl, brandName }: Site,
  title: string,
  alert: { state: 'began' | 'continues' | 'resolved'; message: string; began_at: string },
): Mail {
  const { state, message, began_at } = alert
  const since = `${began_at.slice(0, 16).replace('T', ' ')} UTC`
  const isOver = state === 'resolved'
  const needs = state === 'began' ? 'needs' : 'still needs'
  return {
    to,
    subject: isOver
      ? `Resolved in ${brandName}: ${title}`
      : `${brandName} ${needs} attention: ${title}`,
    paragraphs: ['Hello,', ...message.split('\n'), `It began on ${since}.`],
    button: { label: 'Open System', link: `${publicUrl}/admin/system` },
    closing: isOver
      ? 'No action is needed.'
      : 'You get this email once a day until the problem is resolved, and one more when it is.',
    validSeconds: noticeSeconds,
  }
}
