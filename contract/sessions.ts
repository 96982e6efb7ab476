// A member's sessions, and ending them.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const session = z.object({
  id: z.uuid(),
  created_at: z.string(),
  /** Last renewal, at most a day ago while the session is in use. */
  updated_at: z.string(),
  expires_at: z.string(),
  ip_address: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  /** The session of this request. */
  is_current: z.boolean(),
})
export type Session = z.infer<typeof session>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/sessions',
  summary: "The member's own sessions, newest first.",
  access: 'member',
  output: z.object({ data: z.array(session) }),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/sessions/:id',
  summary: 'Sign out on one device.',
  access: 'member',
  params: z.object({ id: z.uuid() }),
  errors: ['not_found'],
})

export const endAllSessions = endpoint({
  method: 'DELETE',
  path: '/api/sessions',
  summary: 'Sign out everywhere, here too.',
  access: 'member',
})
