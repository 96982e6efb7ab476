// Accepting an invitation to create an account. The link in the email carries the token.
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

/** How many days an invitation link is valid. */
export const accountInvitationDays = 7
/**
 * The URL fragment that carries the token. Browsers do not send fragments to servers, so it appears in no log and is
 * not passed to other sites.
 */
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
    display_name: z.string().check(z.describe('The name entered by the admin. May be empty.')),
    role: z.enum(storedRoles).check(z.describe('The role of the new account.')),
  }),
  rateLimit: authLimits.mailTokenAddress,
  errors: ['invitation_invalid', 'email_exists'],
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/api/auth/invitations/accept',
  summary:
    'Accept an invitation: create an account with a confirmed address and sign in. The link works once.',
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
      .check(z.describe('If absent, the name entered by the admin is used.')),
    referral_code: z
      .optional(z.string().check(z.maxLength(100)))
      .check(z.describe("The referral code from a member's link. An unknown code is ignored.")),
    password: z
      .string()
      .check(z.maxLength(1000))
      .register(z.globalRegistry, { minLength: passwordMinLength, maxLength: passwordMaxLength }),
  }),
  output: z.object({ status: z.literal(true).check(z.describe('Always true.')) }),
  rateLimit: authLimits.mailTokenAddress,
  errors: ['invitation_invalid', 'email_exists', 'admin_password_too_short', ...newPasswordErrors],
})
