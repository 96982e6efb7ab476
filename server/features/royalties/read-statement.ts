// Reads the royalty statement of a month: what each artist earns. The statement of a closed month is stored; otherwise
// it is computed from the ledger and the plays.
import { sql } from 'kysely'
import type { RoyaltyLine } from '#contract/creators/royalties.ts'
import { defaultCurrency } from '#contract/plans.ts'
import type { Handle } from '../../platform/db/database.ts'
import { splitRoyalties, type ListeningTime, type NetCash } from './split-royalties.ts'

export interface Statement {
  month: string
  currency: string
  net_cents: number
  owner_cents: number
  paying: number
  closed_at: string | null
  /** One line per artist, the highest amount first. */
  lines: RoyaltyLine[]
}

const firstDay = (month: string) => sql`${`${month}-01`}::date`
const isIn = (column: string, month: string) =>
  sql`${sql.ref(column)} >= ${firstDay(month)}::timestamp at time zone 'utc'
      and ${sql.ref(column)} < (${firstDay(month)} + interval '1 month') at time zone 'utc'`

/**
 * Lists the currencies of a month, the one with the highest payments first. Without payments, returns the default
 * currency.
 */
export async function listCurrencies(
  handle: Handle,
  month: string,
): Promise<[string, ...string[]]> {
  const { rows } = await sql<{ currency: string }>`
    select currency from (
      select currency, sum(amount_cents) as cents from payments
       where not is_simulated and ${isIn('paid_at', month)} group by currency
      union all
      select currency, net_cents from royalty_statements where month = ${firstDay(month)}
    ) c group by currency order by max(cents) desc, currency`.execute(handle.query)
  const [first = defaultCurrency, ...others] = rows.map(({ currency }) => currency)
  return [first, ...others]
}

export async function readStatement(
  handle: Handle,
  month: string,
  currency: string,
): Promise<Statement> {
  return (
    (await readClosed(handle, month, currency)) ?? (await computeStatement(handle, month, currency))
  )
}

async function readClosed(
  handle: Handle,
  month: string,
  currency: string,
): Promise<Statement | null> {
  const { rows } = await sql<Omit<Statement, 'lines' | 'month'>>`
    select currency, net_cents, owner_cents, paying, closed_at from royalty_statements
     where month = ${firstDay(month)} and currency = ${currency}`.execute(handle.query)
  const statement = rows[0]
  if (!statement) return null
  const lines = await sql<RoyaltyLine>`
    select artist_id, name, minutes, listeners, amount_cents from royalty_lines
     where month = ${firstDay(month)} and currency = ${currency}
     order by amount_cents desc, minutes desc, artist_id`.execute(handle.query)
  return { month, ...statement, lines: lines.rows }
}

/** Computes the statement from the ledger and the plays, even if the month is closed. */
export async function computeStatement(
  handle: Handle,
  month: string,
  currency: string,
): Promise<Statement> {
  const { rows: nets } = await sql<NetCash>`
    select coalesce(user_id::text, '') as user_id, sum(amount_cents)::bigint as cents from payments
     where not is_simulated and currency = ${currency} and ${isIn('paid_at', month)}
     group by 1 order by 1`.execute(handle.query)
  const payers = nets.filter(({ user_id }) => user_id !== '').map(({ user_id }) => user_id)
  // If a track has several main artists, the played time is divided equally among them.
  const { rows: listeningTimes } = await sql<ListeningTime>`
    with mains as (
      select track_id, artist_id, count(*) over (partition by track_id) as artists
        from (select distinct track_id, artist_id from track_credits where role = 'main') c
    )
    select p.user_id, m.artist_id, sum(p.heard_seconds / m.artists)::float as seconds
      from plays p join mains m on m.track_id = p.track_id
     where not p.is_preview and p.user_id = any(${payers}::uuid[]) and ${isIn('p.started_at', month)}
     group by p.user_id, m.artist_id order by p.user_id, m.artist_id`.execute(handle.query)
  const { net_cents, owner_cents, artists } = splitRoyalties(nets, listeningTimes)
  const names = await readNames(
    handle,
    artists.map(({ artist_id }) => artist_id),
  )
  const lines = artists
    .map(({ artist_id, seconds, listeners, cents }) => ({
      artist_id,
      name: names.get(artist_id) ?? '',
      minutes: Math.round((seconds / 60) * 100) / 100,
      listeners,
      amount_cents: cents,
    }))
    .toSorted(
      (a, b) =>
        b.amount_cents - a.amount_cents ||
        b.minutes - a.minutes ||
        (a.artist_id < b.artist_id ? -1 : 1),
    )
  const paying = nets.filter(({ cents }) => cents > 0).length
  return { month, currency, net_cents, owner_cents, paying, closed_at: null, lines }
}

async function readNames(handle: Handle, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from artists where id = any(${ids}::uuid[])`.execute(handle.query)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
