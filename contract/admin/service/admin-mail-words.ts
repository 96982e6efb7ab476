// Email texts changed by the owner, by kind of email.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields/dates.ts'
import { mailKindNames, wordsMaxLength } from '../../mail/mail-kinds.ts'
import { adminMailLimit } from '../../rate-limit.ts'

const kind = z.enum(mailKindNames).check(z.describe('The kind of email.'))

const words = {
  subject: z.nullable(z.string()).check(z.describe('The subject. Null for the default.')),
  opening: z
    .nullable(z.string())
    .check(z.describe('The opening paragraphs. Null for the default.')),
  closing: z
    .nullable(z.string())
    .check(z.describe('Paragraphs before the fine print. Null if there are none.')),
}

export const mailWordsOfKind = z.object({
  kind,
  title: z.string().check(z.describe('A short title for this kind of email.')),
  variables: z.array(z.string()).check(z.describe('The variables that the texts may contain.')),
  ...words,
  updated_at: z.nullable(timestamp).check(z.describe('Null if the default texts are used.')),
  default_subject: z.string().check(z.describe('The default subject.')),
  default_opening: z.string().check(z.describe('The default opening.')),
  fixed: z
    .array(z.string())
    .check(z.describe('The parts of the email that cannot be changed, with sample data.')),
})
export type MailWordsOfKind = z.infer<typeof mailWordsOfKind>

const text = (name: keyof typeof wordsMaxLength) =>
  z
    .nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(wordsMaxLength[name])))
    .check(z.describe('Text with links and variables such as {{name}}. Null for the default.'))

const typed = z.object({
  subject: text('subject'),
  opening: text('opening'),
  closing: text('closing'),
})
const params = z.object({ kind })

export const listMailWords = endpoint({
  method: 'GET',
  path: '/api/admin-mail/words',
  summary: 'The texts of each kind of email to members.',
  access: 'admin',
  output: z.object({ data: z.array(mailWordsOfKind) }),
})

export const setMailWords = endpoint({
  method: 'PUT',
  path: '/api/admin-mail/words/:kind',
  summary: 'Save the texts of a kind of email. If all are null, the default is restored.',
  access: 'admin',
  audit: { settings: ['update'] },
  params,
  body: typed,
  output: mailWordsOfKind,
})

export const previewMailWords = endpoint({
  method: 'POST',
  path: '/api/admin-mail/words/:kind/preview',
  summary: 'Preview an email with these texts and sample data. Nothing is stored or sent.',
  access: 'admin',
  audit: 'reads',
  params,
  body: z.extend(typed, {
    theme: z.enum(['light', 'dark']).check(z.describe("The email client's theme.")),
  }),
  output: z.object({
    subject: z.string().check(z.describe('The subject of the email.')),
    html: z.string().check(z.describe('The email as HTML, without style sheets.')),
    text: z.string().check(z.describe('The email as plain text.')),
  }),
})

export const testMailWords = endpoint({
  method: 'POST',
  path: '/api/admin-mail/words/:kind/test',
  summary: 'Send an email with these texts and sample data to yourself.',
  access: 'admin',
  audit: 'reads',
  tokens: 'refused',
  params,
  body: typed,
  rateLimit: adminMailLimit,
})
