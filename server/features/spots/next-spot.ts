// Selects the next spot for a member, and records the spots that were played. The rules are checked when a player
// requests a spot and again when it reports the start, so that no player can inflate the statistics.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/spots.ts'
import { spotCardSeconds, type Spot } from '#contract/spots.ts'
import { lockByName, lockNames } from '../../platform/db/advisory-locks.ts'
import { transaction, type Handle } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { hasSpots } from '../billing/entitlements.ts'
import { coverUrl } from '../tracks/track-query.ts'

/** Minimum playing time of a track. Tracks that were skipped sooner do not count. */
const listeningAfterSeconds = 5
/** How far back tracks are counted, so that tracks of earlier sessions do not count. */
const sessionHours = 12
/** Share of a spot's length after which the spot may be reported as played to the end. */
const leastHeardShare = 0.8

/** Returns the next spot if one is due. People with Premium get none. */
export async function getNextSpot(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.getNextSpot>,
): Promise<Output<typeof contract.getNextSpot>> {
  if (!hasSpots(ctx.actor)) return { data: null }
  const rules = await readDue(ctx, ctx.db)
  if (!rules) return { data: null }
  const found = await findSpot(ctx, query.track_id)
  if (found) return { data: { ...found, skip_after_seconds: rules.skip_after_seconds } }
  return { data: rules.offers_premium ? offer : null }
}

const offer: Spot = {
  id: null,
  kind: 'offer',
  title: 'Music without a break',
  text: 'Premium plays every song in full, without messages in between.',
  link_url: null,
  link_label: '',
  cover_url: null,
  cover_tint: null,
  cover_placeholder: null,
  audio_url: null,
  duration: 0,
  loudness_lufs: null,
  true_peak_dbtp: null,
  skip_after_seconds: null,
}

interface DueRules {
  skip_after_seconds: number | null
  offers_premium: boolean
}

/**
 * Returns the rules if a spot is due: enough tracks have played since the last spot, and few enough spots in the last
 * hour. Otherwise, returns null.
 */
async function readDue({ actor, now }: MemberContext, handle: Handle): Promise<DueRules | null> {
  const at = now().toISOString()
  const { rows } = await sql<DueRules & { is_due: boolean }>`
    with last as (
      select greatest(max(started_at), ${at}::timestamptz - make_interval(hours => ${sessionHours})) as at,
             count(*) filter (where started_at > ${at}::timestamptz - interval '1 hour') as this_hour
        from spot_shows where user_id = ${actor.user_id}
    ), latest as (
      select heard_seconds, row_number() over (order by started_at desc) as place
        from plays, last
       where user_id = ${actor.user_id} and reported_at > last.at and started_at > last.at
    )
    select r.skip_after_seconds, r.offers_premium,
           last.this_hour < r.per_hour and
           (select count(*) from latest where heard_seconds >= ${listeningAfterSeconds} or place = 1) >= r.every_songs
             as is_due
      from spot_rules r, last`.execute(handle.query)
  const [row] = rows
  return row?.is_due ? row : null
}

/**
 * Returns the spot that may play after this track. If there are several, returns the one that this member has not had
 * for the longest time.
 */
async function findSpot(
  ctx: MemberContext,
  trackId: string,
): Promise<Omit<Spot, 'skip_after_seconds'> | undefined> {
  const now = ctx.now().toISOString()
  return ctx.db.query
    .selectFrom('spots as s')
    .leftJoin('images as cover', 'cover.id', 's.picture_id')
    .select([
      's.id',
      's.kind',
      's.title',
      's.text',
      's.link_url',
      's.link_label',
      coverUrl('s.picture_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
      spotAudioUrl.as('audio_url'),
      sql<number>`coalesce(s.duration_seconds, 0)`.as('duration'),
      's.loudness_lufs',
      's.true_peak_dbtp',
    ])
    .where(canPlayNow(now))
    .where(
      sql<boolean>`(s.category_ids = '{}' or exists (
        select from track_categories t join category_metadata c on c.category = t.category
         where t.track_id = ${trackId} and c.id = any (s.category_ids)))`,
    )
    .orderBy(
      sql`(select max(started_at) from spot_shows h where h.spot_id = s.id and h.user_id = ${ctx.actor.user_id})`,
      (order) => order.asc().nullsFirst(),
    )
    .orderBy(sql`random()`)
    .limit(1)
    .executeTakeFirst()
}

export const spotAudioUrl = sql<string | null>`
  case when s.audio_key is not null then '/api/spots/' || s.id || '/audio' end`

/** Whether the spot `s` may be played at this time. */
function canPlayNow(now: string) {
  return sql<boolean>`(s.is_on and (s.kind = 'card' or s.audio_key is not null)
    and coalesce(s.starts_at <= ${now}, true) and coalesce(s.ends_at > ${now}, true))`
}

/**
 * Records that a spot started, was clicked or finished; repeated reports change nothing. A start is rejected if no spot
 * is due; the player then plays the next track.
 */
export async function reportSpot(
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.reportSpot>,
): Promise<void> {
  const user_id = ctx.actor.user_id
  const now = ctx.now().toISOString()
  await transaction(ctx.db, async (trx) => {
    await lockByName(trx, lockNames.spots(user_id))
    const show = await trx.query
      .selectFrom('spot_shows as h')
      .leftJoin('spots as s', 's.id', 'h.spot_id')
      .select(['h.started_at', 's.duration_seconds', 's.kind'])
      .where('h.id', '=', params.id)
      .where('h.user_id', '=', user_id)
      .where(sql<boolean>`h.spot_id is not distinct from ${body.spot_id}::uuid`)
      .executeTakeFirst()
    if (body.event === 'started') {
      if (show) return
      if (!hasSpots(ctx.actor) || !(await readDue(ctx, trx))) throw new AppError('conflict')
      if (body.spot_id !== null) await requireRunning(trx, body.spot_id, now)
      const added = await trx.query
        .insertInto('spot_shows')
        .values({ id: params.id, spot_id: body.spot_id, user_id, started_at: now })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst()
      // Another member has already used this id.
      if (!added) throw new AppError('conflict')
      return
    }
    if (!show) throw new AppError('spot_not_found')
    const column = body.event === 'clicked' ? 'clicked_at' : 'finished_at'
    const length = show.kind === 'sound' ? (show.duration_seconds ?? 0) : spotCardSeconds
    const passedMs = Date.parse(now) - Date.parse(show.started_at)
    if (column === 'finished_at' && passedMs < length * leastHeardShare * 1000) {
      throw new AppError('conflict')
    }
    await trx.query
      .updateTable('spot_shows')
      .set({ [column]: now })
      .where('id', '=', params.id)
      .where(column, 'is', null)
      .execute()
  })
}

async function requireRunning(handle: Handle, spotId: string, now: string): Promise<void> {
  const spot = await handle.query
    .selectFrom('spots as s')
    .select('s.id')
    .where('s.id', '=', spotId)
    .where(canPlayNow(now))
    .executeTakeFirst()
  if (!spot) throw new AppError('spot_not_found')
}
