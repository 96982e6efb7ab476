// Serves files of share cards to the crawlers of messengers: without cookies, with HEAD and range requests, and only
// while the item is public.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pageKinds, pagePrefixes, type PageKind } from '#contract/public-pages.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { FileServer } from '../../platform/streaming/file-server.ts'
import { findPage } from '../public-pages/find-page.ts'
import { readSlug } from '../public-pages/public-page-routes.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { readCardRow } from './make-card.ts'

interface CardRouteServices {
  db: Database
  files: FileServer
  settings: SettingsCache
}

const columns = {
  'card.jpg': ['wide_key', 'image/jpeg'],
  'square.jpg': ['square_key', 'image/jpeg'],
  'card.mp4': ['video_key', 'video/mp4'],
} as const
type CardFile = keyof typeof columns

export function shareCardRoutes(app: FastifyInstance, services: CardRouteServices): void {
  for (const kind of pageKinds) {
    for (const file of Object.keys(columns) as CardFile[]) {
      app.get(`/${pagePrefixes[kind]}/:slug/${file}`, (request, reply) =>
        sendFile(services, kind, file, { request, reply }),
      )
    }
  }
}

async function sendFile(
  { db, files, settings }: CardRouteServices,
  kind: PageKind,
  file: CardFile,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<unknown> {
  if (settings.current().maintenance_mode) throw new AppError('maintenance')
  const found = await findPage(db, kind, readSlug(request))
  const row = found && (await readCardRow(db, { kind, item_id: found.id }))
  const [column, mime] = columns[file]
  const key = row?.[column]
  if (!key) throw new AppError('not_found')
  // Messengers keep their copy for days, which is fine because the URL contains the version. Shared caches expire
  // within minutes, so hidden items return 404 by then.
  reply.header('cross-origin-resource-policy', 'cross-origin')
  return files.send(request, reply, { key, mime, cacheControl: 'public, max-age=300' })
}
