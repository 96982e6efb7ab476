// Generates the plays, likes and playlists of the demo accounts, and the statistics that the demo's admin sees. All
// generated data is listed in demo_activity or stored in the demo's own tables, and is deleted when the demo is
// switched off.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { demoAccounts } from '#contract/demo.ts'
import { freeLimits } from '#contract/plans.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import { lockByName, lockNames } from '../../platform/db/advisory-locks.ts'
import { isDemoLeft } from '../settings/settings-cache.ts'
import { toUtcDay } from '../insights/roll-up-insights.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { seedDemoStatistics } from './demo-statistics.ts'

const statisticsStep = 'figures'
const activityStep = 'activity'
/**
 * Minimum number of ready tracks before plays are generated. With fewer tracks, all accounts would have played the same
 * ones.
 */
const enoughTracks = 10

interface Habits {
  plays: number
  likes: number
  /** Titles of playlists, with the indexes of their tracks in the demo catalogue. */
  playlists: { title: string; tracks: readonly number[] }[]
}

const habits: Record<(typeof demoAccounts)[number]['email'], Habits> = {
  'admin@velour.test': {
    plays: 24,
    likes: 6,
    playlists: [{ title: 'Listen again before release', tracks: [1, 5, 8, 11] }],
  },
  'premium@velour.test': {
    plays: 60,
    likes: 12,
    playlists: [
      { title: 'Sunday, slowly', tracks: [0, 3, 6, 9, 12, 15, 2] },
      { title: 'Deep work', tracks: [4, 7, 10, 13, 1, 5, 8, 11, 14] },
      { title: 'On the way home', tracks: [2, 6, 9, 12] },
    ],
  },
  'free@velour.test': {
    plays: 30,
    likes: 5,
    playlists: [{ title: 'My favourites', tracks: [0, 2, 4, 6, 8, 10, 12] }],
  },
}

interface SeedTrack {
  id: string
  seconds: number
}

/**
 * Generates missing data. Call this again whenever demo tracks become ready. Statistics are generated immediately and
 * distributed over the tracks that exist so far. Accounts get their plays once there are enough tracks. Existing data
 * is kept.
 */
export async function seedDemoActivity(db: Database, now: Date): Promise<void> {
  await transaction(db, async (trx) => {
    // If two instances start concurrently, the second waits here and then skips the completed steps.
    await lockByName(trx, lockNames.demo())
    if (await isDemoLeft(trx)) return
    await beginStep(trx, statisticsStep, now)
    const tracks = await findDemoTracks(trx)
    await seedDemoStatistics(
      trx,
      tracks.map(({ id }) => id),
      toUtcDay(now),
    )
    if (tracks.length < enoughTracks || !(await beginStep(trx, activityStep, now))) return
    for (const { email, tier } of demoAccounts) {
      const person = await trx.query
        .selectFrom('profiles')
        .select('id')
        .where('email', '=', email)
        .where('is_demo', '=', true)
        .executeTakeFirst()
      if (person) await seedPerson(trx, person.id, habits[email], tracks, now, tier === 'free')
    }
    await notify(trx, 'playlists')
  })
}

/** Records that a step begins. Returns false if it was already recorded. */
async function beginStep(trx: Transaction, step: string, now: Date): Promise<boolean> {
  const { is_new } = await trx.query
    .insertInto('demo_steps')
    .values({ step, done_at: now.toISOString() })
    .onConflict((conflict) => conflict.column('step').doUpdateSet({ step }))
    .returning(sql<boolean>`xmax = 0`.as('is_new'))
    .executeTakeFirstOrThrow()
  return is_new
}

/** The tracks of the demo in catalogue order, without those that an admin deleted. */
async function findDemoTracks(trx: Transaction): Promise<SeedTrack[]> {
  const rows = await trx.query
    .selectFrom('demo_steps as d')
    .innerJoin('tracks as t', 't.id', 'd.track_id')
    .select(['t.id', 't.duration'])
    .where('d.step', 'like', 'track:%')
    .where('t.deleted_at', 'is', null)
    .orderBy('t.created_at')
    .orderBy('t.id')
    .execute()
  // The duration is null while the file is being processed.
  return rows.map(({ id, duration }) => ({ id, seconds: duration || 90 }))
}

