// What members can agree to: mails about releases, announcements, and notifications of a browser.

export const releaseMails = ['off', 'each', 'weekly'] as const
/** When releases are mailed: never, each at its publication, or once a week. */
export type ReleaseMail = (typeof releaseMails)[number]

export type ConsentKind = 'release_mail' | 'announcements' | 'push'

/** A screen of the app, the page that a link in a mail opens, or the button of a mail program (RFC 8058). */
export type ConsentWay = 'profile' | 'mail_link' | 'mail_program'

/** Of mails that need a consent. */
export type TrackedMailKind = 'release' | 'digest' | 'announcement'
