// Routes that stream audio: full tracks to people with the right to them, previews to members, and the previews on the
// landing page to visitors.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { ParsedInput } from '#contract/endpoint.ts'
import { maxResponsesPerPlayer } from '#contract/playing.ts'
import * as showcaseTracksContract from '#contract/showcase-tracks.ts'
import * as tracksContract from '#contract/tracks.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import type { Route } from '../../platform/http/route.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Actor, Context, MemberContext } from '../../platform/operations/context.ts'
import { canPlayOffline, getStreamLimit } from '../billing/entitlements.ts'
import { countDownload } from '../offline/count-download.ts'
import type { SentFile } from '../plays/sent-audio.ts'
import type { PlayingServices } from '../playing/playing-operations.ts'
import {
  rejectDisplacedPlayer,
  rejectDisplacedApp,
  renewPlaceWhileSending,
  requirePlace,
  claimAppPlace,
} from '../playing/require-place.ts'
import { createRepairOnPlay } from '../tracks/repair-on-play.ts'
import type { Showcase } from '../tracks/showcase.ts'
import { createRunningStreams, type RunningStreams } from './running-streams.ts'
import { sendOrFallback, sendRendition, type SenderServices } from './send-rendition.ts'
import { createStreamSource, type StreamSource } from './stream-source.ts'

type StreamRouteServices = PlayingServices &
  SenderServices & {
    db: Database
    now: () => Date
    bus: EventBus
    showcase: Showcase
    findActor: (request: FastifyRequest) => Promise<Actor | null>
    jobs: JobQueue
    log: FastifyBaseLogger
  }

type StreamServices = StreamRouteServices & {
  source: StreamSource
  running: RunningStreams
  reportDamage: (trackId: string, key: string) => void
}

type StreamTrackInput = ParsedInput<typeof tracksContract.streamTrack> & {
  /** Maximum quality that the client requests. The plan may lower it. */
  quality?: 'standard'
}

export interface TrackStreams {
  streamTrack: (
    ctx: MemberContext,
    input: StreamTrackInput,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown>
  streamPreview: (
    ctx: Context,
    input: ParsedInput<typeof tracksContract.streamPreview>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<unknown>
}

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Creates the functions that stream tracks. Call it once per server, so that all streams of an account are counted
 * together.
 */
export function createTrackStreams(services: StreamRouteServices): TrackStreams {
  const reportDamage = createRepairOnPlay(services)
  // Create this before the running streams: its event listener must evict the files of a changed track before the
  // running streams look them up.
  const source = createStreamSource({ ...services, reportDamage })
  const running = createRunningStreams(services)
  const all: StreamServices = { ...services, source, running, reportDamage }
  return {
    streamTrack: (ctx, input, request, reply) => streamTrack(all, ctx, input, { request, reply }),
    streamPreview: (ctx, input, request, reply) =>
      streamPreview(all, ctx, input, { request, reply }),
  }
}

export function streamRoutes(
  route: Route,
  streams: TrackStreams,
  { showcase }: { showcase: Showcase },
): void {
  route(showcaseTracksContract.listShowcase, showcase.listShowcase)
  route.raw(tracksContract.streamTrack, streams.streamTrack)
  route.raw(tracksContract.streamPreview, streams.streamPreview)
}

async function streamTrack(
  services: StreamServices,
  ctx: MemberContext,
  { params: { id }, query, quality }: StreamTrackInput,
  { request, reply }: Exchange,
): Promise<unknown> {
  const { source, running, reportDamage } = services
  const { actor } = ctx
  const findKey = (now: Actor) => source.findFull(now, id, quality)
  const key = await findKey(actor)
  const sent = { user_id: actor.user_id, track_id: id, is_preview: false }
  const isDownload = query.keep === 'true'
  const send = () =>
    sendOrFallback(
      key,
      (one) => sendRendition(services, request, reply, one, { isDownload, sent }),
      {
        onMissing: (missing) => reportDamage(id, missing),
        findFallback: () => source.findFallback(actor, id, key),
      },
    )
  if (!isDownload) {
    const stream = playbackStream(services, ctx, query.player, findKey)
    return running.run({ request, reply, track_id: id, ...stream }, send)
  }
  if (!canPlayOffline(actor)) throw new AppError('premium_required')
  await countDownload(ctx, id)
  const { user_id } = actor
  const downloadStream = {
    user_id,
    player_id: null,
    maxConcurrent: maxResponsesPerPlayer,
    checkRight: findKey,
  }
  return running.run({ request, reply, track_id: id, ...downloadStream }, send)
}

async function streamPreview(
  services: StreamServices,
  ctx: Context,
  { params: { id }, query }: ParsedInput<typeof tracksContract.streamPreview>,
  { request, reply }: Exchange,
): Promise<unknown> {
  const { source, running, reportDamage } = services
  const { actor } = ctx
  const findKey = (now: Actor | null) => source.findPreview(now, id)
  const key = await findKey(actor)
  const send = (sent?: SentFile) =>
    sendOrFallback(key, (one) => sendRendition(services, request, reply, one, { sent }), {
      onMissing: (missing) => reportDamage(id, missing),
      // Never send the full track if a preview is missing.
      findFallback: async () => null,
    })
  if (!actor) return send()
  const stream = playbackStream(services, { ...ctx, actor }, query.player, findKey)
  const sent = { user_id: actor.user_id, track_id: id, is_preview: true }
  return running.run({ request, reply, track_id: id, ...stream }, () => send(sent))
}

/** The limit, the player place and the repeated checks for a stream that a player plays. */
function playbackStream(
  services: StreamServices,
  ctx: MemberContext,
  playerId: string | undefined,
  findKey: (actor: Actor) => Promise<unknown>,
) {
  const { user_id } = ctx.actor
  const stream = {
    user_id,
    player_id: playerId ?? user_id,
    maxConcurrent: getStreamLimit(ctx.actor, services.settings.current()) * maxResponsesPerPlayer,
  }
  const { credential } = ctx.actor
  if (credential?.kind === 'device_key')
    return { ...stream, ...appStream(services, ctx, credential.id, findKey) }
  return {
    ...stream,
    takePlace: () => requirePlace(services, ctx, playerId),
    keepPlace: () => renewPlaceWhileSending(services, ctx, playerId),
    async checkRight(now: Actor) {
      await findKey(now)
      await rejectDisplacedPlayer(services, now, playerId)
    },
  }
}

/** The same for a Subsonic app, whose device key counts as one player on one device. */
function appStream(
  services: StreamServices,
  ctx: MemberContext,
  keyId: string,
  findKey: (actor: Actor) => Promise<unknown>,
) {
  return {
    player_id: keyId,
    takePlace: () => claimAppPlace(services, ctx, keyId),
    keepPlace: () => claimAppPlace(services, ctx, keyId),
    async checkRight(actor: Actor) {
      await findKey(actor)
      await rejectDisplacedApp(services, { ...ctx, actor }, keyId)
    },
  }
}
