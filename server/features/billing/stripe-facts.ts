// Reads when a member's free trial ends, and whether the last renewal failed, for the profile.
import type { Profile } from '#contract/profiles.ts'
import type { Handle } from '../../platform/db/database.ts'
import { readPaymentProblem } from './failed-payments.ts'

export async function readStripeFacts(
  handle: Handle,
  userId: string,
): Promise<Pick<Profile, 'trial_ends_at' | 'payment_problem'>> {
  const row = await handle.query
    .selectFrom('subscriptions as s')
    .innerJoin('profiles as p', 'p.id', 's.user_id')
    .select('s.trial_ends_at')
    .where('s.user_id', '=', userId)
    .where('p.subscription_status', '=', 'active')
    .executeTakeFirst()
  return {
    trial_ends_at: row?.trial_ends_at ?? null,
    payment_problem: await readPaymentProblem(handle, userId),
  }
}
