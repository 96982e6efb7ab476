// Routes of public pages and their previews. Signed-in people are redirected from the page to the same item in the app.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  pageKinds,
  pagePath,
  pagePrefixes,
  pressParam,
  type PageKind,
} from '#contract/public-pages.ts'
import { minute } from '#contract/rate-limit.ts'
import { sendWebFile } from '../../platform/http/web-files/web-file.ts'
import { createAddressKeys } from '../../platform/limits/limit-keys.ts'
import { createMemoryStore } from '../../platform/limits/memory-store.ts'
import { consumeRateLimit } from '../../platform/limits/rate-limit.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { sendRendition, type SenderServices } from '../streaming/send-rendition.ts'
import { renderMaintenancePage, renderMissingPage } from './render-page.ts'
import { findPage } from './find-page.ts'
import { isPerson, type PageCounts } from './page-counts.ts'
import { addPressSecret } from './page-parts.ts'
import { toFile, type PublicPages, type PublicPageServices } from './public-pages.ts'

export type PageRouteServices = PublicPageServices &
  SenderServices & {
    auth: { isSignedIn: (request: FastifyRequest) => Promise<boolean> }
  }

/**
 * Played previews per network address. A person who skips through a long list starts a few previews per minute, and
 * everyone in a school may share one address.
 */
const previewLimit = { name: 'page-preview', count: 240, seconds: minute }

export function publicPageRoutes(
  app: FastifyInstance,
  services: PageRouteServices,
  pages: PublicPages,
  counts: PageCounts,
): void {
  app.addHook('onClose', () => counts.stop())
  const starts = createMemoryStore()
  for (const kind of pageKinds) {
    app.get(`/${pagePrefixes[kind]}/:slug`, (request, reply) =>
      sendPage({ ...services, counts }, pages, kind, { request, reply }),
    )
  }
  app.get(`/${pagePrefixes.track}/:slug/preview.m4a`, async (request, reply) => {
    if (isFirstRange(request))
      await consumeRateLimit(starts, createAddressKeys(previewLimit, request.ip))
    return sendPreview({ ...services, counts }, { request, reply })
  })
}

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

export function readSlug({ params }: FastifyRequest): string {
  return (params as { slug: string }).slug
}

export function readPressSecret({ query }: FastifyRequest): string | null {
  const value = (query as Record<string, unknown>)[pressParam]
  return typeof value === 'string' && value.length <= 200 ? value : null
}

/**
 * Sends a page. For a missing item, sends a page with status 404, which is the same for drafts and for unknown slugs.
 */
async function sendPage(
  services: PageRouteServices & { counts: PageCounts },
  pages: PublicPages,
  kind: PageKind,
  { request, reply }: Exchange,
): Promise<unknown> {
  if (services.settings.current().maintenance_mode)
    return sendMaintenancePage(pages, { request, reply })
  const press = readPressSecret(request)
  const page = await pages.open(kind, readSlug(request), press)
  if (!page) return sendMissingPage(pages, { request, reply })
  const { found, facts, file } = page
  const isPress = found.reader === 'press'
  if (isPress) setPrivateHeaders(reply)
  if (found.slug !== readSlug(request)) {
    if (!isPress) reply.header('cache-control', 'public, max-age=0, s-maxage=30')
    return reply.redirect(addPressSecret(pagePath(kind, found.slug), isPress ? press : null), 301)
  }
  if (!isPress && !wantsPage(request) && (await services.auth.isSignedIn(request))) {
    reply.header('cache-control', 'private, no-store').header('vary', 'cookie')
    return reply.redirect(facts.appPath, 302)
  }
  if (!isPress) {
    if (isPageView(request)) services.counts.add(found, 'visits')
    return sendWebFile(request, reply, file)
  }
  return sendWebFile(request, reply, { ...file, cacheControl: 'private, no-store' })
}

/** Whether a signed-in person wants to see the page instead of the app: owners can check what others see. */
function wantsPage({ query }: FastifyRequest): boolean {
  return (query as Record<string, unknown>)['view'] === 'page'
}

export function setPrivateHeaders(reply: FastifyReply): void {
  reply
    .header('cache-control', 'private, no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex, nofollow')
}

export function sendMissingPage(pages: PublicPages, { request, reply }: Exchange): unknown {
  const file = { ...toFile(renderMissingPage(pages.frame())), cacheControl: 'no-store' }
  return sendWebFile(request, reply.code(404), file)
}

export function sendMaintenancePage(pages: PublicPages, { request, reply }: Exchange): unknown {
  const file = { ...toFile(renderMaintenancePage(pages.frame())), cacheControl: 'no-store' }
  return sendWebFile(request, reply.code(503).header('retry-after', '300'), file)
}

/** Whether the request opens a page and comes from a person, not from a crawler. */
function isPageView({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && isPerson(headers['user-agent'])
}

/** Whether to count this request for a preview. A player sends several range requests; only the first one counts. */
function isFirstRange({ headers }: FastifyRequest): boolean {
  const range = headers.range
  return range === undefined || range.startsWith('bytes=0-')
}

/** Sends a preview: only the rendition that was created as the preview, never another file. */
async function sendPreview(
  services: PageRouteServices & { counts: PageCounts },
  { request, reply }: Exchange,
): Promise<unknown> {
  const { db, settings, counts } = services
  if (settings.current().maintenance_mode) throw new AppError('maintenance')
  const found = await findPage(db, 'track', readSlug(request), readPressSecret(request))
  if (!found) throw new AppError('not_found')
  const preview = await db.query
    .selectFrom('renditions')
    .select('storage_key')
    .where('track_id', '=', found.id)
    .where('kind', '=', 'preview')
    .executeTakeFirst()
  if (!preview) throw new AppError('not_found')
  // Podcast players and other sites load previews.
  reply.header('cross-origin-resource-policy', 'cross-origin')
  if (found.reader === 'press') setPrivateHeaders(reply)
  else if (isPageView(request) && isFirstRange(request)) counts.add(found, 'previews')
  return sendRendition(services, request, reply, preview.storage_key)
}
