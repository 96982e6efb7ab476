// The inbox of the back office: messages of members, those of yearly members first.
import * as z from 'zod/mini'
import { timestamp } from '../../fields/dates.ts'
import { pageQuery, pagination } from '../../fields/pagination.ts'
import { endpoint } from '../../endpoint.ts'
import { adminMailLimit } from '../../rate-limit.ts'
import { supportMessage, supportStates, supportText, supportThread } from '../../support.ts'

export const supportPriorities = ['yearly', 'premium', 'free'] as const
export type SupportPriority = (typeof supportPriorities)[number]

const about = {
  user: z.object({ id: z.uuid(), email: z.string(), display_name: z.string() }),
  priority: z
    .enum(supportPriorities)
    .check(z.describe('The plan that the member has now. Yearly members come first.')),
}

export const inboxRow = z.object({
  id: z.uuid(),
  subject: z.string().check(z.describe('What the message is about, in one line.')),
  state: z.enum(supportStates),
  ...about,
  excerpt: z.string().check(z.describe('The beginning of the last message.')),
  message_count: z.number().check(z.describe('Of the member and of the owner together.')),
  waiting_since: z.nullable(timestamp).check(z.describe('Null: it waits for no answer.')),
  last_message_at: timestamp,
})
export type InboxRow = z.infer<typeof inboxRow>

export const adminThread = z.extend(supportThread, {
  ...about,
  messages: z
    .array(
      z.extend(supportMessage, {
        admin_name: z
          .nullable(z.string())
          .check(z.describe('Who wrote an answer, if it is known.')),
      }),
    )
    .check(z.describe('The oldest first.')),
})
export type AdminThread = z.infer<typeof adminThread>

const params = z.object({ id: z.uuid() })

export const listSupportInbox = endpoint({
  method: 'GET',
  path: '/api/admin-support',
  summary:
    'Messages of members. What is open comes first: by plan, then what has waited for longest.',
  access: 'admin',
  query: z.object({
    q: z.optional(z.string().check(z.maxLength(200))),
    state: z.optional(z.enum(supportStates)),
    user_id: z.optional(z.uuid()),
    ...pageQuery(20),
  }),
  output: z.object({
    data: z.array(inboxRow),
    pagination,
    open_count: z
      .number()
      .check(z.describe('How many wait for an answer, not only those that match the filters.')),
  }),
})

export const getSupportThread = endpoint({
  method: 'GET',
  path: '/api/admin-support/:id',
  summary: 'One message with its answers.',
  access: 'admin',
  params,
  output: adminThread,
  errors: ['message_not_found'],
})

export const answerSupportThread = endpoint({
  method: 'POST',
  path: '/api/admin-support/:id/answers',
  summary: 'Answer a message. The member finds it in the product, and gets it by mail.',
  access: 'admin',
  creates: true,
  audit: { support: ['create'] },
  params,
  body: z.object({
    text: supportText,
    closes: z.optional(z.boolean()).check(z.describe('Close the message with this answer.')),
  }),
  output: adminThread,
  rateLimit: adminMailLimit,
  errors: ['message_not_found', 'too_many_messages'],
})

export const changeSupportThread = endpoint({
  method: 'PATCH',
  path: '/api/admin-support/:id',
  summary: 'Close a message without an answer, or open it again.',
  access: 'admin',
  audit: { support: ['update'] },
  params,
  body: z.object({ state: z.enum(['open', 'closed']) }),
  output: adminThread,
  errors: ['message_not_found'],
})
