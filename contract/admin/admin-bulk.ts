// One change for many people: applied to all of them or to none.
import * as z from 'zod/mini'
import { subscriptionFilters } from './admin-billing.ts'
import { userFilters } from './admin-users.ts'
import { endpoint } from '../endpoint.ts'
import { paymentMethods, storedRoles, subscriptionStatuses, tiers } from '../plans.ts'

export const bulkLimit = 500

/** How many people the admin was shown. If a different number matches, nothing is changed. */
const count = z.int().check(z.minimum(1))

const selection = z.union([
  z.object({ ids: z.array(z.uuid()).check(z.minLength(1), z.maxLength(bulkLimit)) }),
  z.object({ users: z.object(userFilters), count }),
  z.object({ subscriptions: z.object(subscriptionFilters), count }),
])

const change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ban') }),
  z.object({ kind: z.literal('unban') }),
  /** A banned account stays banned. */
  z.object({ kind: z.literal('role'), role: z.enum(storedRoles) }),
  /** Without a status, the tier determines it. */
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
    'Ban, unban, or change role, plan, status, payment method or note of up to 500 people: selected ones or all that match. If one of them cannot be changed, none is.',
  access: 'admin',
  // After the change the filters may match other people.
  dependsOnState: true,
  needsConfirmation: { 'change.kind': ['role'] },
  audit: { user: ['ban', 'unban', 'update'], subscription: ['update'] },
  body: z.object({ selection, change }),
  /** Only people who changed are counted. */
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
