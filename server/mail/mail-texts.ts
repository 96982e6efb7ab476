// What Velour writes to people. Each mail says one thing and has at most one link.

export interface Mail {
  to: string
  subject: string
  /** Sentences before the button; the text version is made of the same. */
  paragraphs: string[]
  button: { label: string; link: string }
  /** Small print after the button. */
  closing: string
}

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
  }
}

export function confirmAddressMail(to: string, brandName: string, link: string): Mail {
  return {
    to,
    subject: `Welcome to ${brandName}: please confirm your address`,
    paragraphs: ['Hello and welcome,', 'One click, and we know that this address is really yours:'],
    button: { label: 'Confirm my address', link },
    closing: `The link works for one day. If you did not sign up for ${brandName}, please ignore this mail.`,
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
  }
}
