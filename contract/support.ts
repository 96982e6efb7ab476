// Conversations between members and the owner.
import * as z from 'zod/mini'
import { cleanName } from './fields/clean-name.ts'
import { timestamp } from './fields/dates.ts'
import { endpoint } from './endpoint.ts'
import { day } from './rate-limit.ts'

export const supportSubjectMaxLength = 120
export const supportTextMaxLength = 5000
/** Maximum number of a member's messages without a reply. */
export const maxOpenThreads = 10
export const maxMessagesPerThread = 200

export const supportStates = ['open', 'answered', 'closed'] as const
export type SupportState = (typeof supportStates)[number]

export const supportMessage = z.object({
  id: z.uuid(),
  is_answer: z.boolean().check(z.describe("Whether it was written by the owner's team.")),
  text: z.string(),
  created_at: timestamp,
})
export type SupportMessage = z.infer<typeof supportMessage>

const subjectNote = z.describe('The subject in one line.')

const state = z
  .enum(supportStates)
  .check(z.describe('`open`: waits for a reply. A new message reopens a closed conversation.'))

export const supportThread = z.object({
  id: z.uuid(),
  subject: z.string().check(subjectNote),
  state,
  messages: z.array(supportMessage).check(z.describe('Oldest first.')),
  last_message_at: timestamp,
  created_at: timestamp,
})
export type SupportThread = z.infer<typeof supportThread>

export const supportText = z
  .string()
  .check(z.trim(), z.minLength(1, 'Please write a message'), z.maxLength(supportTextMaxLength))

const limit = { name: 'support', per: 'account', count: 30, seconds: day } as const

export const listSupportThreads = endpoint({
  method: 'GET',
  path: '/api/support',
  summary: "The member's own conversations with the owner, the latest 50.",
  access: 'member',
  output: z.object({ data: z.array(supportThread) }),
})

export const createSupportThread = endpoint({
  method: 'POST',
  path: '/api/support',
  summary: 'Send a message to the owner.',
  access: 'member',
  creates: true,
  body: z.object({
    subject: z
      .string()
      .check(
        subjectNote,
        z.overwrite(cleanName),
        z.minLength(1, 'Subject is required'),
        z.maxLength(supportSubjectMaxLength),
      ),
    text: supportText,
  }),
  output: supportThread,
  rateLimit: limit,
  errors: ['too_many_messages'],
})

export const addSupportMessage = endpoint({
  method: 'POST',
  path: '/api/support/:id/messages',
  summary: 'Add a message to a conversation.',
  access: 'member',
  creates: true,
  params: z.object({ id: z.uuid() }),
  body: z.object({ text: supportText }),
  output: supportThread,
  rateLimit: limit,
  errors: ['message_not_found', 'too_many_messages'],
})
