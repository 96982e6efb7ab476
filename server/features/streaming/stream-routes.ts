// What is heard: whole tracks for those entitled, previews for members, the showcase for visitors. An object store may
// send the bytes itself: then whoever is entitled gets an address of it that soon ends.
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { answersPerDevice } from '#contract/playing.ts'
import { listShowcase } from '#contract/showcase-tracks.ts'
import { streamPreview, streamTrack } from '#contract/tracks.ts'
import { mayKeepOffline, streamLimitFor } from '../billing/entitlements.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { EventBus } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Actor, MemberContext } from '../../platform/operations/context.ts'
import type { Route } from '../../platform/http/route.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import type { FileServer } from '../../platform/streaming/file-server.ts'
import { renditionMime } from '../../platform/ffmpeg/renditions.ts'
import { countKeptTrack } from '../offline/kept-today.ts'
import type { SentAudio, SentFile } from '../plays/sent-audio.ts'
import type { PlayingServices } from '../playing/playing-operations.ts'
import { refuseDisplaced, renewPlaceWhileSending, requirePlace } from '../playing/require-place.ts'
import { signCdnAddress } from '../../platform/config/cdn-address.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { Showcase } from '../tracks/showcase.ts'
import { createRepairOnPlay } from '../tracks/repair-on-play.ts'
import { createRunningStreams } from './running-streams.ts'
import { createStreamSource } from './stream-source.ts'

/** Kept by the listener's own browser only, and asked again each time: rights end at once. */
const cacheControl = 'private, no-cache'
/** A player that pauses for longer asks here again. */
const lifetimeSeconds = 15 * 60

export function streamRoutes(
  route: Route,
  services: PlayingServices & {
    config: Pick<Config, 's3Delivery' | 'cdn'>
    db: Database
    bus: EventBus
    files: FileServer
    storage: Storage
    showcase: Showcase
    sentAudio: Pick<SentAudio, 'add'>
    findActor: (request: FastifyRequest) => Promise<Actor | null>
    jobs: JobQueue
    log: FastifyBaseLogger
  },
): void {
  const { config, files, storage, showcase } = services
  const reportDamage = createRepairOnPlay(services)
  const source = createStreamSource({ ...services, reportDamage })
  const running = createRunningStreams(services)
  const served = (key: string) => ({
    key,
    mime: renditionMime,
    cacheControl,
    vary: 'cookie',
    missing: 'track_file_missing' as const,
  })
  async function addressElsewhere(key: string): Promise<string | null> {
    const { cdn } = config
    if (cdn) return signCdnAddress(cdn, key, { nowMs: Date.now(), lifetimeSeconds })
    return storage.signedUrl(key, { mime: renditionMime, cacheControl, lifetimeSeconds })
  }
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    { isForKeeping = false, sent }: { isForKeeping?: boolean; sent?: SentFile | undefined } = {},
  ): Promise<unknown> {
    const note = (share: number) => sent && services.sentAudio.add(sent, share)
    // What a device keeps is read by a script, which a store of another origin may refuse.
    const address =
      config.s3Delivery === 'redirect' && !isForKeeping ? await addressElsewhere(key) : null
    if (!address) {
      const onSent = (bytes: number, byteSize: number) => note(bytes / byteSize)
      return files.send(request, reply, { ...served(key), onSent })
    }
    // What the store sends is not seen from here.
    note(1)
    return reply.header('cache-control', 'no-store').redirect(address, 302)
  }
  const mostAnswers = (actor: Actor) =>
    streamLimitFor(actor, services.settings.current()) * answersPerDevice
  /** What a running stream of a player is, and what its place asks for. */
  function played(
    ctx: MemberContext,
    playerId: string | undefined,
    findKey: (actor: Actor) => Promise<unknown>,
  ) {
    const { user_id } = ctx.actor
    return {
      user_id,
      player_id: playerId ?? user_id,
      most: mostAnswers(ctx.actor),
      takePlace: () => requirePlace(services, ctx, playerId),
      keepPlace: () => renewPlaceWhileSending(services, ctx, playerId),
      async checkRight(now: Actor) {
        await findKey(now)
        await refuseDisplaced(services, now, playerId)
      },
    }
  }
  /** Sends what `other` gives where the file is missing, and has the track processed again. */
  async function sendOrOther(
    trackId: string,
    key: string,
    sendKey: (key: string) => Promise<unknown>,
    other: () => Promise<string | null>,
  ): Promise<unknown> {
    try {
      return await sendKey(key)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'track_file_missing')) throw error
      reportDamage(trackId, key)
      const fallback = await other()
      if (fallback === null) throw error
      return sendOrOther(trackId, fallback, sendKey, async () => null)
    }
  }
  route(listShowcase, showcase.list)
  route.raw(streamTrack, async (ctx, { params, query }, request, reply) => {
    const { actor } = ctx
    const { user_id } = actor
    const findKey = (now: Actor) => source.findFull(now, params.id)
    const key = await findKey(actor)
    const sent = { user_id, track_id: params.id, is_preview: false }
    const isForKeeping = query.keep === 'true'
    const sendTrack = () =>
      sendOrOther(
        params.id,
        key,
        (one) => send(request, reply, one, { isForKeeping, sent }),
        () => source.findOther(actor, params.id, key),
      )
    if (isForKeeping) {
      if (!mayKeepOffline(actor)) throw new AppError('premium_required')
      await countKeptTrack(ctx, params.id)
      const kept = { user_id, player_id: null, most: answersPerDevice, checkRight: findKey }
      return running.run({ request, reply, ...kept }, sendTrack)
    }
    return running.run({ request, reply, ...played(ctx, query.player, findKey) }, sendTrack)
  })
  route.raw(streamPreview, async (ctx, { params, query }, request, reply) => {
    const { actor } = ctx
    const findKey = (now: Actor | null) => source.findPreview(now, params.id)
    const key = await findKey(actor)
    // Nobody hears a whole track for want of its preview.
    const sendPreview = (sent?: SentFile) =>
      sendOrOther(
        params.id,
        key,
        (one) => send(request, reply, one, { sent }),
        async () => null,
      )
    if (!actor) return sendPreview()
    const sent = { user_id: actor.user_id, track_id: params.id, is_preview: true }
    const stream = played({ ...ctx, actor }, query.player, findKey)
    return running.run({ request, reply, ...stream }, () => sendPreview(sent))
  })
}
