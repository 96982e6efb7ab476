// What Velour writes to people. Each mail says one thing and has at most one link.
import * as z from 'zod/mini'

export const mail = z.object({
  to: z.string(),
  subject: z.string(),
  /** Sentences before the button; the text version is made of the same. */
  paragraphs: z.array(z.string()),
  button: z.object({ label: z.string(), link: z.string() }),
  /** Small print after the button. */
  closing: z.string(),
  /** After this the link is void, and the mail no longer worth sending. */
  validSeconds: z.number(),
})
export type Mail = z.infer<typeof mail>

/** How long links are good for; the mails say so in words. */
export const resetLinkSeconds = 3600
export const confirmLinkSeconds = 24 * 3600

export function passwordResetMail(to: string, brandName: string, link: string): Mail {
  return {
    to,
    subject: `Choose a new ${brandName} password`,
    paragraphs: [
      'Hello,',
      `Someone, hopefully you, asked for a new password for your ${brandName} account. You can choose one here:`,
    ],
    button: { label: 'Choose a new password', link },
    closing:
      'The link works once, within the next hour. Choosing a new password signs you out everywhere. ' +
      'If this was not you, there is nothing to do: your password stays as it is.',
    validSeconds: resetLinkSeconds,
  }
}

export function confirmAddressMail(to: string, brandName: string, link: string): Mail {
  return {
    to,
    subject: `Welcome to ${brandName}: please confirm your address`,
    paragraphs: ['Hello and welcome,', 'One click, and we know that this address is really yours:'],
    button: { label: 'Confirm my address', link },
    closing: `The link works for one day. If you did not sign up for ${brandName}, please ignore this mail.`,
    validSeconds: confirmLinkSeconds,
  }
}

/** Sent instead of an error on the page, which would tell strangers who has an account. */
export function accountExistsMail(to: string, brandName: string, link: string): Mail {
  return {
    to,
    subject: `You already have a ${brandName} account`,
    paragraphs: [
      'Hello again,',
      `Someone, hopefully you, just tried to sign up for ${brandName} with this address, which has an account already. ` +
        'Nothing was changed. You can simply sign in, or ask for a new password there:',
    ],
    button: { label: 'Go to sign in', link },
    closing: 'If this was not you, there is nothing to do.',
    validSeconds: 24 * 3600,
  }
}
