// For tests: sessions whose sign-in, or whose last password, lies back.
import { sql } from 'kysely'
import type { TestApp } from './test-app.ts'

type App = Pick<TestApp, 'services'>

/** As if the last password in each session of this person had been given so long ago. */
export async function ageConfirmation(
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

/** As if this person had signed in so long ago. What the instance remembers of them is dropped. */
export async function ageSignIn({ services }: App, userId: string, minutes: number): Promise<void> {
  await services.db.query
    .updateTable('sessions')
    .set({ created_at: sql<string>`now() - make_interval(mins => ${minutes})` })
    .where('user_id', '=', userId)
    .execute()
  services.auth.forget(userId)
}
