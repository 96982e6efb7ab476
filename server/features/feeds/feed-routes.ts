// Routes of public feeds, and of a podcast with full tracks for each Premium member who creates a feed key.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { sendWebFile } from '../../platform/http/web-files/web-file.ts'
import { createAddressKeys } from '../../platform/limits/limit-keys.ts'
import { createSharedStore } from '../../platform/limits/limit-store.ts'
import { consumeRateLimit } from '../../platform/limits/rate-limit.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Actor } from '../../platform/operations/context.ts'
import { canPlayOffline } from '../billing/entitlements.ts'
import { wrongTokenLimit, type Callers } from '../keys/callers.ts'
import { toFile } from '../public-pages/public-pages.ts'
import { getIcons } from '../settings/emblem-files.ts'
import type { ReadBranding } from '../settings/branding.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import type { TrackStreams } from '../streaming/stream-routes.ts'
import {
  renderAtom,
  renderPodcast,
  renderRss,
  previewEnclosure,
  type FeedFrame,
} from './render-feeds.ts'
import { readEpisodes, readNewReleases } from './feed-items.ts'

interface FeedServices {
  config: Config
  db: Database
  settings: SettingsCache
  branding: ReadBranding
  callers: Callers
  streams: TrackStreams
  now: () => Date
}

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

export function feedRoutes(app: FastifyInstance, services: FeedServices): void {
  const { config, db, settings } = services
  const { publicUrl } = config
  const open = (path: string, type: string, draw: () => Promise<string>) =>
    app.get(path, async (request, reply) => {
      refuseInMaintenance(settings)
      reply.header('access-control-allow-origin', '*')
      const file = { ...toFile(await draw(), `${type}; charset=utf-8`), vary: 'accept-encoding' }
      return sendWebFile(request, reply, file)
    })
  open('/feed.xml', 'application/rss+xml', async () =>
    renderRss(await readNewReleases(db), createFrame(services)),
  )
  open('/feed.atom', 'application/atom+xml', async () =>
    renderAtom(await readNewReleases(db), createFrame(services)),
  )
  open('/podcast.xml', 'application/rss+xml', async () => {
    const frame = createFrame(services)
    return renderPodcast(await readEpisodes(db, 'everyone'), {
      ...frame,
      title: `${frame.brandName} previews`,
      description: `Previews of new music on ${frame.brandName}. Members can play the full tracks.`,
      self: `${publicUrl}/podcast.xml`,
      isPrivate: false,
      enclosure: previewEnclosure(publicUrl),
    })
  })
  app.get('/feeds/:key/podcast.xml', (request, reply) =>
    sendPrivateFeed(services, { request, reply }),
  )
  app.get('/feeds/:key/:file', (request, reply) => sendEpisode(services, { request, reply }))
}

function createFrame({ config, branding }: FeedServices): FeedFrame {
  const { brand_name, artist_name, tagline, icon_id } = branding()
  const { publicUrl } = config
  return {
    publicUrl,
    brandName: brand_name,
    artistName: artist_name,
    picture: publicUrl + getIcons(icon_id).large,
    tagline,
  }
}

/**
 * Returns the member whose feed key is in the URL. The key is a secret, so responses must not be cached, and the URL
 * must not be sent in a Referer header.
 */
async function admit(services: FeedServices, { request, reply }: Exchange): Promise<Actor> {
  const { callers, db, settings } = services
  refuseInMaintenance(settings)
  const { key } = request.params as { key: string }
  reply
    .header('cache-control', 'private, no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex, nofollow')
  const client = String(request.headers['user-agent'] ?? '')
  const actor = await callers.identifyApp(request, { kind: 'feed', key }, client)
  if (!actor) {
    // Count only unknown keys against the limit. Otherwise, guesses from a shared address would block a valid key.
    await consumeRateLimit(createSharedStore(db), createAddressKeys(wrongTokenLimit, request.ip))
    throw new AppError('not_found')
  }
  if (!canPlayOffline(actor)) throw new AppError('premium_required')
  return actor
}

async function sendPrivateFeed(services: FeedServices, exchange: Exchange): Promise<unknown> {
  await admit(services, exchange)
  const frame = createFrame(services)
  const { request, reply } = exchange
  const { key } = request.params as { key: string }
  const folder = `${frame.publicUrl}/feeds/${key}`
  const text = renderPodcast(await readEpisodes(services.db, 'premium'), {
    ...frame,
    title: frame.brandName,
    description: `All music on ${frame.brandName}, for one member. Please do not share this address.`,
    self: `${folder}/podcast.xml`,
    isPrivate: true,
    enclosure: ({ id, full_bytes, duration }) => ({
      url: `${folder}/${id}.m4a`,
      bytes: full_bytes ?? 0,
      seconds: duration,
    }),
  })
  const file = toFile(text, 'application/rss+xml; charset=utf-8')
  return sendWebFile(request, reply, { ...file, cacheControl: 'private, no-store' })
}

/**
 * Sends a full track under the rules for downloads: it does not count as a device that plays, and it counts against the
 * daily download limit.
 */
async function sendEpisode(services: FeedServices, exchange: Exchange): Promise<unknown> {
  const actor = await admit(services, exchange)
  const { request, reply } = exchange
  const [, id] = /^([0-9a-f-]{36})\.m4a$/.exec((request.params as { file: string }).file) ?? []
  const parsed = z.safeParse(z.uuid(), id)
  if (!parsed.success) throw new AppError('not_found')
  const ctx = { db: services.db, actor, now: services.now, log: request.log, ip: request.ip }
  const input = { params: { id: parsed.data }, query: { keep: 'true' }, body: undefined } as const
  return services.streams.streamTrack(ctx, input, request, reply)
}

function refuseInMaintenance(settings: SettingsCache): void {
  if (settings.current().maintenance_mode) throw new AppError('maintenance')
}
