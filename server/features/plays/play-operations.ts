// Records plays. A player reports what it played, and the server decides what counts, using its own clock and the audio
// that it sent. A play cannot count more seconds than have passed since its start, more devices than the plan allows,
// or audio that was never sent to the account. So an account cannot fake more plays than real listening would produce.
import { sql, type Selectable } from 'kysely'
import { isOwnedByCreator, canOpenDraft } from '../ownership/owned-by.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { countedAfterSeconds } from '#contract/plays.ts'
import type * as contract from '#contract/plays.ts'
import { track } from '#contract/tracks.ts'
import { getPremiumMarks } from '../availability/availability.ts'
import { canStreamFull, getPremiumReason, getStreamLimit } from '../billing/entitlements.ts'
import { lockByName, lockNames } from '../../platform/db/advisory-locks.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { readAsJson } from '../../platform/db/json-rows.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { type JsonText, serializeResponse } from '../../platform/db/ready-json.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { selectTracks } from '../tracks/track-query.ts'
import { saveContext } from './listening-contexts.ts'
import type { SentAudio } from './sent-audio.ts'

export interface PlayServices {
  settings: Pick<SettingsCache, 'current'>
  sentAudio: Pick<SentAudio, 'flush'>
}

type Report = ParsedInput<typeof contract.reportPlay>['body']

/** Tolerance for clock drift and network delay, in seconds. */
const toleranceSeconds = 1.5
/**
 * Share of the counted seconds whose audio must have been sent. Below 1, because bytes are not spread evenly over a
 * file.
 */
const minSentShare = 0.9
/** A play counts as ended if its last report is at most this many seconds before the end of the file. */
const endSeconds = 3
/** Shorter plays, in seconds, count as skips and are not listed as recently played. */
const minRecentSeconds = 5
/** Number of latest plays among which recently played tracks are searched. */
const recentPlays = 500

/**
 * Saves a report. `playedSeconds` moves the start into the past, because apps report a play after it has ended. This
 * cannot inflate counts: the audio must have been sent, and an account cannot count more plays in a period than its
 * devices can play.
 */
