// What is heard: whole tracks for those entitled, previews for members, the showcase for visitors.
import { listShowcase, streamPreview, streamTrack } from '#contract/tracks.ts'
import type { Route } from '../http/route.ts'
import type { FileServer } from '../media/file-server.ts'
import { renditionMime } from '../media/renditions.ts'
import type { Showcase } from './showcase.ts'
import { findFullStream, findPreviewStream } from './stream-source.ts'

/** Kept by the listener's own browser only, and asked again each time: rights end at once. */
const cacheControl = 'private, no-cache'

export function streamRoutes(
  route: Route,
  { files, showcase }: { files: FileServer; showcase: Showcase },
): void {
  const served = (key: string) => ({
    key,
    mime: renditionMime,
    cacheControl,
    vary: 'cookie',
    missing: 'track_not_found' as const,
  })
  route(listShowcase, showcase.list)
  route.raw(streamTrack, async (ctx, { params }, request, reply) =>
    files.send(request, reply, served(await findFullStream(ctx.db, ctx.actor, params.id))),
  )
  route.raw(streamPreview, async (ctx, { params }, request, reply) =>
    files.send(
      request,
      reply,
      served(await findPreviewStream(ctx.db, ctx.actor, params.id, showcase.has)),
    ),
  )
}
