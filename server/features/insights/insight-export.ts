// Exports the owner's statistics as CSV, streamed from the database.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import type { ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/admin/insights.ts'
import { writeExportAudit } from '../../platform/audit/write-audit.ts'
import { copyCsv, escapeCsvText } from '../../platform/db/copy-csv.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { sendCsv } from '../../platform/http/csv-response.ts'
import { figuresSource } from './figures-source.ts'
import { validateRange, selectDays, listCurrencies, selectTrackSums } from './insight-operations.ts'

type Query = ParsedInput<typeof contract.exportInsights>['query']

export async function exportInsights(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.exportInsights>,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  validateRange(query)
  const [currency] = await listCurrencies(ctx.db, figuresSource(query.figures))
  const rows = selectExportRows(query, currency, ctx.now()).compile(ctx.db.query)
  const name = `${query.figures === 'demo' ? 'demo-' : ''}insights-${query.what}`
  const { what, start, end } = query
  await writeExportAudit(ctx, 'insights', { what, start, end })
  return sendCsv(reply, name, ctx.now(), await copyCsv(ctx.db, rows))
}

function selectExportRows(query: Query, currency: string, now: Date): RawBuilder<unknown> {
  const source = figuresSource(query.figures)
  switch (query.what) {
    case 'days':
      return sql`select d.*, ${currency} as currency from (${selectDays(query, currency, source)}) d order by d.day`
    case 'tracks':
      return sql`
        select ${escapeCsvText(sql.ref('t.title'))} as title, ${escapeCsvText(sql.ref('t.artist'))} as artist, s.*
          from (${selectTrackSums(query, now, source)}) s join tracks t on t.id = s.track_id
         order by s.plays desc, s.track_id`
    case 'ledger':
      // Demo data has no payments, so select no rows.
      return query.figures === 'demo'
        ? sql`select * from (${selectLedgerRows(query)}) r where false`
        : selectLedgerRows(query)
  }
}

/** Selects every ledger entry. The address is empty for deleted people. */
function selectLedgerRows({ start, end }: Query): RawBuilder<unknown> {
  return sql`
    select to_char(p.paid_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as paid_at, p.kind,
           p.amount_cents, p.currency, p.payment_method, p.tier, p.user_id,
           ${escapeCsvText(sql.ref('f.email'))} as email, ${escapeCsvText(sql.ref('p.stripe_invoice_id'))} as invoice,
           ${escapeCsvText(sql.ref('p.stripe_charge_id'))} as refunded_charge,
           ${escapeCsvText(sql.ref('f.display_name'))} as name
      from payments p left join profiles f on f.id = p.user_id
     where not p.is_simulated and p.paid_at >= (${start}::date)::timestamp at time zone 'utc'
       and p.paid_at < (${end}::date + 1)::timestamp at time zone 'utc'
     order by p.paid_at, p.id`
}
