// Reads, exports and closes royalty statements for admins. The statement of a closed month no longer changes.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { getDecimals } from '#contract/currencies.ts'
import type * as contract from '#contract/creators/royalties.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { writeAudit, writeExportAudit } from '../../platform/audit/write-audit.ts'
import { copyCsv, escapeCsvText } from '../../platform/db/copy-csv.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { lockByName, lockNames } from '../../platform/db/advisory-locks.ts'
import { sendCsv } from '../../platform/http/csv-response.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import {
  computeStatement,
  listCurrencies,
  readStatement,
  type Statement,
} from './read-statement.ts'

export async function getRoyalties(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.getRoyalties>,
): Promise<Output<typeof contract.getRoyalties>> {
  const currencies = await listCurrencies(ctx.db, query.month)
  const currency = query.currency ?? currencies[0]
  const { lines, ...statement } = await readStatement(ctx.db, query.month, currency)
  const from = (query.page - 1) * query.page_size
  return {
    ...statement,
    other_currencies: currencies.filter((name) => name !== currency),
    data: lines.slice(from, from + query.page_size),
    pagination: paginate(query, lines.length),
  }
}

export async function exportRoyalties(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.exportRoyalties>,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { month } = query
  const currency = query.currency ?? (await listCurrencies(ctx.db, month))[0]
  const statement = await readStatement(ctx.db, month, currency)
  const rows = toCsvRows(statement).compile(ctx.db.query)
  await writeExportAudit(ctx, 'royalty', { what: currency, start: month, end: month })
  return sendCsv(reply, `royalties-${month}`, ctx.now(), await copyCsv(ctx.db, rows))
}

/** Returns the rows of the CSV. The last row is the owner's amount, so that the amounts add up to the payments. */
function toCsvRows({ month, currency, lines, owner_cents, closed_at }: Statement) {
  const decimals = getDecimals(currency)
  const owner = { name: 'Stays with the owner', amount_cents: owner_cents }
  return sql`
    select ${month}::text as month, ${escapeCsvText(sql.ref('r.name'))} as artist, r.artist_id, r.minutes, r.listeners,
           r.amount_cents, round(r.amount_cents / ${10 ** decimals}::numeric, ${decimals}::int) as amount, ${currency}::text as currency,
           ${closed_at === null ? 'open' : 'closed'}::text as state
      from rows from (json_to_recordset(${JSON.stringify([...lines, owner])}::json)
             as (artist_id uuid, name text, minutes float, listeners int, amount_cents bigint))
           with ordinality as r (artist_id, name, minutes, listeners, amount_cents, place)
     order by r.place`
}

/** Stores the month's statements, which then no longer change. Throws `month_not_over`, `month_closed`. */
export async function closeRoyalties(
  ctx: MemberContext,
  { body: { month } }: ParsedInput<typeof contract.closeRoyalties>,
): Promise<Output<typeof contract.closeRoyalties>> {
  if (month >= ctx.now().toISOString().slice(0, 7)) throw new AppError('month_not_over')
  return transaction(ctx.db, async (trx) => {
    await lockByName(trx, lockNames.royalties())
    const closed = await trx.query
      .selectFrom('royalty_statements')
      .select('month')
      .where('month', '=', `${month}-01`)
      .executeTakeFirst()
    if (closed) throw new AppError('month_closed')
    const closed_at = ctx.now().toISOString()
    const totals = []
    for (const currency of await listCurrencies(trx, month)) {
      const statement = await computeStatement(trx, month, currency)
      await storeStatement(trx, statement, closed_at)
      const { net_cents, owner_cents, lines } = statement
      totals.push({ currency, net_cents, owner_cents, artists: lines.length })
    }
    await writeAudit(ctx, trx, { action: 'create', entity: 'royalty', after: { month, totals } })
    return { month, closed_at }
  })
}

async function storeStatement(
  trx: Transaction,
  { month, currency, net_cents, owner_cents, paying, lines }: Statement,
  closed_at: string,
): Promise<void> {
  const key = { month: `${month}-01`, currency }
  await trx.query
    .insertInto('royalty_statements')
    .values({ ...key, net_cents, owner_cents, paying, closed_at })
    .execute()
  if (lines.length === 0) return
  await sql`
    insert into royalty_lines (month, currency, artist_id, name, minutes, listeners, amount_cents)
    select ${key.month}::date, ${currency}, r.*
      from json_to_recordset(${JSON.stringify(lines)}::json)
           as r (artist_id uuid, name text, minutes float, listeners int, amount_cents bigint)`.execute(
    trx.query,
  )
}
