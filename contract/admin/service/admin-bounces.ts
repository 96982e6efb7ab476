// Bounces that arrive as mail: the mailbox that they go to, and what was read.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields/dates.ts'
import { readVersion, version } from '../../fields/versions.ts'
import { mailboxFailureReasons } from '../../mail/bounce-mailbox.ts'
import { mailSecurities } from '../../mail/mail-server.ts'
import { adminMailLimit } from '../../rate-limit.ts'
import { mailAddress, serverLoginInput } from './admin-mail.ts'

const failure = z.object({
  reason: z.enum(mailboxFailureReasons).check(z.describe('Why it could not be read.')),
  reply: z
    .nullable(z.string())
    .check(z.describe('The reply of the IMAP server. Null: it sent none.')),
})
export type MailboxFailure = z.infer<typeof failure>

export const bounceSettings = z.object({
  mailbox_source: z
    .enum(['environment', 'saved', 'none'])
    .check(
      z.describe(
        'Where the mailbox is set. `environment`: by BOUNCE_MAILBOX_URL, which comes first.',
      ),
    ),
  host: z.string().check(z.describe('The name of the IMAP server. Empty: no mailbox is read.')),
  port: z.number().check(z.describe('The port of the IMAP server.')),
  security: z.enum(mailSecurities).check(z.describe('How the connection is encrypted.')),
  user_name: z.string().check(z.describe('The user of the mailbox.')),
  has_password: z.boolean().check(z.describe('A password is set. It never comes back.')),
  folder: z.string().check(z.describe('The folder that is read.')),
  is_address_set: z.boolean().check(z.describe('BOUNCE_ADDRESS sets the address for bounces.')),
  bounce_address: z
    .nullable(z.string())
    .check(z.describe('The envelope sender of all mails. Null: the sender.')),
  updated_at: z.nullable(timestamp),
  version,
})
export type BounceSettings = z.infer<typeof bounceSettings>

export const getBounceSettings = endpoint({
  method: 'GET',
  path: '/api/admin-mail/bounces',
  summary: 'Where bounces are read. The password of the mailbox is never returned.',
  access: 'admin',
  output: bounceSettings,
  versionAt: 'version',
})

export const updateBounceSettings = endpoint({
  method: 'PATCH',
  path: '/api/admin-mail/bounces',
  summary:
    'Save where bounces are read. In effect on every instance at once. A new host needs its password again.',
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
          .check(z.describe('The folder that is read, usually INBOX.')),
        bounce_address: z.optional(z.nullable(mailAddress)).check(z.describe('Null: the sender.')),
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
  summary: 'What was read from the mailbox for bounces, and what it answered last.',
  access: 'admin',
  output: z.object({
    read: count('Mails that were read.'),
    bounced: count('Reports of a mail of this service that was not delivered.'),
    complaints: count('Reports of a mail of this service that was marked as spam.'),
    ignored: count(
      'Mails that were no such report, or about mails that this service did not send.',
    ),
    read_at: z.nullable(timestamp).check(z.describe('When it was read last. Null: never.')),
    failed_at: z.nullable(timestamp).check(z.describe('Null: it was read the last time.')),
    failure: z.nullable(failure).check(z.describe('Null: it was read the last time.')),
  }),
})

export const testBounceMailbox = endpoint({
  method: 'POST',
  path: '/api/admin-mail/bounces/test',
  summary: 'Open the mailbox that is set up, change nothing in it, and report how it went.',
  access: 'admin',
  audit: 'reads',
  needsConfirmation: true,
  tokens: 'refused',
  output: z.object({
    mails: z
      .nullable(z.number())
      .check(z.describe('How many mails are in the folder. Null: it could not be opened.')),
    failure: z.nullable(failure).check(z.describe('Null: the folder could be opened.')),
  }),
  rateLimit: adminMailLimit,
  errors: ['mailbox_not_set_up'],
})
