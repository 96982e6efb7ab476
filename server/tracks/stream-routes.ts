// What is heard: whole tracks for those entitled, previews for members, the showcase for visitors. An object store may
// send the bytes itself: then whoever is entitled gets an address of it that soon ends.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listShowcase } from '#contract/showcase-tracks.ts'
import { streamPreview, streamTrack } from '#contract/tracks.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { EventBus } from '../events/event-bus.ts'
import type { Actor } from '../http/context.ts'
import type { Route } from '../http/route.ts'
import type { FileServer } from '../media/file-server.ts'
import { renditionMime } from '../media/renditions.ts'
import { playingElsewhere, type PlayingServices } from '../playing/playing-operations.ts'
import { signCdnAddress } from '../storage/cdn-address.ts'
import type { Storage } from '../storage/storage.ts'
import type { Showcase } from './showcase.ts'
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
  },
): void {
  const { config, files, storage, showcase } = services
  const source = createStreamSource(services)
  const served = (key: string) => ({
    key,
    mime: renditionMime,
    cacheControl,
    vary: 'cookie',
    missing: 'track_not_found' as const,
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
    isForKeeping = false,
  ): Promise<unknown> {
    // What a device keeps is read by a script, which a store of another origin may refuse.
    const address =
      config.s3Delivery === 'redirect' && !isForKeeping ? await addressElsewhere(key) : null
    if (!address) return files.send(request, reply, served(key))
    return reply.header('cache-control', 'no-store').redirect(address, 302)
  }
  async function refuseDisplaced(actor: Actor | null, playerId: string | undefined): Promise<void> {
    if (!actor || playerId === undefined) return
    if (await services.displaced.has(actor.user_id, playerId)) {
      throw playingElsewhere(services, actor)
    }
  }
  route(listShowcase, showcase.list)
  route.raw(streamTrack, async ({ actor }, { params, query }, request, reply) => {
    const key = await source.findFull(actor, params.id)
    await refuseDisplaced(actor, query.player)
    return send(request, reply, key, query.keep === 'true')
  })
  route.raw(streamPreview, async ({ actor }, { params, query }, request, reply) => {
    const key = await source.findPreview(actor, params.id)
    await refuseDisplaced(actor, query.player)
    return send(request, reply, key)
  })
}
