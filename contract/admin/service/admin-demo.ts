// Leaving the demo: its accounts are closed, and it does not come back at the next start.
import * as z from 'zod/mini'
import { newPasswordErrors } from '../../auth.ts'
import { endpoint } from '../../endpoint.ts'
import { newAdmin } from '../../setup.ts'

export const getDemo = endpoint({
  method: 'GET',
  path: '/api/admin-demo',
  summary: 'Whether the demo is on, and who stays an admin without it.',
  access: 'admin',
  output: z.object({
    is_on: z.boolean().check(z.describe('False: it is off, or was left.')),
    own_admins: z
      .array(z.string())
      .check(z.describe('Addresses of the admins that are no demo accounts.')),
  }),
})

export const leaveDemo = endpoint({
  method: 'POST',
  path: '/api/admin-demo/leave',
  summary:
    'Close the demo accounts, delete their made-up history, and create an admin of your own. Songs and playlists of the demo stay. The demo does not come back at the next start.',
  access: 'admin',
  needsConfirmation: true,
  audit: { user: ['create'], settings: ['update'] },
  body: z.object({
    owner: z
      .nullable(z.object(newAdmin))
      .check(z.describe('The new admin. Null: there is one that is no demo account.')),
  }),
  output: z.object({
    closed: z
      .array(z.string())
      .check(z.describe('Addresses of the accounts that the demo password opened.')),
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
