// Sign-up, sign-in and sign-out. Paths and field names below /api/auth are those of better-auth, whose other operations
// are not reachable. The session token is sent in an HttpOnly cookie, never in a body.
import * as z from 'zod/mini'
import { cleanName } from './fields/clean-name.ts'
import { endpoint } from './endpoint.ts'
import { timestamp } from './fields/dates.ts'
import { readReturnPath, returnPathMaxLength, signInPath } from './return-path.ts'
import { authLimits } from './rate-limit.ts'

export const passwordMinLength = 8
/** Minimum length of new admin passwords. */
export const adminPasswordMinLength = 12
export const passwordMaxLength = 128
export const emailMaxLength = 320
export const displayNameMaxLength = 100

/** Query parameters of email links that open the sign-in screen. */
export const resetTokenParam = 'token'
export const confirmedParam = 'confirmed'
export const linkErrorParam = 'error'

// Only the length is checked here, because invalid addresses and passwords have error codes of their own. The format is
// documentation.
const email = z.string().check(z.maxLength(1000)).register(z.globalRegistry, {
  format: 'email',
  pattern: z.regexes.email.source,
  maxLength: emailMaxLength,
})
const password = z
  .string()
  .check(z.maxLength(1000))
  .register(z.globalRegistry, { maxLength: passwordMaxLength })
const newPassword = z
  .string()
  .check(z.maxLength(1000))
  .register(z.globalRegistry, { minLength: passwordMinLength, maxLength: passwordMaxLength })
export const newPasswordErrors = [
  'password_too_short',
  'password_too_long',
  'password_too_common',
] as const
const token = z.string().check(z.minLength(1), z.maxLength(2000))
const code = z.string().check(z.trim(), z.minLength(1), z.maxLength(50))
// PostgreSQL's text cannot store U+0000.
const name = z
  .string()
  .check(z.overwrite(cleanName), z.maxLength(displayNameMaxLength), z.regex(/^[^\u0000]*$/))

/**
 * The page to open next: the sign-in screen, or a page of this site. If that page requires sign-in, the sign-in
 * screen opens first and leads to it.
 */
const redirectTo = z.string().check(
  z.maxLength(returnPathMaxLength),
  z.refine((path) => path === signInPath || readReturnPath(path) !== null),
)

const done = z.object({ status: z.literal(true).check(z.describe('Always true.')) })

export const signUp = endpoint({
  method: 'POST',
  path: '/api/auth/sign-up/email',
  summary:
    "Create an account. This does not sign the person in. If the address already has an account, the response is the same and the account's owner is notified by email.",
  access: 'anyone',
  body: z.object({
    email,
    password: newPassword,
    name: z.optional(name),
    redirectTo: z
      .optional(redirectTo)
      .check(z.describe('Where the link in the confirmation email leads.')),
    referral_code: z
      .optional(z.string().check(z.maxLength(100)))
      .check(z.describe("The referral code from a member's link. An unknown code is ignored.")),
  }),
  output: z.object({
    confirmEmail: z
      .boolean()
      .check(
        z.describe(
          'Whether sign-in is refused until the address has been confirmed with the link in the email.',
        ),
      ),
  }),
  rateLimit: [authLimits.signUp, authLimits.signUpAddress],
  errors: ['invalid_email', ...newPasswordErrors],
})

export const signIn = endpoint({
  method: 'POST',
  path: '/api/auth/sign-in/email',
  summary:
    'Sign in. If the account has a second factor, a two-factor operation completes the sign-in. Limited to five failed attempts in 15 minutes.',
  access: 'anyone',
  body: z.object({ email, password }),
  output: z.object({
    twoFactorRedirect: z
      .boolean()
      .check(
        z.describe(
          'Whether a second factor is required. If so, there is no session yet, and a two-factor operation must complete the sign-in within 10 minutes.',
        ),
      ),
  }),
  duringMaintenance: true,
  rateLimit: [authLimits.signIn, authLimits.signInAddress],
  errors: ['invalid_email', 'invalid_credentials', 'email_not_verified', 'banned'],
})

export const signOut = endpoint({
  method: 'POST',
  path: '/api/auth/sign-out',
  summary: 'End this session. Has no effect if there is no session.',
  access: 'anyone',
  output: z.object({ success: z.literal(true) }),
  duringMaintenance: true,
})

export const getSession = endpoint({
  method: 'GET',
  path: '/api/auth/get-session',
  summary: 'The current session, identified by the cookie. Null if there is none.',
  access: 'anyone',
  output: z.nullable(
    z.object({
      session: z.object({ id: z.uuid(), createdAt: timestamp, expiresAt: timestamp }),
      user: z.object({
        id: z.uuid(),
        email: z.string(),
        emailVerified: z.boolean(),
        name: z.string(),
        twoFactorEnabled: z.boolean(),
      }),
    }),
  ),
  duringMaintenance: true,
})

