// Email settings: the mail server, the sender, and the queue.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields/dates.ts'
import { cleanName } from '../../fields/clean-name.ts'
import { mailFailureReasons, mailSecurities } from '../../mail/mail-server.ts'
import { readVersion, version } from '../../fields/versions.ts'
import { adminMailLimit, domainCheckLimit } from '../../rate-limit.ts'

const sources = ['environment', 'saved', 'none'] as const

const failure = z.object({
  reason: z.enum(mailFailureReasons).check(z.describe('Why the email was not sent.')),
  reply: z.nullable(z.string()).check(z.describe("The mail server's reply. Null if it sent none.")),
})

export const mailSettings = z.object({
  server_source: z
    .enum(sources)
    .check(
      z.describe(
        'Where the mail server is configured. `environment`: by SMTP_URL, which takes precedence.',
      ),
    ),
  host: z
    .string()
    .check(z.describe('The host name of the mail server. Empty if none is configured.')),
  port: z.number().check(z.describe('The port of the mail server.')),
  security: z.enum(mailSecurities).check(z.describe('How the connection is encrypted.')),
  user_name: z.string().check(z.describe('The user name for the mail server. Empty for no login.')),
  has_password: z
    .boolean()
    .check(z.describe('Whether a password is stored. The password is never returned.')),
  sender_source: z
    .enum(sources)
    .check(
      z.describe(
        'Where the sender is configured. `environment`: by MAIL_FROM, which takes precedence.',
      ),
    ),
  sender: z.string().check(z.describe('The sender as shown in emails.')),
  from_name: z.nullable(z.string()).check(z.describe('Null for the name of the service.')),
  from_address: z.nullable(z.string()).check(z.describe('Null for the default address.')),
  reply_to: z
    .nullable(z.string())
    .check(z.describe("Where replies are sent. Null for the sender's address.")),
  dkim_selector: z.string().check(z.describe('The DKIM selector. Empty if unknown.')),
  updated_at: z.nullable(timestamp),
  version,
})
export type MailSettings = z.infer<typeof mailSettings>

export const mailAddress = z
  .string()
  .check(z.trim(), z.maxLength(254), z.regex(/^[^\s@<>",;]+@[^\s@<>",;]+$/))

/** Empty if no mail server is used. */
const mailHost = z
  .string()
  .check(z.trim(), z.maxLength(253), z.regex(/^(?:[A-Za-z0-9._:-]*|\[[0-9a-f:]+\])$/i))

export const mailPasswordMaxLength = 500

/** Changes to the login of a mail server or mailbox. */
export const serverLoginInput = {
  host: z.optional(mailHost),
  port: z
    .optional(z.int().check(z.minimum(1), z.maximum(65_535)))
    .check(z.describe('The port of the server.')),
  security: z
    .optional(z.enum(mailSecurities))
    .check(
      z.describe(
        'How the connection is encrypted. For a mailbox, `none` is allowed only on the same machine.',
      ),
    ),
  user_name: z
    .optional(z.string().check(z.trim(), z.maxLength(320)))
    .check(z.describe('Empty if the server requires no login.')),
  password: z
    .optional(z.string().check(z.maxLength(mailPasswordMaxLength)))
    .check(z.describe('If absent, the password is not changed. Empty removes it.')),
}

export const getMailSettings = endpoint({
  method: 'GET',
  path: '/api/admin-mail',
  summary: "The email settings. The mail server's password is never returned.",
  access: 'admin',
  output: mailSettings,
  versionAt: 'version',
})

export const updateMailSettings = endpoint({
  method: 'PATCH',
  path: '/api/admin-mail',
  summary:
    'Save the email settings. They take effect on all instances immediately. If the host changes, the password must be entered again.',
  access: 'admin',
  audit: { settings: ['update'] },
  needsConfirmation: true,
  tokens: 'refused',
  body: z.object({
    settings: z
      .object({
        ...serverLoginInput,
        from_name: z
          .optional(
            z.nullable(z.string().check(z.overwrite(cleanName), z.minLength(1), z.maxLength(60))),
          )
          .check(z.describe('Null for the name of the service.')),
        from_address: z
          .optional(z.nullable(mailAddress))
          .check(z.describe('Null for the default address.')),
        reply_to: z
          .optional(z.nullable(mailAddress))
          .check(z.describe("Null for the sender's address.")),
        dkim_selector: z
          .optional(z.string().check(z.trim(), z.maxLength(63), z.regex(/^[A-Za-z0-9._-]*$/)))
          .check(z.describe('The DKIM selector. Empty if unknown.')),
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
  summary: 'The number of queued emails, and the last failure of the mail server.',
  access: 'admin',
  output: z.object({
    queued: z.number().check(z.describe('Emails queued for the mail server.')),
    kept: z
      .number()
      .check(
        z.describe(
          'Emails in the outbox folder that can be sent once a mail server is configured.',
        ),
      ),
    sent_at: z.nullable(timestamp).check(z.describe('When an email was last sent. Null if never.')),
    failed_at: z.nullable(timestamp).check(z.describe('Null if the last email was sent.')),
    failure: z.nullable(failure).check(z.describe('Null if the last email was sent.')),
  }),
})

export const retryMails = endpoint({
  method: 'POST',
  path: '/api/admin-mail/retry',
  summary: 'Retry the queued emails now, including those in the outbox folder.',
  access: 'admin',
  audit: { job: ['retry'] },
  output: z.object({ retried: z.number().check(z.describe('The number of emails retried.')) }),
  errors: ['mail_not_set_up'],
})

export const sendTestMail = endpoint({
  method: 'POST',
  path: '/api/admin-mail/test',
  summary:
    'Send a test email to yourself through the configured mail server, and report the result.',
  access: 'admin',
  audit: 'reads',
  needsConfirmation: true,
  tokens: 'refused',
  output: z.object({
    to: z.string().check(z.describe('The address it was sent to.')),
    failure: z.nullable(failure).check(z.describe('Null if the mail server accepted the email.')),
  }),
  rateLimit: adminMailLimit,
  errors: ['mail_not_set_up'],
})

export const domainCheckNames = ['spf', 'dkim', 'dmarc'] as const
export const domainCheckStates = ['good', 'weak', 'wrong', 'missing', 'unknown'] as const
export type DomainCheckState = (typeof domainCheckStates)[number]

export const domainCheck = z.object({
  check: z.enum(domainCheckNames).check(z.describe('Which record was looked up.')),
  name: z.string().check(z.describe('The DNS name.')),
  state: z
    .enum(domainCheckStates)
    .check(z.describe('Whether the record is correct. `unknown`: the DNS did not respond.')),
  message: z.string().check(z.describe('What was found, and what to do.')),
  found: z.array(z.string()).check(z.describe('The records that were found.')),
  record: z
    .nullable(z.string())
    .check(z.describe('The value of the TXT record to set. Null if there is nothing to copy.')),
})
export type DomainCheck = z.infer<typeof domainCheck>

export const checkMailDomain = endpoint({
  method: 'GET',
  path: '/api/admin-mail/domain',
  summary: "Look up the SPF, DKIM and DMARC records of the sender's domain, and return advice.",
  access: 'admin',
  tokens: 'refused',
  output: z.object({
    domain: z.string().check(z.describe("The domain of the sender's address.")),
    checks: z.array(domainCheck).check(z.describe('SPF, DKIM and DMARC.')),
  }),
  rateLimit: domainCheckLimit,
})
