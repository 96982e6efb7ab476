// What is heard: whole tracks for those entitled, previews for members, the showcase for visitors.
import { listShowcase, streamPreview, streamTrack } from '#contract/tracks.ts'
import type { Database } from '../db/database.ts'
import type { EventBus } from '../events/event-bus.ts'
import type { Route } from '../http/route.ts'
import type { FileServer } from '../media/file-server.ts'
import { renditionMime } from '../media/renditions.ts'
import type { Showcase } from './showcase.ts'
import { createStreamSource } from './stream-source.ts'

/** Kept by the listener's own browser only, and asked again each time: rights end at once. */
const cacheControl = 'private, no-cache'

export function streamRoutes(
  route: Route,
  services: { db: Database; bus: EventBus; files: FileServer; showcase: Showcase },
): void {
  const { files, showcase } = services
  const source = createStreamSource(services)
  const served = (key: string) => ({
    key,
    mime: renditionMime,
    cacheControl,
    vary: 'cookie',
    missing: 'track_not_found' as const,
  })
  route(listShowcase, showcase.list)
  route.raw(streamTrack, async ({ actor }, { params }, request, reply) =>
    files.send(request, reply, served(await source.findFull(actor, params.id))),
  )
  route.raw(streamPreview, async ({ actor }, { params }, request, reply) =>
    files.send(request, reply, served(await source.findPreview(actor, params.id))),
  )
}