export async function reportPlay(
  services: PlayServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.reportPlay>,
  { playedSeconds = 0 }: { playedSeconds?: number } = {},
): Promise<Output<typeof contract.reportPlay>> {
  const limit = getStreamLimit(ctx.actor, services.settings.current())
  await services.sentAudio.flush(ctx.actor.user_id)
  return transaction(ctx.db, async (trx) => {
    await lockPlays(ctx, trx)
    const track = await trx.query
      .selectFrom('tracks as t')
      .leftJoin('renditions as preview', (join) =>
        join.onRef('preview.track_id', '=', 't.id').on('preview.kind', '=', 'preview'),
      )
      .select([
        't.duration',
        't.is_published',
        't.owner_id',
        't.audience',
        't.early_access_until',
        'preview.duration_seconds as preview_seconds',
      ])
      .where('t.id', '=', body.track_id)
      .where('t.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!track) throw new AppError('track_not_found')
    const reason = getPremiumReason(ctx.actor, getPremiumMarks(track), ctx.now())
    const isPreview =
      !isOwnedByCreator(ctx.actor, track.owner_id) &&
      !canStreamFull(ctx.actor, track.preview_seconds !== null, reason)
    const play =
      (await continuePlay(ctx, trx, body)) ??
      (track.is_published && (await beginPlay(ctx, trx, body, { isPreview, limit, playedSeconds })))
    if (play && track.is_published && body.context) {
      await saveContext(ctx, trx, { ...body, context: body.context })
    }
    // Do not store plays of drafts: the people who work on a draft are not its audience.
    if (!play && !track.is_published && canOpenDraft(ctx.actor, track.owner_id))
      return { is_counted: false }
    if (!play) throw new AppError(track.is_published ? 'conflict' : 'track_not_found')
    if (play.counted_at !== null) return { is_counted: true }
    const threshold = Math.min(countedAfterSeconds, track.duration / 2)
    if (play.heard_seconds < threshold) return { is_counted: false }
    const lengths = { track: track.duration, preview: track.preview_seconds ?? 0 }
    return { is_counted: await countPlay(ctx, trx, play, { threshold, lengths, limit }) }
  })
}

/** Serializes the reports of one person, so that concurrent reports cannot bypass the limits. */
async function lockPlays({ actor }: MemberContext, trx: Transaction): Promise<void> {
  await lockByName(trx, lockNames.plays(actor.user_id))
}

const shown = ['id', 'track_id', 'is_preview', 'heard_seconds', 'counted_at'] as const
type Play = Pick<Selectable<Tables['plays']>, (typeof shown)[number]>

/**
 * Updates a play that was reported before. Returns undefined if it is unknown or belongs to another person or track.
 */
async function continuePlay(ctx: MemberContext, trx: Transaction, body: Report) {
  const now = ctx.now().toISOString()
  const passed = sql<number>`extract(epoch from least(${now}::timestamptz, ended_at) - started_at) + ${toleranceSeconds}::float`
  // Reports may arrive out of order, so the number of seconds never decreases.
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
      // A play that only seeks to the end is not completed.
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

/**
 * Inserts a play. Its time starts at the first report, regardless of the report's content. Ends the oldest unfinished
 * plays beyond `limit`. Returns undefined if the id is taken.
 */
async function beginPlay(
  ctx: MemberContext,
  trx: Transaction,
  body: Report,
  { isPreview, limit, playedSeconds }: { isPreview: boolean; limit: number; playedSeconds: number },
) {
  const nowMs = ctx.now().getTime()
  const now = new Date(nowMs).toISOString()
  const play = await trx.query
    .insertInto('plays')
    .values({
      id: body.play_id,
      user_id: ctx.actor.user_id,
      track_id: body.track_id,
      is_preview: isPreview,
      started_at: new Date(nowMs - playedSeconds * 1000).toISOString(),
      reported_at: now,
      heard_seconds: Math.min(body.heard_seconds, playedSeconds + toleranceSeconds),
      position_seconds: body.position_seconds,
      duration_seconds: body.duration_seconds,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(shown)
    .executeTakeFirst()
  if (play) await endOldest(ctx, trx, { newest: play.id, limit })
  return play
}

/** Longer than any recording. Older unfinished plays need not be ended. */
const maxUnfinishedSeconds = 24 * 3600

async function endOldest(
  ctx: MemberContext,
  trx: Transaction,
  { newest, limit }: { newest: string; limit: number },
): Promise<void> {
  const nowMs = ctx.now().getTime()
  const { user_id } = ctx.actor
  await trx.query
    .updateTable('plays')
    .set({ ended_at: new Date(nowMs).toISOString() })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('plays')
        .select('id')
        .where('user_id', '=', user_id)
        .where('reported_at', '>', new Date(nowMs - maxUnfinishedSeconds * 1000).toISOString())
        .where('ended_at', 'is', null)
        .where('id', '!=', newest)
        .orderBy('started_at', 'desc')
        .orderBy('id')
        .offset(limit - 1),
    )
    .execute()
}

/**
 * Counts a play. Returns false if the audio was not sent, if plays on all devices of the account are already being
 * counted, or if the account's last play of the track was counted recently.
 */
async function countPlay(
  ctx: MemberContext,
  trx: Transaction,
  play: Play,
  {
    threshold,
    lengths,
    limit,
  }: { threshold: number; lengths: { track: number; preview: number }; limit: number },
): Promise<boolean> {
  const now = ctx.now()
  const { user_id } = ctx.actor
  const ago = (seconds: number) =>
    new Date(now.getTime() - Math.max(0, seconds - toleranceSeconds) * 1000).toISOString()
  const length = play.is_preview ? lengths.preview : lengths.track
  const { rows } = await sql<{ sent_seconds: number; others: number; is_repeat: boolean }>`
    select (select coalesce(sum(share * case when is_preview then ${lengths.preview}::float else ${lengths.track}::float end), 0)
              from track_deliveries where user_id = ${user_id} and track_id = ${play.track_id}) as sent_seconds,
           (select count(*)::int from plays where user_id = ${user_id} and counted_at > ${ago(threshold)}) as others,
           exists (select from plays where user_id = ${user_id} and counted_at > ${ago(length)}
                      and track_id = ${play.track_id}) as is_repeat`.execute(trx.query)
  const { sent_seconds, others, is_repeat } = rows[0]!
  if (sent_seconds < threshold * minSentShare || others >= limit || is_repeat) return false
  await trx.query
    .updateTable('plays')
    .set({ counted_at: now.toISOString() })
    .where('id', '=', play.id)
    .execute()
  return true
}

export async function listRecentlyPlayed(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listRecentlyPlayed>,
): Promise<JsonText<Output<typeof contract.listRecentlyPlayed>>> {
  const me = ctx.actor.user_id
  const recent = selectTracks(ctx.db, me)
    .innerJoin(
      (eb) =>
        eb
          .selectFrom(
            eb
              .selectFrom('plays')
              .select(['track_id', 'reported_at'])
              .where('user_id', '=', me)
              .where('heard_seconds', '>=', minRecentSeconds)
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
  return serializeResponse<typeof contract.listRecentlyPlayed>({
    data: rows.map(({ json }) => json),
  })
}
