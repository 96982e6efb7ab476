// Bounce processing: the mailbox that receives bounces, and the results of reading it.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields/dates.ts'
import { readVersion, version } from '../../fields/versions.ts'
import { mailboxFailureReasons } from '../../mail/bounce-mailbox.ts'
import { mailSecurities } from '../../mail/mail-server.ts'
import { adminMailLimit } from '../../rate-limit.ts'
import { mailAddress, serverLoginInput } from './admin-mail.ts'

const failure = z.object({
  reason: z.enum(mailboxFailureReasons).check(z.describe('Why the mailbox could not be read.')),
  reply: z.nullable(z.string()).check(z.describe("The IMAP server's reply. Null if it sent none.")),
})
export type MailboxFailure = z.infer<typeof failure>

export const bounceSettings = z.object({
  mailbox_source: z
    .enum(['environment', 'saved', 'none'])
    .check(
      z.describe(
        'Where the mailbox is configured. `environment`: by BOUNCE_MAILBOX_URL, which takes precedence.',
      ),
    ),
  host: z
    .string()
    .check(z.describe('The host name of the IMAP server. Empty if no mailbox is configured.')),
  port: z.number().check(z.describe('The port of the IMAP server.')),
  security: z.enum(mailSecurities).check(z.describe('How the connection is encrypted.')),
  user_name: z.string().check(z.describe('The user name of the mailbox.')),
  has_password: z
    .boolean()
    .check(z.describe('Whether a password is stored. The password is never returned.')),
  folder: z.string().check(z.describe('The folder to read.')),
  is_address_set: z
    .boolean()
    .check(z.describe('Whether BOUNCE_ADDRESS sets the address for bounces.')),
  bounce_address: z
    .nullable(z.string())
    .check(z.describe("The envelope sender of all emails. Null if it is the sender's address.")),
  updated_at: z.nullable(timestamp),
  version,
})
export type BounceSettings = z.infer<typeof bounceSettings>

export const getBounceSettings = endpoint({
  method: 'GET',
  path: '/api/admin-mail/bounces',
  summary: 'The settings of the bounce mailbox. Its password is never returned.',
  access: 'admin',
  output: bounceSettings,
  versionAt: 'version',
})

export const updateBounceSettings = endpoint({
  method: 'PATCH',
  path: '/api/admin-mail/bounces',
  summary:
    'Save the settings of the bounce mailbox. They take effect on all instances immediately. If the host changes, the password must be entered again.',
  access: 'admin',
  audit: { settings: ['update'] },
  needsConfirmation: true,
  tokens: 'refused',
  body: z.object({
    settings: z
      .object({
        ...serverLoginInput,
        folder: z
          .optional(
            z.string().check(z.trim(), z.minLength(1), z.maxLength(200), z.regex(/^\P{Cc}+$/u)),
          )
          .check(z.describe('The folder to read, usually INBOX.')),
        bounce_address: z
          .optional(z.nullable(mailAddress))
          .check(z.describe("Null to use the sender's address.")),
      })
      .check(z.describe('Absent fields are not changed.')),
    version: readVersion,
  }),
  output: bounceSettings,
  versionAt: 'version',
  errors: ['changed_meanwhile', 'mail_password_again', 'mailbox_unencrypted', 'set_in_environment'],
})

const count = (text: string) => z.number().check(z.describe(text))

export const getBounceState = endpoint({
  method: 'GET',
  path: '/api/admin-mail/bounces/state',
  summary: 'What has been read from the bounce mailbox, and the last failure.',
  access: 'admin',
  output: z.object({
    read: count('Emails read.'),
    bounced: count('Reports that an email of this service was not delivered.'),
    complaints: count('Reports that an email of this service was marked as spam.'),
    ignored: count(
      'Emails that were not such reports, or that concerned emails not sent by this service.',
    ),
    read_at: z
      .nullable(timestamp)
      .check(z.describe('When the mailbox was last read. Null if never.')),
    failed_at: z.nullable(timestamp).check(z.describe('Null if the last attempt succeeded.')),
    failure: z.nullable(failure).check(z.describe('Null if the last attempt succeeded.')),
  }),
})

export const testBounceMailbox = endpoint({
  method: 'POST',
  path: '/api/admin-mail/bounces/test',
  summary: 'Open the configured mailbox without changing anything in it, and report the result.',
  access: 'admin',
  audit: 'reads',
  needsConfirmation: true,
  tokens: 'refused',
  output: z.object({
    mails: z
      .nullable(z.number())
      .check(z.describe('Number of emails in the folder. Null if the folder could not be opened.')),
    failure: z.nullable(failure).check(z.describe('Null if the folder could be opened.')),
  }),
  rateLimit: adminMailLimit,
  errors: ['mailbox_not_set_up'],
})
