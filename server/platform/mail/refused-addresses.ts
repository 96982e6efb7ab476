// Addresses that the mail server refuses for good. The third refusal in a row suspends news to an address.
import { sql } from 'kysely'
import { refusalsToSuspend } from '#contract/news.ts'
import type { Database, Transaction } from '../db/database.ts'

/** Counts refusals of mails of every kind. An address without an account is not stored. */
export async function saveRefusal(trx: Transaction, to: string, error: unknown): Promise<void> {
  const said = error instanceof Error ? error.message : String(error)
  const reason = said.replaceAll(to, '(address)').slice(0, 300)
  await sql`
    insert into refused_addresses as a (user_id, email, refusals, reason)
    select id, ${to}, 1, ${reason} from profiles where email = ${to}
    on conflict (user_id) do update
       set refusals = case when a.email = excluded.email then a.refusals + 1 else 1 end,
           suspended_at = case
             when a.email <> excluded.email then null
             when a.refusals + 1 >= ${refusalsToSuspend}::int then coalesce(a.suspended_at, now()) end,
           email = excluded.email, reason = excluded.reason, refused_at = now()`.execute(trx.query)
}

/** After a mail was accepted. */
export async function deleteRefusals(handle: Pick<Database, 'query'>, to: string): Promise<void> {
  await handle.query.deleteFrom('refused_addresses').where('email', '=', to).execute()
}
