// The support inbox: conversations with members. Those of yearly members come first.
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
    .check(z.describe("The member's current plan. Yearly members come first.")),
}

export const inboxRow = z.object({
  id: z.uuid(),
  subject: z.string().check(z.describe('The subject in one line.')),
  state: z.enum(supportStates),
  ...about,
  excerpt: z.string().check(z.describe('The beginning of the latest message.')),
  message_count: z
    .number()
    .check(z.describe("The number of messages, from the member and the owner's team together.")),
  waiting_since: z
    .nullable(timestamp)
    .check(z.describe('Since when it has been waiting for a reply. Null if no reply is due.')),
  last_message_at: timestamp,
})
export type InboxRow = z.infer<typeof inboxRow>

export const adminThread = z.extend(supportThread, {
  ...about,
  messages: z
    .array(
      z.extend(supportMessage, {
        admin_name: z.nullable(z.string()).check(z.describe('Who wrote the reply, if known.')),
      }),
    )
    .check(z.describe('Oldest first.')),
})
export type AdminThread = z.infer<typeof adminThread>

const params = z.object({ id: z.uuid() })

export const listSupportInbox = endpoint({
  method: 'GET',
  path: '/api/admin-support',
  summary:
    'Conversations with members. Open ones come first, ordered by plan and then by waiting time, longest first.',
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
      .check(
        z.describe('The number of conversations that wait for a reply, regardless of the filters.'),
      ),
  }),
})

export const getSupportThread = endpoint({
  method: 'GET',
  path: '/api/admin-support/:id',
  summary: 'A conversation with all its messages.',
  access: 'admin',
  params,
  output: adminThread,
  errors: ['message_not_found'],
})

export const answerSupportThread = endpoint({
  method: 'POST',
  path: '/api/admin-support/:id/answers',
  summary:
    'Reply to a conversation. The member sees the reply in the app and receives it by email.',
  access: 'admin',
  creates: true,
  audit: { support: ['create'] },
  params,
  body: z.object({
    text: supportText,
    closes: z
      .optional(z.boolean())
      .check(z.describe('Whether to close the conversation with this reply.')),
  }),
  output: adminThread,
  rateLimit: adminMailLimit,
  errors: ['message_not_found', 'too_many_messages'],
})

export const changeSupportThread = endpoint({
  method: 'PATCH',
  path: '/api/admin-support/:id',
  summary: 'Close a conversation without a reply, or reopen it.',
  access: 'admin',
  audit: { support: ['update'] },
  params,
  body: z.object({ state: z.enum(['open', 'closed']) }),
  output: adminThread,
  errors: ['message_not_found'],
})
