// Plays as they happen. A player says what it played; what counts is decided here, against the clock
// of the server: nobody hears more seconds than have passed since the play began.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { countedAfterSeconds, type listRecentlyPlayed, type reportPlay } from '#contract/plays.ts'
import { track } from '#contract/tracks.ts'
import { mayStreamFull } from '../billing/entitlements.ts'
import { transaction, type Transaction } from '../db/database.ts'
import { readAsJson } from '../db/json-rows.ts'
import { AppError } from '../http/app-error.ts'
import type { MemberContext } from '../http/context.ts'
import { type JsonText, readyJson } from '../http/ready-json.ts'
import { trackQuery } from '../tracks/track-query.ts'

type Report = ParsedInput<typeof reportPlay>['body']

/** What clocks and the way to us may differ by. */
const toleranceSeconds = 1.5
/** Who plays on all their devices at once stays under this; who makes plays up does not. */
const maxCounted = { plays: 6, within_seconds: 30 }
/** At the end of a file the last report is a moment early. */
const endSeconds = 3
/** Shorter listening is looking for something, not listening. */
const recentAfterSeconds = 5
/** So many of the latest plays are looked through for recent tracks. */
const recentPlays = 500

export async function recordPlay(
  ctx: MemberContext,
  { body }: ParsedInput<typeof reportPlay>,
): Promise<Output<typeof reportPlay>> {
  return transaction(ctx.db, async (trx) => {
    const track = await trx.query
      .selectFrom('tracks as t')
      .leftJoin('renditions as preview', (join) =>
        join.onRef('preview.track_id', '=', 't.id').on('preview.kind', '=', 'preview'),
      )
      .select(['t.duration', 't.is_published', 'preview.id as preview_id'])
      .where('t.id', '=', body.track_id)
      .executeTakeFirst()
    if (!track) throw new AppError('track_not_found')
    const isPreview = !mayStreamFull(ctx.actor, track.preview_id !== null)
    const play =
      (await continuePlay(ctx, trx, body)) ??
      (track.is_published && (await beginPlay(ctx, trx, body, isPreview)))
    if (!play) throw new AppError(track.is_published ? 'conflict' : 'track_not_found')
    if (play.counted_at !== null) return { is_counted: true }
    const threshold = Math.min(countedAfterSeconds, track.duration / 2)
    const isEnough = play.heard_seconds >= threshold
    return { is_counted: isEnough && (await countPlay(ctx, trx, body.play_id)) }
  })
}

const shown = ['heard_seconds', 'counted_at'] as const

/** Nothing where this play is not known yet, or is another person's or track's. */
async function continuePlay(ctx: MemberContext, trx: Transaction, body: Report) {
  const now = ctx.now().toISOString()
  const passed = sql<number>`extract(epoch from ${now}::timestamptz - started_at) + ${toleranceSeconds}::float`
  // Reports may arrive in another order than they were sent.
  const heard = sql<number>`greatest(heard_seconds, least(${body.heard_seconds}::float, ${passed}))`
  const isAtEnd =
    body.duration_seconds > 0 && body.position_seconds >= body.duration_seconds - endSeconds
  return trx.query
    .updateTable('plays')
    .set({
      heard_seconds: heard,
      position_seconds: body.position_seconds,
      duration_seconds: body.duration_seconds,
      reported_at: now,
      // Jumping to the end is not hearing it.
      ...(isAtEnd && {
        completed: sql<boolean>`completed or ${heard} >= ${body.duration_seconds / 2}::float`,
      }),
    })
    .where('id', '=', body.play_id)
    .where('user_id', '=', ctx.actor.user_id)
    .where('track_id', '=', body.track_id)
    .returning(shown)
    .executeTakeFirst()
}

/** Its clock begins with the first report, whatever that claims. Nothing where the id is taken. */
async function beginPlay(ctx: MemberContext, trx: Transaction, body: Report, is_preview: boolean) {
  const now = ctx.now().toISOString()
  return trx.query
    .insertInto('plays')
    .values({
      id: body.play_id,
      user_id: ctx.actor.user_id,
      track_id: body.track_id,
      is_preview,
      started_at: now,
      reported_at: now,
      heard_seconds: Math.min(body.heard_seconds, toleranceSeconds),
      position_seconds: body.position_seconds,
      duration_seconds: body.duration_seconds,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(shown)
    .executeTakeFirst()
}

/** Counts one person's plays one after the other, so that many at once do not slip through together. */
async function countPlay(ctx: MemberContext, trx: Transaction, playId: string): Promise<boolean> {
  const now = ctx.now()
  const since = new Date(now.getTime() - maxCounted.within_seconds * 1000)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`plays ${ctx.actor.user_id}`}, 0))`.execute(
    trx.query,
  )
  const { count } = await trx.query
    .selectFrom('plays')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', ctx.actor.user_id)
    .where('counted_at', '>', since.toISOString())
    .executeTakeFirstOrThrow()
  if (count >= maxCounted.plays) return false
  await trx.query
    .updateTable('plays')
    .set({ counted_at: now.toISOString() })
    .where('id', '=', playId)
    .execute()
  return true
}

export async function listRecentTracks(
  ctx: MemberContext,
  { query }: ParsedInput<typeof listRecentlyPlayed>,
): Promise<JsonText<Output<typeof listRecentlyPlayed>>> {
  const me = ctx.actor.user_id
  const recent = trackQuery(ctx.db, me)
    .innerJoin(
      (eb) =>
        eb
          .selectFrom(
            eb
              .selectFrom('plays')
              .select(['track_id', 'reported_at'])
              .where('user_id', '=', me)
              .where('heard_seconds', '>=', recentAfterSeconds)
              .orderBy('reported_at', 'desc')
              .limit(recentPlays)
              .as('latest'),
          )
          .select((latest) => ['track_id', latest.fn.max('reported_at').as('played_at')])
          .groupBy('track_id')
          .as('recent'),
      (join) => join.onRef('recent.track_id', '=', 't.id'),
    )
    .where('t.is_published', '=', true)
    .orderBy('recent.played_at', 'desc')
    .orderBy('t.id')
    .limit(query.limit)
  const rows = await readAsJson(ctx.db, track, recent)
  return readyJson<typeof listRecentlyPlayed>({ data: rows.map(({ json }) => json) })
}
