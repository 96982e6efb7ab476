// The member's sessions: listing them, ending them, and confirming one with the password or a code.
import * as z from 'zod/mini'
import { timestamp } from './fields/dates.ts'
import { endpoint } from './endpoint.ts'
import { authLimits } from './rate-limit.ts'

export const session = z.object({
  id: z.uuid(),
  created_at: timestamp,
  updated_at: timestamp.check(
    z.describe('Last renewal, at most a day ago while the session is in use.'),
  ),
  expires_at: timestamp,
  ip_address: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  is_current: z.boolean().check(z.describe('Whether it is the session of this request.')),
})
export type Session = z.infer<typeof session>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/sessions',
  summary: "The member's own sessions, newest first.",
  access: 'member',
  tokens: 'refused',
  output: z.object({ data: z.array(session) }),
})

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/sessions/:id',
  summary: 'Sign out of one session.',
  access: 'member',
  tokens: 'refused',
  params: z.object({ id: z.uuid() }),
  errors: ['not_found'],
})

export const endAllSessions = endpoint({
  method: 'DELETE',
  path: '/api/sessions',
  summary: 'Sign out everywhere, including this session.',
  access: 'member',
  tokens: 'refused',
})

/** How long a confirmation with password or code is valid. */
export const confirmationSeconds = 10 * 60

/** Lifetime of an admin's session, counted from the sign-in. */
export const adminSessionSeconds = 12 * 3600

const confirmed = z.object({ status: z.literal(true).check(z.describe('Always true.')) })

// The path is below /api/auth, although the operation is not part of better-auth. The cookie that marks known
// browsers is sent only to paths below it. This cookie exempts the browser from delays caused by other people's
// failed attempts.

export const confirmSession = endpoint({
  method: 'POST',
  path: '/api/auth/confirmation',
  summary:
    'Confirm your identity with the password, or with a code from the authenticator app if two-factor authentication is enabled. The confirmation is valid for 10 minutes in this session. Failed attempts count toward the sign-in limits.',
  access: 'member',
  body: z.union([
    z.object({ password: z.string().check(z.minLength(1), z.maxLength(1000)) }),
    z.object({ code: z.string().check(z.trim(), z.minLength(1), z.maxLength(50)) }),
  ]),
  output: confirmed,
  duringMaintenance: true,
  rateLimit: [authLimits.signIn, authLimits.signInAddress],
  errors: ['password_wrong', 'two_factor_invalid', 'two_factor_off'],
})

export const checkConfirmation = endpoint({
  method: 'GET',
  path: '/api/auth/confirmation',
  summary:
    'Succeeds while a confirmation is valid. To be called before the browser downloads a file directly.',
  access: 'creator',
  owned: 'filtered',
  needsConfirmation: true,
  output: confirmed,
})
