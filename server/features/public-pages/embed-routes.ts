// Embeds for other sites, and oEmbed, with which a site finds the embed of a URL. Neither reads or sets cookies.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pageKinds, pagePrefixes } from '#contract/public-pages.ts'
import { sendWebFile } from '../../platform/http/web-files/web-file.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { renderEmbed, embedThemes } from './render-embed.ts'
import { html, xml } from './html.ts'
import type { PageFacts } from './page-facts.ts'
import { titleWithArtist } from './page-texts.ts'
import { sendMaintenancePage, sendMissingPage, readSlug } from './public-page-routes.ts'
import { toFile, type OpenPage, type PublicPages, type PublicPageServices } from './public-pages.ts'

const cacheSeconds = 300
const defaultWidth = 600
const heights = { track: 180, list: 420 } as const

export function embedRoutes(
  app: FastifyInstance,
  services: PublicPageServices,
  pages: PublicPages,
): void {
  for (const kind of pageKinds) {
    app.get(`/embed/${pagePrefixes[kind]}/:slug`, async (request, reply) => {
      allowFrames(reply)
      if (services.settings.current().maintenance_mode)
        return sendMaintenancePage(pages, { request, reply })
      const page = await pages.open(kind, readSlug(request), null)
      if (!page) return sendMissingPage(pages, { request, reply })
      const { theme } = request.query as { theme?: unknown }
      const chosen = embedThemes.find((one) => one === theme) ?? 'auto'
      const file = toFile(renderEmbed(page.facts, pages.frame(), chosen))
      return sendWebFile(request, reply, { ...file, vary: 'accept-encoding' })
    })
  }
  app.get('/oembed', (request, reply) => sendOembed(services, pages, { request, reply }))
}

/**
 * Changes the Content-Security-Policy of an embed: other sites may frame it, and features that embeds do not use are
 * blocked.
 */
function allowFrames(reply: FastifyReply): void {
  const policy = String(reply.getHeader('content-security-policy'))
    .split(';')
    .filter(
      (part) => !/^(?:frame-ancestors|connect-src|form-action|worker-src|manifest-src) /.test(part),
    )
  const own = ["connect-src 'none'", "form-action 'none'", "worker-src 'none'", 'frame-ancestors *']
  reply
    .removeHeader('x-frame-options')
    .header('content-security-policy', [...policy, ...own].join(';'))
    .header('cross-origin-resource-policy', 'cross-origin')
}

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Responds as specified on https://oembed.com: 404 for URLs without a page, 501 for formats other than JSON and XML.
 */
async function sendOembed(
  { config, branding, settings }: PublicPageServices,
  pages: PublicPages,
  { request, reply }: Exchange,
): Promise<unknown> {
  if (settings.current().maintenance_mode) throw new AppError('maintenance')
  const query = request.query as Record<string, unknown>
  const format = query['format'] ?? 'json'
  reply
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
  if (format !== 'json' && format !== 'xml') {
    return reply
      .code(501)
      .type('text/plain; charset=utf-8')
      .send('The supported formats are json and xml.\n')
  }
  const page = await findByUrl(pages, config.publicUrl, query['url'])
  if (!page) throw new AppError('not_found')
  const response = describeEmbed(page, {
    publicUrl: config.publicUrl,
    brandName: branding().brand_name,
    maxWidth: readSize(query['maxwidth']),
    maxHeight: readSize(query['maxheight']),
  })
  reply.header('cache-control', `public, max-age=${cacheSeconds}`)
  if (format === 'json') return reply.type('application/json; charset=utf-8').send(response)
  const fields = Object.entries(response).map(
    ([name, value]) => `<${name}>${xml`${value}`.text}</${name}>`,
  )
  return reply
    .type('text/xml; charset=utf-8')
    .send(
      `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>${fields.join('')}</oembed>\n`,
    )
}

/** Finds the page of a URL. Null for URLs of other sites, and for pages that are not public. */
async function findByUrl(
  pages: PublicPages,
  publicUrl: string,
  value: unknown,
): Promise<OpenPage | null> {
  if (typeof value !== 'string' || !URL.canParse(value)) return null
  const { host, pathname } = new URL(value)
  if (host !== new URL(publicUrl).host) return null
  const [, prefix, slug = ''] = /^(?:\/embed)?\/([a-z])\/([^/]+)$/.exec(pathname) ?? []
  const kind = pageKinds.find((one) => pagePrefixes[one] === prefix)
  return kind ? pages.open(kind, slug, null) : null
}

function readSize(value: unknown): number {
  const size = Number(value)
  return Number.isInteger(size) && size >= 1 ? size : Infinity
}

function describeEmbed(
  { facts, cards }: OpenPage,
  options: { publicUrl: string; brandName: string; maxWidth: number; maxHeight: number },
): Record<string, string | number> {
  const { publicUrl, brandName, maxWidth, maxHeight } = options
  const width = Math.min(defaultWidth, maxWidth)
  const height = Math.min(embedHeight(facts), maxHeight)
  const frame = html`<iframe
    src="${publicUrl}/embed${facts.path}"
    width="${width}"
    height="${height}"
    title="${titleWithArtist(facts)}"
    style="border:0;border-radius:14px"
    loading="lazy"
    allow="autoplay; encrypted-media"
  ></iframe>`
  const [first] = facts.artists
  return {
    version: '1.0',
    type: 'rich',
    title: titleWithArtist(facts),
    ...(facts.artist && { author_name: facts.artist }),
    ...(first?.slug && { author_url: `${publicUrl}/a/${first.slug}` }),
    provider_name: brandName,
    provider_url: publicUrl,
    cache_age: cacheSeconds,
    ...(cards.square && {
      thumbnail_url: cards.square,
      thumbnail_width: 720,
      thumbnail_height: 720,
    }),
    html: frame.text.replaceAll(/\s+/g, ' '),
    width,
    height,
  }
}

export function embedHeight({ kind }: Pick<PageFacts, 'kind'>): number {
  return kind === 'track' ? heights.track : heights.list
}
