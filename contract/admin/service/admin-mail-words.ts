// The owner's words in mails, by kind.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { timestamp } from '../../fields/dates.ts'
import { mailKindNames, wordsMaxLength } from '../../mail/mail-kinds.ts'
import { adminMailLimit } from '../../rate-limit.ts'

const kind = z.enum(mailKindNames).check(z.describe('The kind of mail.'))

const words = {
  subject: z.nullable(z.string()).check(z.describe('The subject. Null: the default.')),
  opening: z
    .nullable(z.string())
    .check(z.describe('The paragraphs at the beginning. Null: the default.')),
  closing: z
    .nullable(z.string())
    .check(z.describe('Paragraphs before the small print. Null: none.')),
}

export const mailWordsOfKind = z.object({
  kind,
  title: z.string().check(z.describe('What the mail is about.')),
  variables: z.array(z.string()).check(z.describe('The variables that its words may contain.')),
  ...words,
  updated_at: z.nullable(timestamp).check(z.describe('Null: the words are the default.')),
  default_subject: z.string().check(z.describe('The subject without words of the owner.')),
  default_opening: z.string().check(z.describe('The beginning without words of the owner.')),
  fixed: z
    .array(z.string())
    .check(z.describe('What the mail says in any case, with made-up facts.')),
})
export type MailWordsOfKind = z.infer<typeof mailWordsOfKind>

const text = (name: keyof typeof wordsMaxLength) =>
  z
    .nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(wordsMaxLength[name])))
    .check(z.describe('Text with links and variables such as {{name}}. Null: the default.'))

const typed = z.object({
  subject: text('subject'),
  opening: text('opening'),
  closing: text('closing'),
})
const params = z.object({ kind })

export const listMailWords = endpoint({
  method: 'GET',
  path: '/api/admin-mail/words',
  summary: 'The words of each kind of mail to members.',
  access: 'admin',
  output: z.object({ data: z.array(mailWordsOfKind) }),
})

export const setMailWords = endpoint({
  method: 'PUT',
  path: '/api/admin-mail/words/:kind',
  summary: 'Save the words of a kind of mail. All null: back to the default.',
  access: 'admin',
  audit: { settings: ['update'] },
  params,
  body: typed,
  output: mailWordsOfKind,
})

export const previewMailWords = endpoint({
  method: 'POST',
  path: '/api/admin-mail/words/:kind/preview',
  summary: 'Show a mail with these words and made-up facts. Nothing is stored or sent.',
  access: 'admin',
  audit: 'reads',
  params,
  body: z.extend(typed, {
    theme: z.enum(['light', 'dark']).check(z.describe('For which theme of a mail program.')),
  }),
  output: z.object({
    subject: z.string().check(z.describe('The subject of the mail.')),
    html: z.string().check(z.describe('The mail as HTML, without style sheets.')),
    text: z.string().check(z.describe('The mail as text.')),
  }),
})

export const testMailWords = endpoint({
  method: 'POST',
  path: '/api/admin-mail/words/:kind/test',
  summary: 'Send a mail with these words and made-up facts to yourself.',
  access: 'admin',
  audit: 'reads',
  tokens: 'refused',
  params,
  body: typed,
  rateLimit: adminMailLimit,
})
