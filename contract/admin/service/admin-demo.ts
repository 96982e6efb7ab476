// Ending the demo: closes the demo accounts. The demo is not created again at the next start.
import * as z from 'zod/mini'
import { newPasswordErrors } from '../../auth.ts'
import { endpoint } from '../../endpoint.ts'
import { newAdmin } from '../../setup.ts'

export const getDemo = endpoint({
  method: 'GET',
  path: '/api/admin-demo',
  summary: 'Whether the demo is on, and which admins remain without it.',
  access: 'admin',
  output: z.object({
    is_on: z.boolean().check(z.describe('False if the demo is off or was left.')),
    own_admins: z
      .array(z.string())
      .check(z.describe('Email addresses of the admins who are not demo accounts.')),
  }),
})

export const leaveDemo = endpoint({
  method: 'POST',
  path: '/api/admin-demo/leave',
  summary:
    "Leave the demo: close its accounts, delete its generated history, and create an admin account for you. The demo's songs and playlists are kept. The demo does not return at the next start.",
  access: 'admin',
  needsConfirmation: true,
  audit: { user: ['create'], settings: ['update'] },
  body: z.object({
    owner: z
      .nullable(z.object(newAdmin))
      .check(z.describe('The new admin. Null if there already is one who is not a demo account.')),
  }),
  output: z.object({
    closed: z
      .array(z.string())
      .check(
        z.describe('Email addresses of the closed accounts, all of which used the demo password.'),
      ),
  }),
  errors: [
    'demo_off',
    'demo_needs_owner',
    'invalid_email',
    'email_exists',
    'admin_password_too_short',
    ...newPasswordErrors,
  ],
})