async function seedPerson(
  trx: Transaction,
  userId: string,
  { plays, likes, playlists }: Habits,
  tracks: readonly SeedTrack[],
  now: Date,
  isFree: boolean,
): Promise<void> {
  await seedPlays(trx, userId, makePlays(plays, tracks, now, isFree))
  const liked = tracks.filter((_, at) => at % 2 === 0).slice(0, likes)
  await trx.query
    .insertInto('likes')
    .values(
      liked.map(({ id }, at) => ({
        user_id: userId,
        track_id: id,
        created_at: hoursBefore(now, 20 + at * 31),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await note(
    trx,
    userId,
    'like',
    liked.map(({ id }) => id),
  )
  const room = isFree ? freeLimits.playlists - (await countPlaylists(trx, userId)) : Infinity
  for (const [at, { title, tracks: places }] of playlists.slice(0, Math.max(0, room)).entries()) {
    const ids = places.flatMap((place) => tracks[place % tracks.length]?.id ?? [])
    await seedPlaylist(trx, userId, title, [...new Set(ids)], hoursBefore(now, 100 + at * 150))
  }
}

type Play = ReturnType<typeof makePlays>[number]

/** Generates plays of three weeks, newest first, with some favorite tracks. Most plays are completed. */
function makePlays(count: number, tracks: readonly SeedTrack[], now: Date, isFree: boolean) {
  return Array.from({ length: count }, (_, at) => {
    const track = tracks[(at * at + at * 3) % tracks.length]!
    const isCompleted = at % 4 !== 3
    const whole = isFree ? Math.min(45, track.seconds) : track.seconds
    const playedSeconds = isCompleted ? whole : Math.round(whole * 0.4)
    const started = hoursBefore(now, 2 + (at * 500) / count)
    const ended = new Date(Date.parse(started) + playedSeconds * 1000).toISOString()
    return {
      id: randomUUID(),
      track_id: track.id,
      is_preview: isFree,
      started_at: started,
      reported_at: ended,
      heard_seconds: playedSeconds,
      position_seconds: playedSeconds,
      duration_seconds: whole,
      completed: isCompleted,
      counted_at: playedSeconds >= Math.min(30, whole / 2) ? ended : null,
    }
  })
}

async function seedPlays(trx: Transaction, userId: string, plays: Play[]): Promise<void> {
  await trx.query
    .insertInto('plays')
    .values(plays.map((play) => ({ ...play, user_id: userId })))
    .execute()
  await note(
    trx,
    userId,
    'play',
    plays.map(({ id }) => id),
  )
}

async function seedPlaylist(
  trx: Transaction,
  userId: string,
  title: string,
  trackIds: string[],
  created_at: string,
): Promise<void> {
  const { id } = await trx.query
    .insertInto('playlists')
    .values({ title, created_by: userId, created_at, updated_at: created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx.query
    .insertInto('playlist_tracks')
    .values(trackIds.map((track_id, order_index) => ({ playlist_id: id, track_id, order_index })))
    .execute()
  await note(trx, userId, 'playlist', [id])
}

async function countPlaylists(trx: Transaction, userId: string): Promise<number> {
  const { count } = await trx.query
    .selectFrom('playlists')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('created_by', '=', userId)
    .where('is_curated', '=', false)
    .executeTakeFirstOrThrow()
  return count
}

async function note(
  trx: Transaction,
  user_id: string,
  kind: 'play' | 'like' | 'playlist',
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await trx.query
    .insertInto('demo_activity')
    .values(ids.map((item_id) => ({ user_id, kind, item_id })))
    .execute()
}

function hoursBefore(now: Date, hours: number): string {
  return new Date(now.getTime() - hours * 3_600_000).toISOString()
}

/**
 * Called when the demo is switched off: deletes all generated data. The tracks and accounts are kept; the owner may
 * delete them.
 */
export async function removeDemoActivity(db: Database): Promise<void> {
  await transaction(db, deleteDemoActivity)
}

export async function deleteDemoActivity(trx: Transaction): Promise<void> {
  const done = await trx.query
    .deleteFrom('demo_steps')
    .where('step', 'in', [statisticsStep, activityStep])
    .executeTakeFirst()
  if (done.numDeletedRows === 0n) return
  await sql`
    delete from plays p using demo_activity a
     where a.kind = 'play' and p.id = a.item_id and p.user_id = a.user_id`.execute(trx.query)
  await sql`
    delete from likes l using demo_activity a
     where a.kind = 'like' and l.track_id = a.item_id and l.user_id = a.user_id`.execute(trx.query)
  await sql`
    delete from playlists p using demo_activity a
     where a.kind = 'playlist' and p.id = a.item_id and p.created_by = a.user_id`.execute(trx.query)
  for (const table of [
    'demo_activity',
    'demo_insight_days',
    'demo_track_days',
    'demo_money_days',
  ] as const) {
    await trx.query.deleteFrom(table).execute()
  }
}
