// Lists referrals for admins: who joined with whose referral link, and the state of the reward.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/money/admin-referrals.ts'
import type { AdminReferral } from '#contract/admin/money/admin-referrals.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { writeAudit } from '../../../platform/audit/write-audit.ts'
import { transaction, type Handle } from '../../../platform/db/database.ts'
import { searchPattern } from '../../../platform/db/search-pattern.ts'
import { AppError } from '../../../platform/operations/app-error.ts'
import type { MemberContext } from '../../../platform/operations/context.ts'
import { lockReferral, voidReferralRow } from './settle-referrals.ts'

export async function listReferrals(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listReferrals>,
): Promise<Output<typeof contract.listReferrals>> {
  const { q, state, page, page_size } = query
  const matching = selectReferrals(ctx.db)
    .$if(state !== undefined, (rows) => rows.where('r.state', '=', state ?? 'joined'))
    .$if(!!q, (rows) =>
      rows.where((is) =>
        is.or([
          is(sql<string>`lower(a.email)`, 'like', searchPattern(q ?? '')),
          is(sql<string>`lower(b.email)`, 'like', searchPattern(q ?? '')),
        ]),
      ),
    )
  const [rows, { total }, figures] = await Promise.all([
    withColumns(matching)
      .orderBy('r.joined_at', 'desc')
      .orderBy('r.id', 'desc')
      .limit(page_size)
      .offset((page - 1) * page_size)
      .execute(),
    matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
    readFigures(ctx.db),
  ])
  return { data: rows.map(present), pagination: paginate(query, total), figures }
}

export async function voidReferral(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.voidReferral>,
): Promise<Output<typeof contract.voidReferral>> {
  return transaction(ctx.db, async (trx) => {
    const before = await lockReferral(trx, params.referral_id)
    if (!before) throw new AppError('referral_not_found')
    if (before.state !== 'void') await voidReferralRow(trx, ctx.now(), before.id, 'by_admin')
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'referral',
      entity_id: before.id,
      before: { state: before.state },
      after: { state: 'void', void_reason: before.void_reason ?? 'by_admin' },
    })
    const [row] = await withColumns(selectReferrals(trx)).where('r.id', '=', before.id).execute()
    if (!row) throw new AppError('referral_not_found')
    return present(row)
  })
}

function selectReferrals(handle: Handle) {
  return handle.query
    .selectFrom('referrals as r')
    .leftJoin('profiles as a', 'a.id', 'r.referrer_id')
    .leftJoin('profiles as b', 'b.id', 'r.friend_id')
}

function withColumns(query: ReturnType<typeof selectReferrals>) {
  return query
    .leftJoin('referral_rewards as wa', (join) =>
      join.onRef('wa.referral_id', '=', 'r.id').on('wa.side', '=', 'referrer'),
    )
    .leftJoin('referral_rewards as wb', (join) =>
      join.onRef('wb.referral_id', '=', 'r.id').on('wb.side', '=', 'friend'),
    )
    .select([
      'r.id',
      'r.months',
      'r.state',
      'r.void_reason',
      'r.joined_at',
      'r.paid_at',
      'r.due_at',
      'a.id as referrer_id',
      'a.email as referrer_email',
      'b.id as friend_id',
      'b.email as friend_email',
      'wa.state as referrer_reward',
      'wb.state as friend_reward',
    ])
}

type Row = Awaited<ReturnType<ReturnType<typeof withColumns>['execute']>>[number]

function present(row: Row): AdminReferral {
  const { referrer_id, referrer_email, friend_id, friend_email, ...rest } = row
  return {
    ...rest,
    referrer: personOf(referrer_id, referrer_email),
    friend: personOf(friend_id, friend_email),
    referrer_reward: row.referrer_reward ?? 'none',
    friend_reward: row.friend_reward ?? 'none',
  }
}

function personOf(id: string | null, email: string | null): AdminReferral['friend'] {
  return id === null || email === null ? null : { id, email }
}

async function readFigures(handle: Handle) {
  const [counts, { months_given }] = await Promise.all([
    handle.query
      .selectFrom('referrals')
      .select([
        sql<number>`count(*)::int`.as('joined'),
        sql<number>`(count(*) filter (where paid_at is not null))::int`.as('paid'),
        sql<number>`(count(*) filter (where state = 'rewarded'))::int`.as('rewarded'),
        sql<number>`(count(*) filter (where state = 'void'))::int`.as('void'),
      ])
      .executeTakeFirstOrThrow(),
    handle.query
      .selectFrom('referral_rewards')
      .select(
        sql<number>`coalesce(sum(months) filter (where state = 'given'), 0)::int`.as(
          'months_given',
        ),
      )
      .executeTakeFirstOrThrow(),
  ])
  return { ...counts, months_given }
}
