// For tests: moves the sign-in time of sessions, or their last confirmation, into the past.
import { sql } from 'kysely'
import type { TestApp } from './test-app.ts'

type App = Pick<TestApp, 'services'>

/** Moves the last confirmation of every session of this person into the past. */
export async function backdateConfirmation(
  { services }: App,
  userId: string,
  minutes: number,
): Promise<void> {
  await services.db.query
    .updateTable('sessions')
    .set({ confirmed_at: sql<string>`now() - make_interval(mins => ${minutes})` })
    .where('user_id', '=', userId)
    .execute()
}

/** Moves this person's sign-in time into the past, and removes the session from the instance's cache. */
export async function backdateSignIn(
  { services }: App,
  userId: string,
  minutes: number,
): Promise<void> {
  await services.db.query
    .updateTable('sessions')
    .set({ created_at: sql<string>`now() - make_interval(mins => ${minutes})` })
    .where('user_id', '=', userId)
    .execute()
  services.auth.evict(userId)
}
