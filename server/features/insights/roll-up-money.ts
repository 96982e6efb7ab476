// Aggregates the ledger per day (UTC) and currency: revenue, recurring revenue, new and lost members.
import { sql, type RawBuilder } from 'kysely'
import { previewLeadDays } from '#contract/admin/insights.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'

/** A member who pays again within this many days after the paid period does not count as lost. */
const maxGapDays = 7

/**
 * Returns the earliest day that ledger entries inserted since this time affect. If `since` is null, considers all
 * entries. Returns null if there are no entries.
 */
export async function findFirstMoneyDay(db: Database, since: Date | null): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select to_char(min(least(paid_at, covers_from)) at time zone 'utc', 'YYYY-MM-DD') as day
      from payments
     where not is_simulated
       and ${since === null ? sql`true` : sql`created_at >= ${since.toISOString()}::timestamptz`}`.execute(
    db.query,
  )
  return rows[0]?.day ?? null
}

/**
 * A SELECT of ledger entries with their payers. If the person is still unknown, the Stripe customer id identifies the
 * payer.
 */
const payers = sql`
  select p.*, coalesce(p.user_id, s.user_id) as person_id,
         coalesce(p.user_id::text, s.user_id::text, p.stripe_customer_id, p.id::text) as payer
    from payments p
    left join subscriptions s
      on p.user_id is null and s.stripe_customer_id = p.stripe_customer_id
   where not p.is_simulated`

/**
 * Aggregates the ledger for one day. Sums are recomputed only if there are new entries; conversions and lost members
 * are always recomputed, because they also change later. Returns true if the conversions of the day's tracks changed.
 */
export async function rollUpMoneyDay(
  db: Database,
  day: string,
  options: { now: Date; hasNewEntries: boolean },
): Promise<boolean> {
  return transaction(db, async (trx) => {
    if (options.hasNewEntries) await rollUpTotals(trx, day)
    await sql`
      update money_days set lost = 0, conversions = 0, preview_conversions = 0
       where day = ${day}::date`.execute(trx.query)
    await rollUpLost(trx, day, options.now)
    return rollUpConversions(trx, day)
  })
}

const from = (day: string) => sql`((${day}::date)::timestamp at time zone 'utc')`
const to = (day: string) => sql`((${day}::date + 1)::timestamp at time zone 'utc')`

async function rollUpTotals(trx: Transaction, day: string): Promise<void> {
  await sql`
    with taken as (
      select currency,
             coalesce(sum(amount_cents) filter (where kind <> 'refund'), 0) as revenue,
             coalesce(-sum(amount_cents) filter (where kind = 'refund'), 0) as refunds
        from payments
       where not is_simulated and paid_at >= ${from(day)} and paid_at < ${to(day)}
       group by currency
    ), running as (
      select currency, sum(monthly_cents) as mrr, count(distinct payer) as paying
        from (${payers} and p.kind = 'payment' and p.covers_to >= ${to(day)}
               and p.covers_from < ${to(day)}) p
       group by currency
    ), known as (
      select currency from taken union select currency from running
      union select currency from money_days where day = ${day}::date
    )
    insert into money_days (day, currency, revenue_cents, refunds_cents, mrr_cents, paying)
    select ${day}::date, k.currency, coalesce(t.revenue, 0), coalesce(t.refunds, 0),
           coalesce(round(r.mrr), 0), coalesce(r.paying, 0)
      from known k left join taken t using (currency) left join running r using (currency)
    on conflict (day, currency) do update
       set revenue_cents = excluded.revenue_cents, refunds_cents = excluded.refunds_cents,
           mrr_cents = excluded.mrr_cents, paying = excluded.paying`.execute(trx.query)
}

/**
 * Counts the members whose paid period ended on this day and who did not pay again. If the plan has ended, the member
 * is lost immediately, otherwise after `maxGapDays`.
 */
async function rollUpLost(trx: Transaction, day: string, now: Date): Promise<void> {
  const maxGap = sql`make_interval(days => ${sql.lit(maxGapDays)})`
  await sql`
    insert into money_days (day, currency, lost)
    select ${day}::date, currency, count(distinct payer)
      from (${payers} and p.kind = 'payment'
              and p.covers_to >= ${from(day)} and p.covers_to < ${to(day)}) ended
     where covers_to <= ${now.toISOString()}::timestamptz
       and not exists (
         select from payments n
          where n.user_id = ended.person_id and n.kind = 'payment' and not n.is_simulated
            and n.covers_to > ended.covers_to and n.covers_from <= ended.covers_to + ${maxGap})
       and not exists (
         select from payments n
          where n.stripe_customer_id = ended.stripe_customer_id and n.kind = 'payment'
            and not n.is_simulated
            and n.covers_to > ended.covers_to and n.covers_from <= ended.covers_to + ${maxGap})
       and (covers_to + ${maxGap} <= ${now.toISOString()}::timestamptz
            or not exists (
              select from profiles f
               where f.id = ended.person_id and f.subscription_status = 'active'))
     group by currency
    on conflict (day, currency) do update set lost = excluded.lost`.execute(trx.query)
}

/** Returns true if the conversions of the day's tracks changed. */
async function rollUpConversions(trx: Transaction, day: string): Promise<boolean> {
  const leadStart = sql`f.paid_at - make_interval(days => ${sql.lit(previewLeadDays)})`
  // Find the people first, then read the previews they played with the index on a person's plays. `offset 0` prevents
  // the planner from scanning all plays of these days. Resets tracks whose conversions no longer count, because an
  // earlier payment was added.
  const { numAffectedRows } = await sql`
    with first as materialized (${firstPayments(day)}), previewed as materialized (
      select f.currency, f.payer, l.track_id
        from first f
        left join lateral (
          select distinct track_id from plays
           where user_id = f.person_id and reported_at >= ${leadStart} and is_preview
             and started_at between ${leadStart} and f.paid_at
          offset 0) l on true
    ), money as (
      insert into money_days (day, currency, conversions, preview_conversions)
      select ${day}::date, currency, count(distinct payer),
             count(distinct payer) filter (where track_id is not null)
        from previewed
       group by currency
      on conflict (day, currency) do update
         set conversions = excluded.conversions,
             preview_conversions = excluded.preview_conversions
    )
    insert into track_days as t
      (day, track_id, starts, plays, previews, completed, heard_seconds, left_at, conversions)
    select ${day}::date, track_id, 0, 0, 0, 0, 0, array_fill(0, array[21]), count(distinct payer)
      from (
        select track_id, payer from previewed where track_id is not null
        union all
        select track_id, null from track_days where day = ${day}::date and conversions > 0
      ) led
     group by track_id
    on conflict (track_id, day) do update set conversions = excluded.conversions
     where t.conversions <> excluded.conversions`.execute(trx.query)
  return (numAffectedRows ?? 0n) > 0n
}

const firstPayments = (day: string) => firstPaymentsBetween(from(day), to(day))

/** Selects the payments in this period that are the payer's first, as `person_id`, `payer`, `currency`, `paid_at`. */
export const firstPaymentsBetween = (start: RawBuilder<unknown>, end: RawBuilder<unknown>) => sql`
  select f.person_id, f.payer, f.currency, f.paid_at
    from (${payers} and p.kind = 'payment' and p.paid_at >= ${start} and p.paid_at < ${end}) f
   where not exists (
     select from payments e
      where e.user_id = f.person_id and e.kind = 'payment' and not e.is_simulated
        and (e.paid_at, e.id) < (f.paid_at, f.id))
     and not exists (
     select from payments e
      where e.stripe_customer_id = f.stripe_customer_id and e.kind = 'payment'
        and not e.is_simulated and (e.paid_at, e.id) < (f.paid_at, f.id))`
