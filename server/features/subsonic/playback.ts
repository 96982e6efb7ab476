// Playback reports from Subsonic apps, stored as plays like those of the web app. Only a report, not a request for a
// song, occupies one of the person's player places, because apps request songs long before they play them.
import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { keepPlaying, startPlaying, stopPlaying } from '#contract/playing.ts'
import { reportPlay } from '#contract/plays.ts'
import * as playing from '../playing/playing-operations.ts'
import * as plays from '../plays/play-operations.ts'
import type { Tree } from './response.ts'
import { requireUuid } from './item-ids.ts'
import { readSongRows, toSong } from './songs.ts'
import type { CallHandler, SubsonicCall } from './subsonic-call.ts'
import { notFound, SubsonicError } from './subsonic-error.ts'

/** Maximum number of plays in one report. Apps report all offline plays in one call. */
const maxScrobbles = 500
/**
 * A report that a song has ended completes the play that was started, if it arrives at most this long after the song's
 * duration has passed.
 */
const graceSeconds = 900

export const scrobble: CallHandler = async (call) => {
  const { parameters } = call
  parameters.required('id')
  const ids = parameters.all('id').slice(0, maxScrobbles)
  const times = parameters.all('time')
  const isOver = parameters.flag('submission') ?? true
  for (const [i, id] of ids.entries()) {
    const song = await findSong(call, id)
    if (isOver) await endPlay(call, song, times[i])
    else await beginPlay(call, song)
  }
  return {}
}

interface PlayedSong {
  id: string
  /** The duration of the file that the person can play. */
  seconds: number
}

async function findSong({ ctx }: SubsonicCall, id: string): Promise<PlayedSong> {
  const uuid = requireUuid('song', id)
  const [row] = await readSongRows(ctx, sql`select ${uuid}::uuid as id, 1 as place`)
  if (!row) throw notFound('Song')
  const { duration } = toSong(ctx, row)
  return { id: uuid, seconds: typeof duration === 'number' ? duration : 0 }
}

/** A device key counts as one device and as one player. */
const getPlayer = ({ ctx }: SubsonicCall) => ({
  params: { player_id: ctx.actor.session_id },
  query: { device_id: ctx.actor.session_id },
})
const getCaller = ({ request, ctx }: SubsonicCall) => ({ request, actor: ctx.actor })

async function beginPlay(call: SubsonicCall, song: PlayedSong): Promise<void> {
  const { ctx, services } = call
  await services.callOperation(
    startPlaying,
    (member, input) => playing.startPlaying(services, member, input),
    getCaller(call),
    getPlayer(call),
  )
  await playing.extendPlace(services, ctx, ctx.actor.session_id, song.seconds)
  await report(call, song, { playId: randomUUID(), seconds: 0 })
}

async function endPlay(call: SubsonicCall, song: PlayedSong, time: string | undefined) {
  const open = await findOpenPlay(call, song)
  if (open) return report(call, song, { playId: open, seconds: song.seconds })
  const playId = makePlayId(call, song, time)
  return report(call, song, { playId, seconds: song.seconds, playedSeconds: song.seconds })
}

async function report(
  call: SubsonicCall,
  { id, seconds: duration_seconds }: PlayedSong,
  {
    playId,
    seconds,
    playedSeconds = 0,
  }: { playId: string; seconds: number; playedSeconds?: number },
): Promise<void> {
  const { services } = call
  const body = {
    play_id: playId,
    track_id: id,
    heard_seconds: seconds,
    position_seconds: seconds,
    duration_seconds,
  }
  await services.callOperation(
    reportPlay,
    (ctx, input) => plays.reportPlay(services, ctx, input, { playedSeconds }),
    getCaller(call),
    { body },
  )
}

async function findOpenPlay({ ctx }: SubsonicCall, { id, seconds }: PlayedSong) {
  const sinceMs = ctx.now().getTime() - (seconds + graceSeconds) * 1000
  const row = await ctx.db.query
    .selectFrom('plays')
    .select('id')
    .where('user_id', '=', ctx.actor.user_id)
    .where('track_id', '=', id)
    .where('reported_at', '>', new Date(sinceMs).toISOString())
    .where('completed', '=', false)
    .where('ended_at', 'is', null)
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/**
 * A report that is sent again gets the same id. Reports without a time are the same if they arrive within the same
 * minute.
 */
function makePlayId({ ctx }: SubsonicCall, { id }: PlayedSong, time: string | undefined): string {
  const moment = time ?? String(Math.floor(ctx.now().getTime() / 60_000))
  const hash = createHash('sha256').update(`${ctx.actor.session_id} ${id} ${moment}`).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

const states = ['starting', 'playing', 'paused', 'stopped'] as const

/** Handles the extension playbackReport: apps report their state during playback. */
export const reportPlayback: CallHandler = async (call) => {
  const { ctx, parameters, services } = call
  const kind = parameters.required('mediaType')
  const state = states.find((one) => one === parameters.required('state'))
  parameters.required('positionMs')
  if (!state) throw new SubsonicError('generic', 'Unknown state')
  if (kind !== 'song') throw notFound('Media')
  const song = await findSong(call, parameters.required('mediaId'))
  const seconds = parameters.integer('positionMs', { or: 0, max: 24 * 3_600_000 }) / 1000
  const isCounted = parameters.flag('ignoreScrobble') !== true
  const open = await findOpenPlay(call, song)
  if (state === 'starting' || (state === 'playing' && !open && isCounted)) {
    await beginPlay(call, song)
    return {}
  }
  if (state === 'playing') {
    await services.callOperation(
      keepPlaying,
      (member, input) => playing.keepPlaying(services, member, input),
      getCaller(call),
      getPlayer(call),
    )
    await playing.extendPlace(services, ctx, ctx.actor.session_id, song.seconds - seconds)
  } else {
    await services.callOperation(stopPlaying, playing.stopPlaying, getCaller(call), getPlayer(call))
  }
  if (open && isCounted) await report(call, song, { playId: open, seconds })
  return {}
}

/** Lists only the person's own current plays, for privacy. */
export const getNowPlaying: CallHandler = async ({ ctx }) => {
  const { user_id, email } = ctx.actor
  const { rows } = await sql<{ track_id: string; minutes: number; position_ms: number }>`
    select track_id, floor(extract(epoch from ${ctx.now().toISOString()}::timestamptz - started_at) / 60)::int as minutes,
           (position_seconds * 1000)::int as position_ms
      from plays where user_id = ${user_id} and ended_at is null and not completed
       and reported_at > ${ctx.now().toISOString()}::timestamptz - make_interval(secs => duration_seconds + 60)
     order by reported_at desc, id limit 1`.execute(ctx.db.query)
  const [play] = rows
  if (!play) return { nowPlaying: { entry: [] } }
  const songs = await readSongRows(ctx, sql`select ${play.track_id}::uuid as id, 1 as place`)
  const entry = songs.map((row): Tree => ({
    ...toSong(ctx, row),
    username: email,
    minutesAgo: Math.max(0, play.minutes),
    playerId: 0,
    positionMs: play.position_ms,
  }))
  return { nowPlaying: { entry } }
}
