// News that members can subscribe to: emails about releases, announcements, and browser notifications.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const releaseMails = ['off', 'each', 'weekly'] as const
/** When release emails are sent: never, at each publication, or once a week. */
export type ReleaseMail = (typeof releaseMails)[number]

export type ConsentKind = 'release_mail' | 'announcements' | 'push'

/**
 * Where a consent was changed: on a screen of the app, on the page that a link in an email opens, with the unsubscribe
 * button of an email client (RFC 8058), or by marking an email as spam (RFC 5965).
 */
export type ConsentWay = 'profile' | 'mail_link' | 'mail_program' | 'complaint'

/** Kinds of email that are recorded per recipient, because they must not be sent twice. */
export type TrackedMailKind = 'release' | 'digest' | 'announcement' | 'figures'

export const defaultNewsMailsPerMinute = 60

/**
 * What reported that an address does not work: the mail server when the email was sent, or a bounce message later.
 */
export const refusalSources = ['server', 'bounce'] as const
export type RefusalSource = (typeof refusalSources)[number]

/** After this many consecutive permanent failures, an address no longer receives news. */
export const refusalsToSuspend = 3

/** The path of the preferences on the profile page. */
export const newsPreferencesPath = '/profile#news'

export const newsPreferences = z.object({
  follows_everything: z
    .boolean()
    .check(
      z.describe('Whether news covers everything that is published, not only followed artists.'),
    ),
  release_mail: z
    .enum(releaseMails)
    .check(z.describe('When release emails are sent: never, at each publication, or once a week.')),
  announcements: z
    .boolean()
    .check(
      z.describe(
        'Whether the member receives announcements, which are emails written by the owner.',
      ),
    ),
  mail_problem: z
    .nullable(z.enum(['unconfirmed', 'suspended']))
    .check(
      z.describe(
        'Why no email is sent: `unconfirmed` if the address is not confirmed, `suspended` if the mail server has refused it several times. Null if there is no problem.',
      ),
    ),
  followed_count: z.number().check(z.describe('The number of artists that the member follows.')),
})
export type NewsPreferences = z.infer<typeof newsPreferences>

export const getNewsPreferences = endpoint({
  method: 'GET',
  path: '/api/news-preferences',
  summary: "The member's news preferences. All are off by default.",
  access: 'member',
  output: newsPreferences,
})

export const updateNewsPreferences = endpoint({
  method: 'PATCH',
  path: '/api/news-preferences',
  summary:
    'Opt in to or out of release emails and announcements. Absent fields are not changed. Each change is recorded with its time. Requires a signed-in session, because an access token cannot give consent.',
  access: 'member',
  tokens: 'refused',
  body: z.object({
    follows_everything: z.optional(z.boolean()),
    release_mail: z.optional(z.enum(releaseMails)),
    announcements: z.optional(z.boolean()),
  }),
  output: newsPreferences,
})
