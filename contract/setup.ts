// The first admin of a new service, created in the browser. As long as there is no admin, the server prints a link with
// a code at each start.
import * as z from 'zod/mini'
import {
  adminPasswordMinLength,
  emailMaxLength,
  newPasswordErrors,
  passwordMaxLength,
} from './auth.ts'
import { endpoint } from './endpoint.ts'
import { brandingMaxLength } from './fields/branding.ts'
import { cleanName } from './fields/clean-name.ts'
import { minute, type CallLimit } from './rate-limit.ts'

/**
 * The code is in the fragment of the link. Browsers do not send fragments to servers, so it appears in no proxy log.
 */
export const setupPath = '/setup'

/** Counts calls with a code, correct or not. */
const setupLimit = {
  name: 'setup-code',
  per: 'address',
  count: 20,
  seconds: 15 * minute,
} as const satisfies CallLimit

const code = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(100),
    z.describe('The code from the link that the server prints.'),
  )

export const openSetup = endpoint({
  method: 'POST',
  path: '/api/setup/open',
  summary: 'Check whether a code can create the first admin. Changes nothing.',
  access: 'anyone',
  body: z.object({ code }),
  output: z.object({ status: z.literal(true).check(z.describe('Always true.')) }),
  duringMaintenance: true,
  rateLimit: setupLimit,
  errors: ['setup_code_invalid', 'setup_done'],
})

/** The login of the new admin. */
export const newAdmin = {
  // Only the length is checked here, because invalid addresses and passwords have error codes of their own.
  email: z.string().check(z.maxLength(1000)).register(z.globalRegistry, {
    format: 'email',
    pattern: z.regexes.email.source,
    maxLength: emailMaxLength,
  }),
  password: z.string().check(z.maxLength(1000)).register(z.globalRegistry, {
    minLength: adminPasswordMinLength,
    maxLength: passwordMaxLength,
  }),
}

export const createFirstAdmin = endpoint({
  method: 'POST',
  path: '/api/setup',
  summary:
    'Create the first admin and set the name of the service. This does not sign the admin in. Of two concurrent calls, one succeeds.',
  access: 'anyone',
  body: z.object({
    code,
    brand_name: z
      .string()
      .check(
        z.overwrite(cleanName),
        z.minLength(1),
        z.maxLength(brandingMaxLength.brand_name),
        z.regex(/^[^\u0000]*$/),
        z.describe('The name of the service.'),
      ),
    ...newAdmin,
  }),
  output: z.object({ status: z.literal(true).check(z.describe('Always true.')) }),
  creates: true,
  duringMaintenance: true,
  rateLimit: setupLimit,
  errors: [
    'setup_code_invalid',
    'setup_done',
    'invalid_email',
    'email_exists',
    'admin_password_too_short',
    ...newPasswordErrors,
  ],
})
