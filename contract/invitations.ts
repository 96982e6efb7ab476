// Accepting an invitation to create an account. The link in the mail carries the token.
import * as z from 'zod/mini'
import {
  displayNameMaxLength,
  newPasswordErrors,
  passwordMaxLength,
  passwordMinLength,
} from './auth.ts'
import { endpoint } from './endpoint.ts'
import { cleanName } from './fields/clean-name.ts'
import { storedRoles } from './plans.ts'
import { authLimits } from './rate-limit.ts'

/** How long an invitation link works. */
export const accountInvitationDays = 7
/** The URL fragment that carries the token. Browsers never send fragments, so it reaches no log and no other site. */
export const accountInvitationHash = '#invitation='

const token = z.string().check(z.minLength(20), z.maxLength(100))

export const openInvitation = endpoint({
  method: 'POST',
  path: '/api/auth/invitations/open',
  summary: 'The contents of an invitation, before it is accepted. Changes nothing.',
  access: 'anyone',
  body: z.object({ token }),
  output: z.object({
    email: z.string(),
    display_name: z.string().check(z.describe('The name that the admin entered. May be empty.')),
    role: z.enum(storedRoles).check(z.describe('The role that the account will have.')),
  }),
  rateLimit: authLimits.mailTokenAddress,
  errors: ['invitation_invalid', 'email_exists'],
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/auth/invitations/accept',
  summary:
    'Create the account of an invitation, with a confirmed address, and sign in. The link works once.',
  access: 'anyone',
  body: z.object({
    token,
    name: z
      .optional(
        z
          .string()
          .check(
            z.overwrite(cleanName),
            z.maxLength(displayNameMaxLength),
            z.regex(/^[^\u0000]*$/),
          ),
      )
      .check(z.describe('Absent: the name that the admin entered.')),
    referral_code: z
      .optional(z.string().check(z.maxLength(100)))
      .check(z.describe('The code of the link of a member. An unknown one is ignored.')),
    password: z
      .string()
      .check(z.maxLength(1000))
      .register(z.globalRegistry, { minLength: passwordMinLength, maxLength: passwordMaxLength }),
  }),
  output: z.object({ status: z.literal(true) }),
  rateLimit: authLimits.mailTokenAddress,
  errors: ['invitation_invalid', 'email_exists', 'admin_password_too_short', ...newPasswordErrors],
})