export const requestPasswordReset = endpoint({
  method: 'POST',
  path: '/api/auth/request-password-reset',
  summary:
    'Email a link for choosing a new password, valid once within an hour. The response is the same for every address.',
  access: 'anyone',
  body: z.object({
    email,
    redirectTo: z
      ._default(redirectTo, signInPath)
      .check(z.describe('The page to return to after choosing the new password.')),
  }),
  output: done,
  duringMaintenance: true,
  rateLimit: authLimits.resetMailAddress,
  errors: ['invalid_email'],
})

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  summary:
    'Set a new password with the token from the email. All sessions of the account end. If the address was not confirmed yet, it is confirmed, and any second factor set up before is removed.',
  access: 'anyone',
  body: z.object({ token, newPassword }),
  output: done,
  duringMaintenance: true,
  rateLimit: authLimits.mailTokenAddress,
  errors: ['reset_token_invalid', 'admin_password_too_short', ...newPasswordErrors],
})

export const confirmEmail = endpoint({
  method: 'GET',
  path: '/api/auth/verify-email',
  summary: 'The target of the link in the confirmation email. Redirects to the sign-in screen.',
  access: 'anyone',
  query: z.object({
    token,
    next: z
      .optional(z.string())
      .check(
        z.describe(
          'The page to return to after signing in. Ignored unless it is a page of this site.',
        ),
      ),
  }),
  produces: 'text/html',
  redirects: [303, 'The sign-in screen, which shows the result.'],
  duringMaintenance: true,
  rateLimit: { ...authLimits.mailTokenAddress, per: 'address' },
})

export const sendConfirmation = endpoint({
  method: 'POST',
  path: '/api/auth/send-verification-email',
  summary: 'Email the member a link that confirms their address, valid for one day.',
  access: 'member',
  body: z.object({
    redirectTo: z
      .optional(redirectTo)
      .check(z.describe('The page to return to after opening the link.')),
  }),
  output: done,
  rateLimit: authLimits.confirmMail,
  errors: ['email_already_confirmed'],
})

export const enableTwoFactor = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/enable',
  summary:
    "Create a secret for the authenticator app and ten recovery codes. The member's address must be confirmed. The second factor is enabled when the first code is verified.",
  access: 'member',
  body: z.object({ password }),
  output: z.object({
    totpURI: z
      .string()
      .check(z.describe('`otpauth://totp/…`, to be shown as a QR code and as text.')),
    backupCodes: z.array(z.string()),
  }),
  rateLimit: authLimits.ownSettings,
  errors: ['password_wrong', 'two_factor_needs_email', 'two_factor_already_on', 'conflict'],
})

export const verifyTotp = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/verify-totp',
  summary:
    'Verify a code from the authenticator app, which completes a sign-in or enables the second factor.',
  access: 'anyone',
  body: z.object({ code }),
  output: done,
  duringMaintenance: true,
  rateLimit: [authLimits.secondFactorAddress, authLimits.ownSettings],
  errors: [
    'two_factor_invalid',
    'two_factor_expired',
    'two_factor_off',
    'two_factor_needs_email',
    'unauthenticated',
    'banned',
    'conflict',
  ],
})

export const verifyBackupCode = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/verify-backup-code',
  summary: 'Complete a sign-in with a recovery code. Each code works once.',
  access: 'anyone',
  body: z.object({ code }),
  output: done,
  duringMaintenance: true,
  rateLimit: [authLimits.secondFactorAddress, authLimits.ownSettings],
  errors: ['two_factor_invalid', 'two_factor_expired', 'two_factor_off', 'banned', 'conflict'],
})

export const generateBackupCodes = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/generate-backup-codes',
  summary: 'Create ten new recovery codes. The old ones become invalid.',
  access: 'member',
  body: z.object({ password }),
  output: z.object({ backupCodes: z.array(z.string()) }),
  rateLimit: authLimits.ownSettings,
  errors: ['password_wrong', 'two_factor_off', 'conflict'],
})

export const disableTwoFactor = endpoint({
  method: 'POST',
  path: '/api/auth/two-factor/disable',
  summary: 'Disable the second factor. Refused for admins while the settings require one.',
  access: 'member',
  body: z.object({ password }),
  output: done,
  rateLimit: authLimits.ownSettings,
  errors: ['password_wrong', 'second_factor_required', 'conflict'],
})
