// Inserts many accounts and sessions by SQL, because hashing a password deliberately takes a tenth of a second.
import { randomBytes } from 'node:crypto'
import type { Cluster } from './cluster.ts'
import { queryAt } from '#server/platform/db/with-client.ts'
import { buildSessionCookie } from '../harness/session-cookie.ts'

export interface CrowdMember {
  id: string
  cookie: string
}

/** Creates Premium members with a session each. */
export async function makeCrowd(cluster: Cluster, count: number): Promise<CrowdMember[]> {
  const { database, settings } = cluster
  const rows = await queryAt<{ id: string; token: string }>(
    database.superuser(database.primary),
    `with people as (
         insert into profiles (email, email_verified, subscription_tier, subscription_status)
         select 'crowd-' || i || '-' || $2 || '@example.com', true, 'monthly', 'active' from generate_series(1, $1) i
         returning id
       )
       insert into sessions (user_id, token, expires_at)
       select id, replace(gen_random_uuid()::text, '-', ''), now() + interval '29 days 23 hours' from people
       returning user_id as id, token`,
    [count, randomBytes(4).toString('hex')],
  )
  return rows.map(({ id, token }) => ({
    id,
    cookie: buildSessionCookie(token, settings['SECRET']!),
  }))
}
