// Sitemaps of the public pages, and robots.txt. A sitemap may contain at most 50,000 URLs, so an index lists several.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql, type RawBuilder } from 'kysely'
import { pageKinds, pagePath, type PageKind } from '#contract/public-pages.ts'
import type { Handle } from '../../platform/db/database.ts'
import { sendWebFile } from '../../platform/http/web-files/web-file.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { isArtistForEveryone } from '../artists/artist-query.ts'
import { isForEveryone } from '../availability/availability.ts'
import { isPlaylistForEveryone } from '../playlists/playlist-query.ts'
import { isReleaseForEveryone } from '../releases/release-query.ts'
import { trackSlug } from '../tracks/track-query.ts'
import { isCategoryForEveryone } from './find-page.ts'
import { xml, type Html } from './html.ts'
import { toFile, type PublicPageServices } from './public-pages.ts'

/** URLs per sitemap. Fewer than allowed, because each file is built in memory. */
const perFile = 10_000
const contentType = 'application/xml; charset=utf-8'
const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

interface Entry {
  slug: string
  changed: string
}

const publicRows: Record<PageKind, RawBuilder<unknown>> = {
  track: sql`tracks t where ${isForEveryone('t')} and t.deleted_at is null`,
  release: sql`releases r where ${isReleaseForEveryone} and r.deleted_at is null`,
  artist: sql`artists a where ${isArtistForEveryone}`,
  playlist: sql`playlists p where ${isPlaylistForEveryone('p')}`,
  category: sql`category_metadata c where ${isCategoryForEveryone}`,
}

const columns: Record<PageKind, RawBuilder<unknown>> = {
  track: sql`${trackSlug} as slug, t.updated_at as changed`,
  release: sql`r.slug, r.updated_at as changed`,
  artist: sql`a.slug, a.updated_at as changed`,
  playlist: sql`(select s.slug from page_slugs s where s.item_id = p.id and s.kind = 'playlist' and s.is_current) as slug,
                p.updated_at as changed`,
  category: sql`c.category as slug, coalesce(c.changed_at, c.created_at) as changed`,
}

export function sitemapRoutes(app: FastifyInstance, services: PublicPageServices): void {
  const { config, db, settings } = services
  const { publicUrl } = config
  app.get('/robots.txt', async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(
        `User-agent: *\nDisallow: /api/\nDisallow: /admin/\nDisallow: /rest/\nDisallow: /feeds/\n\nSitemap: ${publicUrl}/sitemap.xml\n`,
      ),
  )
  app.get('/sitemap.xml', async (request, reply) => {
    refuseInMaintenance(settings.current())
    const counts = await countPages(db)
    const files = pageKinds.flatMap((kind) =>
      Array.from({ length: Math.ceil(counts[kind] / perFile) }, (_, at) => `${kind}-${at + 1}`),
    )
    const list = files.map(
      (name) => xml`<sitemap><loc>${publicUrl}/sitemaps/${name}.xml</loc></sitemap>\n`,
    )
    return send(
      request,
      reply,
      xml`<sitemapindex xmlns="${namespace}">
<sitemap><loc>${publicUrl}/sitemaps/site-1.xml</loc></sitemap>
${list}</sitemapindex>`,
    )
  })
  app.get('/sitemaps/:file', async (request, reply) => {
    refuseInMaintenance(settings.current())
    const [, kind, number] =
      /^([a-z]+)-([1-9]\d{0,5})\.xml$/.exec((request.params as { file: string }).file) ?? []
    const entries = await readFile(db, kind, Number(number))
    if (!entries) throw new AppError('not_found')
    const list = entries.map(({ path, changed }) => {
      const date = changed && xml`<lastmod>${changed.slice(0, 10)}</lastmod>`
      return xml`<url><loc>${publicUrl}${path}</loc>${date}</url>\n`
    })
    return send(request, reply, xml`<urlset xmlns="${namespace}">\n${list}</urlset>`)
  })
}

function refuseInMaintenance({ maintenance_mode }: { maintenance_mode: boolean }): void {
  if (maintenance_mode) throw new AppError('maintenance')
}

function send(request: FastifyRequest, reply: FastifyReply, content: Html) {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${content.text}\n`
  return sendWebFile(request, reply, { ...toFile(text, contentType), vary: 'accept-encoding' })
}

async function countPages(db: Handle): Promise<Record<PageKind, number>> {
  const { rows } = await sql<Record<PageKind, number>>`select ${sql.join(
    pageKinds.map(
      (kind) => sql`(select count(*)::int from ${publicRows[kind]}) as ${sql.ref(kind)}`,
    ),
  )}`.execute(db.query)
  return rows[0]!
}

async function readFile(
  db: Handle,
  kind: string | undefined,
  number: number,
): Promise<{ path: string; changed: string | null }[] | null> {
  if (kind === 'site') return number === 1 ? [{ path: '/', changed: null }] : null
  const known = pageKinds.find((one) => one === kind)
  if (!known) return null
  const { rows } = await sql<Entry>`
    select ${columns[known]} from ${publicRows[known]} order by id
     limit ${perFile} offset ${(number - 1) * perFile}`.execute(db.query)
  if (rows.length === 0) return null
  return rows.map(({ slug, changed }) => ({ path: pagePath(known, slug), changed }))
}
