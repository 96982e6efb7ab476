// Who is signed in, and what they may do.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { roles, subscriptionStatuses, tiers } from './plans.ts'

export const profile = z.object({
  id: z.uuid(),
  email: z.string(),
  display_name: z.string(),
  avatar_url: z.nullable(z.string()),
  role: z.enum(roles),
  subscription_status: z.enum(subscriptionStatuses),
  subscription_tier: z.enum(tiers),
  subscription_ends_at: z.nullable(z.string()),
  /** The one Premium test, made by the server. */
  is_premium: z.boolean(),
  two_factor_enabled: z.boolean(),
})
export type Profile = z.infer<typeof profile>

export const getProfile = endpoint({
  method: 'GET',
  path: '/api/profile',
  summary: 'The signed-in person, or null.',
  access: 'anyone',
  output: z.object({ data: z.nullable(profile) }),
  duringMaintenance: true,
})
