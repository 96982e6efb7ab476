// People for admins: accounts, roles and plans.
import * as z from 'zod/mini'
import { cleanName } from '../fields/clean-name.ts'
import { dayOrMoment, timestamp } from '../fields/dates.ts'
import { endpoint } from '../endpoint.ts'
import { pageQuery, pagination, sortDirections } from '../fields/pagination.ts'
import { roles, storedRoles, subscriptionStatuses, tiers } from '../plans.ts'
import { adminMailLimit, exportLimit } from '../rate-limit.ts'

export const userPageSize = 20

export const adminUser = z.object({
  id: z.uuid(),
  email: z.string(),
  display_name: z.string(),
  role: z.enum(roles),
  subscription_tier: z.enum(tiers),
  subscription_status: z.enum(subscriptionStatuses),
  created_at: timestamp,
  deletion_requested_at: z
    .nullable(timestamp)
    .check(z.describe('When the person requested the deletion of their account.')),
})
export type AdminUser = z.infer<typeof adminUser>

const params = z.object({ id: z.uuid() })
const display_name = z.string().check(z.overwrite(cleanName), z.maxLength(100))

/** Filters for the list and the CSV export. */
export const userFilters = {
  q: z
    .optional(z.string().check(z.maxLength(200)))
    .check(z.describe('A substring of the email address or name.')),
  role: z.optional(z.enum(roles)),
  subscription_status: z.optional(z.enum(subscriptionStatuses)),
  subscription_tier: z.optional(z.enum(tiers)),
  joined_from: z.optional(dayOrMoment).check(z.describe('On or after this day or time.')),
  joined_to: z
    .optional(dayOrMoment)
    .check(z.describe('Up to the end of this day, or up to this time.')),
  deletion_requested: z.optional(z.literal('true')),
}

export const userSorts = [
  'email',
  'display_name',
  'role',
  'subscription_tier',
  'created_at',
] as const
export type UserSort = (typeof userSorts)[number]

const maxExportedUsers = 200
/** Comma-separated ids of the people to export. */
const chosenIds = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(maxExportedUsers * 37)),
    z.transform((text) => text.split(',')),
  ),
  z.array(z.uuid()).check(z.maxLength(maxExportedUsers)),
)

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/admin-users',
  summary: 'People, newest first by default, 20 per page.',
  access: 'admin',
  mayLag: true,
  query: z.object({
    ...userFilters,
    sort: z._default(z.enum(userSorts), 'created_at'),
    direction: z._default(z.enum(sortDirections), 'desc'),
    ...pageQuery(userPageSize),
  }),
  output: z.object({ data: z.array(adminUser), pagination }),
})

export const createAdminUser = endpoint({
  method: 'POST',
  path: '/api/admin-users',
  summary: 'Create an account.',
  access: 'admin',
  creates: true,
  needsConfirmation: { role: storedRoles.filter((role) => role !== 'member') },
  audit: { user: ['create'] },
  body: z.object({
    email: z.email('Please enter a valid email address.'),
    password: z.string().check(z.minLength(8), z.maxLength(128)),
    display_name: z.optional(display_name),
    role: z._default(z.enum(storedRoles), 'member'),
  }),
  output: adminUser,
  errors: ['email_exists', 'admin_password_too_short', 'password_too_common'],
})

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/api/admin-users/:id',
  summary: "Change a person's display name.",
  access: 'admin',
  audit: { user: ['update'] },
  params,
  body: z.object({ display_name }),
  output: adminUser,
  errors: ['user_not_found'],
})

export const updateUserRole = endpoint({
  method: 'PATCH',
  path: '/api/admin-users/:id/role',
  summary: "Change a person's role. `banned` bans them. Any other role lifts a ban.",
  access: 'admin',
  needsConfirmation: true,
  audit: { user: ['update', 'ban'] },
  params,
  body: z.object({ role: z.enum(roles) }),
  output: adminUser,
  errors: ['user_not_found', 'own_account', 'last_admin'],
})

export const updateUserSubscription = endpoint({
  method: 'PATCH',
  path: '/api/admin-users/:id/subscription',
  summary: "Change a person's tier and status. If `status` is absent, the tier determines it.",
  access: 'admin',
  audit: { user: ['update'] },
  params,
  body: z.object({
    subscription_tier: z.enum(tiers),
    subscription_status: z.optional(z.enum(subscriptionStatuses)),
  }),
  output: adminUser,
  errors: ['user_not_found'],
})

export const banUser = endpoint({
  method: 'POST',
  path: '/api/admin-users/:id/ban',
  summary: 'Ban a person. All their sessions end immediately.',
  access: 'admin',
  audit: { user: ['ban'] },
  params,
  output: adminUser,
  errors: ['user_not_found', 'own_account', 'last_admin'],
})

export const unbanUser = endpoint({
  method: 'POST',
  path: '/api/admin-users/:id/unban',
  summary: "Lift a ban and restore the person's previous role.",
  access: 'admin',
  audit: { user: ['unban'] },
  params,
  output: adminUser,
  errors: ['user_not_found'],
})

export const resetUserPassword = endpoint({
  method: 'POST',
  path: '/api/admin-users/:id/reset-password',
  summary: 'Email this person a password reset link.',
  access: 'admin',
  audit: { user: ['update'] },
  params,
  rateLimit: adminMailLimit,
  errors: ['user_not_found'],
})

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/admin-users/:id',
  summary: 'Delete a person and all their data. The audit log is kept.',
  access: 'admin',
  needsConfirmation: true,
  audit: { user: ['delete'] },
  params,
  errors: ['user_not_found', 'own_account', 'last_admin'],
})

export const exportUsers = endpoint({
  method: 'GET',
  path: '/api/admin-users/export.csv',
  summary: 'All matching people, or the selected ones, as CSV.',
  access: 'admin',
  needsConfirmation: true,
  audit: { user: ['export'] },
  query: z.object({ ...userFilters, ids: z.optional(chosenIds) }),
  produces: 'text/csv',
  rateLimit: exportLimit,
})
