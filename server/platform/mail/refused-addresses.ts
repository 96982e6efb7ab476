// Addresses that fail permanently: the mail server refuses them, or emails to them bounce. After three consecutive
// failures, an address no longer receives news.
import { sql } from 'kysely'
import { refusalsToSuspend, type RefusalSource } from '#contract/news.ts'
import type { Database, Handle, Transaction } from '../db/database.ts'

/**
 * A bounce more than this many days after the previous one starts a new count, because successful deliveries are not
 * recorded.
 */
const countedDays = 60

/** Counts a failure, for emails of every kind. Addresses without an account are not stored. */
export async function saveRefusal(
  trx: Transaction,
  to: string,
  message: string,
  source: RefusalSource,
): Promise<void> {
  const reason = removeAddress(message, to)
  const continues = sql<boolean>`(a.email = excluded.email and (
    a.source = 'server' or a.suspended_at is not null
    or a.refused_at > now() - make_interval(days => ${countedDays})))`
  await sql`
    insert into refused_addresses as a (user_id, email, refusals, reason, source)
    select id, ${to}, 1, ${reason}, ${source} from profiles where email = ${to}
    on conflict (user_id) do update
       set refusals = case when ${continues} then a.refusals + 1 else 1 end,
           suspended_at = case when ${continues} and a.refusals + 1 >= ${refusalsToSuspend}::int
             then coalesce(a.suspended_at, now()) end,
           source = case when ${continues} and a.source = 'bounce' then a.source else excluded.source end,
           email = excluded.email, reason = excluded.reason, refused_at = now()`.execute(trx.query)
}

export function removeAddress(message: string, to: string): string {
  return message.replaceAll(to, '(address)').slice(0, 300)
}

/** Called after the mail server accepted an email. It may still bounce, so earlier bounces remain counted. */
export async function deleteRefusals(handle: Pick<Database, 'query'>, to: string): Promise<void> {
  await handle.query
    .deleteFrom('refused_addresses')
    .where('email', '=', to)
    .where('source', '=', 'server')
    .execute()
}

/** Deletes the failures of an address, which an admin has reset or its owner has confirmed. Returns their number. */
export async function resetAddress(
  handle: Handle,
  of: { user_id: string } | { email: string },
): Promise<number | null> {
  const [column, value] =
    'user_id' in of ? (['user_id', of.user_id] as const) : (['email', of.email] as const)
  const deleted = await handle.query
    .deleteFrom('refused_addresses')
    .where(column, '=', value)
    .returning('refusals')
    .executeTakeFirst()
  await handle.query
    .deleteFrom('mail_bounces')
    .where(column, '=', value)
    .where('kind', '=', 'temporary')
    .execute()
  return deleted?.refusals ?? null
}
