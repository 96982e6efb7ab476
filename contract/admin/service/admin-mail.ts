// How the service sends mails: the mail server, the sender, and what waits.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields/dates.ts'
import { cleanName } from '../../fields/clean-name.ts'
import { mailFailureReasons, mailSecurities } from '../../mail/mail-server.ts'
import { readVersion, version } from '../../fields/versions.ts'
import { adminMailLimit, domainCheckLimit } from '../../rate-limit.ts'

const sources = ['environment', 'saved', 'none'] as const

const failure = z.object({
  reason: z.enum(mailFailureReasons).check(z.describe('Why it was not sent.')),
  reply: z
    .nullable(z.string())
    .check(z.describe('The reply of the mail server. Null: it sent none.')),
})

export const mailSettings = z.object({
  server_source: z
    .enum(sources)
    .check(
      z.describe('Where the mail server is set. `environment`: by SMTP_URL, which comes first.'),
    ),
  host: z.string().check(z.describe('The name of the mail server. Empty: there is none.')),
  port: z.number().check(z.describe('The port of the mail server.')),
  security: z.enum(mailSecurities).check(z.describe('How the connection is encrypted.')),
  user_name: z.string().check(z.describe('The user at the mail server. Empty: no login.')),
  has_password: z.boolean().check(z.describe('A password is set. It never comes back.')),
  sender_source: z
    .enum(sources)
    .check(z.describe('Where the sender is set. `environment`: by MAIL_FROM, which comes first.')),
  sender: z.string().check(z.describe('The sender as mails show it.')),
  from_name: z.nullable(z.string()).check(z.describe('Null: the name of the service.')),
  from_address: z.nullable(z.string()).check(z.describe('Null: the default address.')),
  reply_to: z.nullable(z.string()).check(z.describe('Where replies go. Null: to the sender.')),
  dkim_selector: z.string().check(z.describe('The selector of the DKIM key. Empty: unknown.')),
  updated_at: z.nullable(timestamp),
  version,
})
export type MailSettings = z.infer<typeof mailSettings>

export const mailAddress = z
  .string()
  .check(z.trim(), z.maxLength(254), z.regex(/^[^\s@<>",;]+@[^\s@<>",;]+$/))

/** Empty: there is none. */
const mailHost = z
  .string()
  .check(z.trim(), z.maxLength(253), z.regex(/^(?:[A-Za-z0-9._:-]*|\[[0-9a-f:]+\])$/i))

export const mailPasswordMaxLength = 500

/** The login at a mail server or a mailbox, as it is changed. */
export const serverLoginInput = {
  host: z.optional(mailHost),
  port: z
    .optional(z.int().check(z.minimum(1), z.maximum(65_535)))
    .check(z.describe('The port of the server.')),
  security: z
    .optional(z.enum(mailSecurities))
    .check(
      z.describe(
        'How the connection is encrypted. For a mailbox, `none` only on the same machine.',
      ),
    ),
  user_name: z
    .optional(z.string().check(z.trim(), z.maxLength(320)))
    .check(z.describe('Empty: the server wants no login.')),
  password: z
    .optional(z.string().check(z.maxLength(mailPasswordMaxLength)))
    .check(z.describe('Absent: unchanged. Empty: removed.')),
}

export const getMailSettings = endpoint({
  method: 'GET',
  path: '/api/admin-mail',
  summary: 'How mails are sent. The password of the mail server is never returned.',
  access: 'admin',
  output: mailSettings,
  versionAt: 'version',
})

export const updateMailSettings = endpoint({
  method: 'PATCH',
  path: '/api/admin-mail',
  summary:
    'Save how mails are sent. In effect on every instance at once. A new host needs its password again.',
  access: 'admin',
  audit: { settings: ['update'] },
  needsConfirmation: true,
  tokens: 'refused',
  body: z.object({
    settings: z
      .object({
        ...serverLoginInput,
        from_name: z.optional(
          z.nullable(z.string().check(z.overwrite(cleanName), z.minLength(1), z.maxLength(60))),
        ),
        from_address: z
          .optional(z.nullable(mailAddress))
          .check(z.describe('Null: the default address.')),
        reply_to: z.optional(z.nullable(mailAddress)).check(z.describe('Null: to the sender.')),
        dkim_selector: z
          .optional(z.string().check(z.trim(), z.maxLength(63), z.regex(/^[A-Za-z0-9._-]*$/)))
          .check(z.describe('Empty: unknown.')),
      })
      .check(z.describe('Absent fields are not changed.')),
    version: readVersion,
  }),
  output: mailSettings,
  versionAt: 'version',
  errors: ['changed_meanwhile', 'mail_password_again', 'set_in_environment'],
})

export const getMailState = endpoint({
  method: 'GET',
  path: '/api/admin-mail/state',
  summary: 'How many mails wait, and what the mail server answered last.',
  access: 'admin',
  output: z.object({
    queued: z.number().check(z.describe('Mails that wait for the mail server.')),
    kept: z
      .number()
      .check(
        z.describe('Mails of the outbox folder that can be sent once there is a mail server.'),
      ),
    sent_at: z.nullable(timestamp).check(z.describe('When a mail was sent last. Null: never.')),
    failed_at: z.nullable(timestamp).check(z.describe('Null: the last mail was sent.')),
    failure: z.nullable(failure).check(z.describe('Null: the last mail was sent.')),
  }),
})

export const retryMails = endpoint({
  method: 'POST',
  path: '/api/admin-mail/retry',
  summary: 'Try the mails that wait now, and those of the outbox folder.',
  access: 'admin',
  audit: { job: ['retry'] },
  output: z.object({ retried: z.number().check(z.describe('How many are tried now.')) }),
  errors: ['mail_not_set_up'],
})

export const sendTestMail = endpoint({
  method: 'POST',
  path: '/api/admin-mail/test',
  summary:
    'Send a mail to yourself through the mail server that is set up, and report how it went.',
  access: 'admin',
  audit: 'reads',
  needsConfirmation: true,
  tokens: 'refused',
  output: z.object({
    to: z.string().check(z.describe('Where it was sent.')),
    failure: z.nullable(failure).check(z.describe('Null: the mail server has taken it.')),
  }),
  rateLimit: adminMailLimit,
  errors: ['mail_not_set_up'],
})

export const domainCheckNames = ['spf', 'dkim', 'dmarc'] as const
export const domainCheckStates = ['good', 'weak', 'wrong', 'missing', 'unknown'] as const
export type DomainCheckState = (typeof domainCheckStates)[number]

export const domainCheck = z.object({
  check: z.enum(domainCheckNames).check(z.describe('What was looked up.')),
  name: z.string().check(z.describe('The name in the DNS.')),
  state: z
    .enum(domainCheckStates)
    .check(z.describe('Whether it is right. `unknown`: the DNS did not answer.')),
  message: z.string().check(z.describe('What was found, and what to do.')),
  found: z.array(z.string()).check(z.describe('The records that were found.')),
  record: z
    .nullable(z.string())
    .check(z.describe('The value of the TXT record to set. Null: there is nothing to copy.')),
})
export type DomainCheck = z.infer<typeof domainCheck>

export const checkMailDomain = endpoint({
  method: 'GET',
  path: '/api/admin-mail/domain',
  summary: "Look up SPF, DKIM and DMARC of the sender's domain, with advice.",
  access: 'admin',
  tokens: 'refused',
  output: z.object({
    domain: z.string().check(z.describe("The domain of the sender's address.")),
    checks: z.array(domainCheck).check(z.describe('SPF, DKIM and DMARC.')),
  }),
  rateLimit: domainCheckLimit,
})
