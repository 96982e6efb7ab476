// Addresses that the mail server has rejected several times in a row. They get no news until an admin lifts the
// suspension.
import { sql } from 'kysely'
import type * as contract from '#contract/announcements.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle } from '../../platform/db/database.ts'
import { resetAddress } from '../../platform/mail/refused-addresses.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'

/** Selects suspended addresses whose account still uses the address. */
function selectSuspendedAddresses(handle: Handle) {
  return handle.query
    .selectFrom('refused_addresses as x')
    .innerJoin('profiles as p', (join) =>
      join.onRef('p.id', '=', 'x.user_id').onRef('p.email', '=', 'x.email'),
    )
    .where('x.suspended_at', 'is not', null)
}

export async function listSuspendedAddresses(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listSuspendedAddresses>,
): Promise<Output<typeof contract.listSuspendedAddresses>> {
  const { page, page_size } = query
  const { total } = await selectSuspendedAddresses(ctx.db)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  const rows = await selectSuspendedAddresses(ctx.db)
    .select(['x.user_id', 'x.email', 'x.reason', 'x.refusals', 'x.suspended_at'])
    .orderBy('x.suspended_at', 'desc')
    .orderBy('x.user_id')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  const data = rows.map(({ suspended_at, ...row }) => ({ ...row, suspended_at: suspended_at! }))
  return { data, pagination: paginate(query, total) }
}

export async function resumeAddress(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.resumeAddress>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const refusals = await resetAddress(trx, { user_id: id })
    if (refusals === null) throw new AppError('not_found')
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'user',
      entity_id: id,
      before: { news_suspended: true, refusals },
      after: { news_suspended: false },
    })
  })
}
