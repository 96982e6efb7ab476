// Bulk changes to people. A change applies to all of them or to none.
import * as z from 'zod/mini'
import { subscriptionFilters } from './admin-billing.ts'
import { userFilters } from './admin-users.ts'
import { endpoint } from '../endpoint.ts'
import { paymentMethods, storedRoles, subscriptionStatuses, tiers } from '../plans.ts'

export const bulkLimit = 500

/** The number of people shown to the admin. If a different number matches, nothing is changed. */
const count = z.int().check(z.minimum(1))

const selection = z.union([
  z.object({ ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(bulkLimit)) }),
  z.object({ users: z.object(userFilters), count }),
  z.object({
    subscriptions: z
      .object(subscriptionFilters)
      .check(z.describe('Filters for the list of subscriptions.')),
    count,
  }),
])

const change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ban') }),
  z.object({ kind: z.literal('unban') }),
  /** Changing the role of a banned account does not lift the ban. */
  z.object({ kind: z.literal('role'), role: z.enum(storedRoles) }),
  /** If `status` is absent, the tier determines it. */
  z.object({
    kind: z.literal('plan'),
    tier: z.enum(tiers),
    status: z.optional(z.enum(subscriptionStatuses)),
  }),
  z.object({ kind: z.literal('status'), status: z.enum(subscriptionStatuses) }),
  z.object({ kind: z.literal('payment_method'), payment_method: z.enum(paymentMethods) }),
  /** Replaces the note on the subscription; an empty one removes it. */
  z.object({ kind: z.literal('note'), note: z.string().check(z.trim(), z.maxLength(2000)) }),
])
export type BulkChange = z.infer<typeof change>

export const changePeople = endpoint({
  method: 'POST',
  path: '/api/admin-users/bulk',
  summary:
    'Ban or unban up to 500 people, or change their role, plan, status, payment method or note. The selection lists people or consists of filters. If one person cannot be changed, none is.',
  access: 'admin',
  // A retry could select different people, because the change may affect which people match the filters.
  dependsOnState: true,
  needsConfirmation: { 'change.kind': ['role'] },
  audit: { user: ['ban', 'unban', 'update'], subscription: ['update'] },
  body: z.object({ selection, change }),
  /** The number of people whose data changed. */
  output: z.object({ changed: z.number() }),
  errors: [
    'own_account',
    'last_admin',
    'selection_too_large',
    'selection_changed',
    'selection_billed',
    'selection_not_manual',
  ],
})
