// Daily mixes for Premium members. They are generated from likes and plays at the day's first request and stored, so
// that they stay the same all day and on every device.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/radio.ts'
import { mixLength, mixLimit } from '#contract/radio.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import { type JsonText, serializeResponse } from '../../platform/db/ready-json.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { hasDailyMixes } from '../billing/entitlements.ts'
import { requireFeature } from '../feature-switches/feature-switches.ts'
import { coverUrl } from '../tracks/track-query.ts'
import { readTracksInOrder } from './radio-operations.ts'
import { createStation } from './station-candidates.ts'

/** A like counts as much as three plays. */
const likeWeight = 3
const latestPlays = 500
const latestLikes = 100
const recentDays = 90
const seedsPerMix = 5
/** Minimum number of tracks. Shorter mixes are not offered. */
const minMixLength = 10
/** Mixes of earlier days are deleted after this many days. */
const mixLifetimeDays = 2

interface NewMix {
  title: string
  seed_ids: string[]
  track_ids: string[]
}

export async function listMixes(ctx: MemberContext): Promise<Output<typeof contract.listMixes>> {
  await requireOpenFeature(ctx)
  await createMixesForToday(ctx)
  const { rows } = await sql<Output<typeof contract.listMixes>['data'][number]>`
    select m.position, m.title,
           coalesce((select string_agg(artist, ', ' order by place) from (
             select t.artist, min(u.place) as place
               from unnest(m.track_ids) with ordinality u (id, place)
               join tracks t on t.id = u.id and t.is_published
              group by t.artist order by 2 limit 3) artists), '') as description,
           (select count(*) from tracks t where t.id = any(m.track_ids) and t.is_published)::int as track_count,
           array(select ${coverUrl('t.cover_id')}
                   from unnest(m.track_ids) with ordinality u (id, place)
                   join tracks t on t.id = u.id and t.is_published and t.cover_id is not null
                  order by u.place limit 4) as mosaic
      from daily_mixes m
     where m.user_id = ${ctx.actor.user_id} and m.day = ${getToday(ctx)}
     order by m.position`.execute(ctx.db.query)
  return { data: rows.filter(({ track_count }) => track_count > 0) }
}

export async function getMix(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getMix>,
): Promise<JsonText<Output<typeof contract.getMix>>> {
  await requireOpenFeature(ctx)
  await createMixesForToday(ctx)
  const mix = await ctx.db.query
    .selectFrom('daily_mixes')
    .select(['title', 'track_ids'])
    .where('user_id', '=', ctx.actor.user_id)
    .where('day', '=', getToday(ctx))
    .where('position', '=', params.position)
    .executeTakeFirst()
  if (!mix) throw new AppError('not_found')
  const tracks = await readTracksInOrder(ctx, mix.track_ids)
  return serializeResponse<typeof contract.getMix>({
    title: mix.title,
    data: tracks.map(({ json }) => json),
  })
}

/** Deletes mixes of earlier days. The worker runs this. */
export async function deleteOldMixes(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - mixLifetimeDays * 86_400_000).toISOString().slice(0, 10)
  await db.query.deleteFrom('daily_mixes').where('day', '<', before).execute()
}

async function requireOpenFeature(ctx: MemberContext): Promise<void> {
  if (!hasDailyMixes(ctx.actor)) throw new AppError('premium_required')
  await requireFeature(ctx, 'daily_mixes')
}

/** The current day in UTC, as in all daily data. */
const getToday = ({ now }: MemberContext) => now().toISOString().slice(0, 10)

async function createMixesForToday(ctx: MemberContext): Promise<void> {
  const day = getToday(ctx)
  const existing = await ctx.db.query
    .selectFrom('daily_mixes')
    .select('position')
    .where('user_id', '=', ctx.actor.user_id)
    .where('day', '=', day)
    .limit(1)
    .executeTakeFirst()
  if (existing) return
  const mixes = await createMixes(ctx)
  if (mixes.length === 0) return
  const user_id = ctx.actor.user_id
  const rows = mixes.map((mix, at) => ({ user_id, day, position: at + 1, ...mix }))
  await transaction(ctx.db, async (trx) => {
    // Lock the member's row to serialize concurrent requests: the second one returns the mixes of the first.
    await trx.query
      .selectFrom('profiles')
      .select('id')
      .where('id', '=', user_id)
      .forNoKeyUpdate()
      .execute()
    const first = await trx.query
      .selectFrom('daily_mixes')
      .select('position')
      .where('user_id', '=', user_id)
      .where('day', '=', day)
      .limit(1)
      .executeTakeFirst()
    if (!first) await trx.query.insertInto('daily_mixes').values(rows).execute()
  })
}

/** Generates one mix for each genre or artist that the member likes most. No track is in two mixes. */
async function createMixes(ctx: MemberContext): Promise<NewMix[]> {
  const mixes: NewMix[] = []
  const used: string[] = []
  for (const { name, seed_ids } of await readTastes(ctx)) {
    const found = await createStation(ctx, { seedIds: seed_ids, exclude: used, limit: mixLength })
    if (found.length < minMixLength) continue
    used.push(...found)
    mixes.push({
      title: `${name.charAt(0).toUpperCase()}${name.slice(1)} mix`,
      seed_ids,
      track_ids: found,
    })
  }
  return mixes
}

interface Taste {
  name: string
  seed_ids: string[]
}

/**
 * Groups liked and played tracks by genre, by category if a track has no genre, or by artist if it has neither. Ranks
 * the groups by likes and by the plays of the last 90 days.
 */
async function readTastes(ctx: MemberContext): Promise<Taste[]> {
  const me = ctx.actor.user_id
  const since = new Date(ctx.now().getTime() - recentDays * 86_400_000).toISOString()
  const { rows } = await sql<Taste>`
    with counted as (
      (select track_id, 1 as weight from plays
        where user_id = ${me} and counted_at > ${since} order by counted_at desc limit ${latestPlays})
      union all
      (select track_id, ${likeWeight}::int from likes
        where user_id = ${me} order by created_at desc limit ${latestLikes})
    ), loved as (
      select t.id, coalesce(t.genre, c.display_name, t.category, t.artist) as name, sum(weight)::int as weight
        from counted join tracks t on t.id = counted.track_id and t.is_published
        left join category_metadata c on c.category = t.category
       group by t.id, c.display_name
    ), ranked as (
      select *, row_number() over (partition by name order by weight desc, id) as place,
             sum(weight) over (partition by name) as total
        from loved
    )
    select name, array_agg(id order by place) as seed_ids
      from ranked where place <= ${seedsPerMix}
     group by name, total order by total desc, name limit ${mixLimit}`.execute(ctx.db.query)
  return rows
}
