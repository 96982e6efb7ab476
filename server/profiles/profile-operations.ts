// The signed-in person, as their own screens show them.
import type { Output } from '#contract/endpoint.ts'
import { isPremium } from '#contract/plans.ts'
import type { getProfile } from '#contract/profiles.ts'
import type { Context } from '../http/context.ts'

export async function getOwnProfile({ actor }: Context): Promise<Output<typeof getProfile>> {
  if (!actor) return { data: null }
  const { user_id, session_id: _, ...shown } = actor
  return { data: { id: user_id, ...shown, is_premium: isPremium(actor.subscription_status) } }
}
