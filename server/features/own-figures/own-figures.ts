// Counts the plays of a creator's own tracks, directly from the plays. The index on the track makes this fast.
import { sql } from 'kysely'
import type * as contract from '#contract/creators/own-figures.ts'
import type { OwnTrackFigures } from '#contract/creators/own-figures.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { validateRange } from '../insights/insight-operations.ts'
import { byMembers } from '../insights/roll-up-plays.ts'

type Total = Pick<OwnTrackFigures, 'plays' | 'listeners' | 'heard_minutes'>

/** Throws `invalid_period` if the range ends before it starts or is longer than three years. */
export async function getOwnFigures(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.getOwnFigures>,
): Promise<Output<typeof contract.getOwnFigures>> {
  validateRange(query)
  const { user_id } = ctx.actor
  // Exclude the creator's own plays and plays of demo accounts.
  const heard = sql`
    select p.track_id, p.user_id, p.is_preview, p.counted_at, p.heard_seconds
      from tracks t join plays p on p.track_id = t.id
     where t.owner_id = ${user_id} and t.deleted_at is null
       and p.started_at >= (${query.start}::date)::timestamp at time zone 'utc'
       and p.started_at < (${query.end}::date + 1)::timestamp at time zone 'utc'
       and p.user_id <> ${user_id} and ${byMembers}`
  const sums = sql`
    count(*) filter (where not h.is_preview and h.counted_at is not null)::int as plays,
    count(distinct h.user_id) filter (where h.counted_at is not null)::int as listeners,
    floor(coalesce(sum(h.heard_seconds), 0) / 60)::int as heard_minutes`
  const [total, tracks, { count }] = await Promise.all([
    sql<Total>`select ${sums} from (${heard}) h`.execute(ctx.db.query),
    sql<OwnTrackFigures>`
      select t.id as track_id, t.title, t.is_published, ${sums}
        from tracks t left join (${heard}) h on h.track_id = t.id
       where t.owner_id = ${user_id} and t.deleted_at is null
       group by t.id
       order by plays desc, heard_minutes desc, t.title, t.id
       limit ${query.page_size} offset ${(query.page - 1) * query.page_size}`.execute(ctx.db.query),
    ctx.db.query
      .selectFrom('tracks')
      .select(sql<number>`count(*)`.as('count'))
      .where('owner_id', '=', user_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow(),
  ])
  return {
    total: total.rows[0] ?? { plays: 0, listeners: 0, heard_minutes: 0 },
    data: tracks.rows,
    pagination: paginate(query, count),
  }
}
