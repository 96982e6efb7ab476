// What members agree to be sent: mails about releases, announcements, and notifications of a browser.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const releaseMails = ['off', 'each', 'weekly'] as const
/** When releases are mailed: never, each at its publication, or once a week. */
export type ReleaseMail = (typeof releaseMails)[number]

export type ConsentKind = 'release_mail' | 'announcements' | 'push'

/**
 * A screen of the app, the page that a link in a mail opens, the button of a mail program (RFC 8058), or a mail that was
 * reported as spam (RFC 5965).
 */
export type ConsentWay = 'profile' | 'mail_link' | 'mail_program' | 'complaint'

/** Of mails that must not arrive twice. */
export type TrackedMailKind = 'release' | 'digest' | 'announcement' | 'figures'

export const defaultNewsMailsPerMinute = 60

/** Who said that an address does not work: the mail server at once, or a bounce that came later. */
export const refusalSources = ['server', 'bounce'] as const
export type RefusalSource = (typeof refusalSources)[number]

/** So many permanent refusals in a row, and an address gets no more news. */
export const refusalsToSuspend = 3

/** Where the profile shows the preferences. */
export const newsPreferencesPath = '/profile#news'

export const newsPreferences = z.object({
  follows_everything: z
    .boolean()
    .check(z.describe('News of everything that is published, and not only of followed artists.')),
  release_mail: z
    .enum(releaseMails)
    .check(z.describe('When releases are mailed: never, each at its publication, or once a week.')),
  announcements: z
    .boolean()
    .check(z.describe('The member gets mails that the owner writes to members.')),
  mail_problem: z
    .nullable(z.enum(['unconfirmed', 'suspended']))
    .check(
      z.describe(
        'Why nothing is mailed: the address is not confirmed, or the mail server has refused it several times.',
      ),
    ),
  followed_count: z.number().check(z.describe('Artists that the member follows.')),
})
export type NewsPreferences = z.infer<typeof newsPreferences>

export const getNewsPreferences = endpoint({
  method: 'GET',
  path: '/api/news-preferences',
  summary: 'What the member has agreed to be sent. Nothing at first.',
  access: 'member',
  output: newsPreferences,
})

export const updateNewsPreferences = endpoint({
  method: 'PATCH',
  path: '/api/news-preferences',
  summary:
    'Agree to mails about releases or to announcements, or refuse them; what is not named stays. Each change is recorded with its time. Only for a person who is signed in: an access token cannot consent.',
  access: 'member',
  tokens: 'refused',
  body: z.object({
    follows_everything: z.optional(z.boolean()),
    release_mail: z.optional(z.enum(releaseMails)),
    announcements: z.optional(z.boolean()),
  }),
  output: newsPreferences,
})
