// The most frequent database operations except lists: checking the session and the right to play, reading single rows,
// likes, plays, and places of players. Writes are really executed, as one member of the data set.
import { randomUUID } from 'node:crypto'
import { readSession } from '#server/features/auth/sessions/session-check.ts'
import { listSessions } from '#server/features/auth/sessions/session-operations.ts'
import type { MemberContext } from '#server/platform/operations/context.ts'
import {
  listTopTracks,
  getInsights,
  getTrackInsights,
} from '#server/features/insights/insight-operations.ts'
import { createPlayerPlaces } from '#server/features/playing/player-places.ts'
import {
  startPlaying,
  keepPlaying,
  stopPlaying,
} from '#server/features/playing/playing-operations.ts'
import { getPlaylist } from '#server/features/playlists/playlist-operations.ts'
import {
  addTrackToPlaylist,
  removeTrackFromPlaylist,
} from '#server/features/playlists/playlist-track-operations.ts'
import { reportPlay } from '#server/features/plays/play-operations.ts'
import { createSettingsCache } from '#server/features/settings/settings-cache.ts'
import { findAdminTrack } from '#server/features/tracks/admin-track-query.ts'
import { createBrowseLists } from '#server/features/browse/browse-lists.ts'
import { createStreamSource } from '#server/features/streaming/stream-source.ts'
import { getTrack, likeTrack, unlikeTrack } from '#server/features/tracks/track-operations.ts'
import { findUser } from '#server/features/users/user-query.ts'
import type { ListCase } from './list-cases.ts'

type HotCase = Pick<ListCase, 'name' | 'who' | 'run'>

interface Ids {
  /** Id of a published track that isn't in the member's first playlist. */
  track: string
  playlist: string
}

// An event bus that is disconnected, so that caches are bypassed and every operation queries the database.
const disconnectedBus = {
  on: () => () => {},
  onMissed: () => () => {},
  isConnected: () => false,
}
const connectedBus = { ...disconnectedBus, isConnected: () => true }
const nothing = { params: undefined, query: undefined, body: undefined }
const year = { start: '2025-11-01', end: '2026-10-31', figures: 'real' as const }

export function makeHotCases(ids: Ids): HotCase[] {
  const params = { id: ids.track }
  const withParams = { ...nothing, params }
  const player = { params: { player_id: randomUUID() }, query: {}, body: undefined }
  const member = (name: string, run: (ctx: MemberContext) => Promise<unknown>): HotCase => ({
    name,
    who: 'member',
    run,
  })
  const admin = (name: string, run: (ctx: MemberContext) => Promise<unknown>): HotCase => ({
    name,
    who: 'admin',
    run,
  })
  return [
    member('session', ({ db }) => readSession(db, 'a-token-that-nobody-has')),
    member('own sessions', listSessions),
    member('right to a stream', ({ db, actor }) =>
      createStreamSource({
        db,
        bus: disconnectedBus,
        showcase: { has: async () => true },
        reportDamage() {},
        now: () => new Date(),
      }).findFull(actor, ids.track),
    ),
    member('places of a person', ({ db, actor }) =>
      createPlayerPlaces({ db, bus: disconnectedBus }).find(actor.user_id, player.params.player_id),
    ),
    member('likes in Browse', async (ctx) => {
      const query = { order: 'newest', limit: 50 } as const
      return createBrowseLists(ctx.db, connectedBus).listTracks(ctx, { ...nothing, query })
    }),
    member('track', (ctx) => getTrack(ctx, withParams)),
    member('like', (ctx) => likeTrack(ctx, withParams)),
    member('unlike', (ctx) => unlikeTrack(ctx, withParams)),
    member('playlist', (ctx) => getPlaylist(ctx, { ...nothing, params: { id: ids.playlist } })),
    member('playlist, add and remove', async (ctx) => {
      const of = { id: ids.playlist }
      await addTrackToPlaylist(ctx, { ...nothing, params: of, body: { track_id: ids.track } })
      await removeTrackFromPlaylist(ctx, { ...nothing, params: { ...of, track_id: ids.track } })
    }),
    member('play', async (ctx) => {
      const heard = { heard_seconds: 40, position_seconds: 40, duration_seconds: 180 }
      const body = { play_id: randomUUID(), track_id: ids.track, ...heard }
      const settings = await createSettingsCache(ctx.db, connectedBus as never, ctx.log)
      return reportPlay({ settings, sentAudio: { flush: async () => {} } }, ctx, {
        ...nothing,
        body,
      })
    }),
    member('place of a player', async (ctx) => {
      const settings = await createSettingsCache(ctx.db, connectedBus as never, ctx.log)
      const services = {
        settings,
        places: createPlayerPlaces({ db: ctx.db, bus: disconnectedBus }),
      }
      await startPlaying(services, ctx, player)
      await keepPlaying(services, ctx, player)
      await stopPlaying(ctx, { ...player, query: undefined })
    }),
    admin('admin track', ({ db }) => findAdminTrack(db, ids.track)),
    admin('admin user', ({ db, actor }) => findUser(db, actor.user_id)),
    admin('insights, a year', (ctx) => getInsights(ctx, { ...nothing, query: year })),
    admin('insights, most played', (ctx) =>
      listTopTracks(ctx, {
        ...nothing,
        query: { ...year, sort: 'plays', page: 1, page_size: 20 },
      }),
    ),
    admin('insights, a track', (ctx) => getTrackInsights(ctx, { ...nothing, params, query: year })),
  ]
}
