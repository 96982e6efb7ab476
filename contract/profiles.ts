// The signed-in person and their permissions.
import * as z from 'zod/mini'
import { timestamp } from './fields/dates.ts'
import { displayNameMaxLength } from './auth.ts'
import { cleanName } from './fields/clean-name.ts'
import { endpoint } from './endpoint.ts'
import { paymentFailures } from './payment-failures.ts'
import { pictureErrors } from './fields/pictures.ts'
import { roles, subscriptionStatuses, tiers } from './plans.ts'
import { hour, pictureLimit } from './rate-limit.ts'

export const profile = z.object({
  id: z.uuid(),
  email: z.string(),
  email_verified: z.boolean().check(z.describe('Whether the person has confirmed this address.')),
  display_name: z.string(),
  avatar_url: z.nullable(z.string()),
  role: z.enum(roles),
  subscription_status: z.enum(subscriptionStatuses),
  subscription_tier: z.enum(tiers),
  subscription_ends_at: z.nullable(timestamp),
  trial_ends_at: z
    .nullable(timestamp)
    .check(z.describe('When the free trial ends. Null if the plan is not in a trial.')),
  payment_problem: z
    .nullable(
      z.object({
        reason: z.enum(paymentFailures),
        premium_until: z
          .nullable(timestamp)
          .check(z.describe('When Premium ends if the payment is not made. Null if it has ended.')),
        pay_url: z
          .nullable(z.string())
          .check(z.describe('The Stripe page for paying the invoice. Null if unknown.')),
      }),
    )
    .check(z.describe('Set if the last payment failed. Null if nothing is owed.')),
  is_premium: z
    .boolean()
    .check(z.describe('Whether the person has Premium, as determined by the server.')),
  two_factor_enabled: z.boolean(),
  second_factor_required: z
    .boolean()
    .check(
      z.describe(
        'Whether this is an admin who must set up a second factor before they can open the back office.',
      ),
    ),
})
export type Profile = z.infer<typeof profile>

export const getProfile = endpoint({
  method: 'GET',
  path: '/api/profile',
  summary: 'The signed-in person. Null if there is no session.',
  access: 'anyone',
  output: z.object({ data: z.nullable(profile) }),
  duringMaintenance: true,
})

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/api/profile',
  summary: "Change the member's own name or picture. Absent fields are not changed.",
  access: 'member',
  changesCaller: true,
  body: z.object({
    display_name: z.optional(
      z.string().check(z.overwrite(cleanName), z.maxLength(displayNameMaxLength)),
    ),
    avatar_path: z
      .optional(z.nullable(z.string().check(z.maxLength(500))))
      .check(
        z.describe(
          'The `path` of a completed upload to the bucket `covers`. Null removes the picture.',
        ),
      ),
  }),
  output: profile,
  rateLimit: pictureLimit,
  errors: [...pictureErrors],
})

export const downloadMyData = endpoint({
  method: 'GET',
  path: '/api/profile/data',
  summary:
    'Everything stored about the member, as one JSON file: profile, subscription, cancellations, payments, refunds, gifts, referrals, sessions, known devices, device keys, access tokens, playlists, playlists that others share, likes, ratings, followed artists, consents, news, messages, reviews and plays. Limited to ten downloads per hour.',
  access: 'member',
  produces: 'application/json',
  rateLimit: { name: 'own-data', per: 'account', count: 10, seconds: hour },
})

export const requestAccountDeletion = endpoint({
  method: 'POST',
  path: '/api/profile/deletion-request',
  summary:
    'Request the deletion of the account. Admins are shown the request. A repeated request changes nothing.',
  access: 'member',
  tokens: 'refused',
})
