// Routes of legal pages: published pages for everyone, even during maintenance mode, their drafts for admins, and
// members' consent to the terms.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as adminContract from '#contract/admin/admin-legal.ts'
import * as contract from '#contract/legal.ts'
import type { Database, Handle } from '../../platform/db/database.ts'
import type { Route } from '../../platform/http/route.ts'
import { sendWebFile } from '../../platform/http/web-files/web-file.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { renderNote } from '../public-pages/render-page.ts'
import { toFile, type PublicPages } from '../public-pages/public-pages.ts'
import { renderLegalPage, type LegalText } from './render-legal-page.ts'
import {
  deleteLegalPage,
  listLegalPages,
  publishLegalPage,
  saveLegalPage,
  type LegalServices,
} from './legal-pages.ts'
import { getTermsConsent, giveTermsConsent } from './terms-consent.ts'

export function legalRoutes(
  app: FastifyInstance,
  route: Route,
  services: LegalServices & { db: Database },
  pages: Pick<PublicPages, 'frame'>,
): void {
  route(contract.getTermsConsent, (ctx) => getTermsConsent(services, ctx))
  route(contract.giveTermsConsent, (ctx, input) => giveTermsConsent(services, ctx, input))
  route(adminContract.listLegalPages, listLegalPages)
  route(adminContract.saveLegalPage, (ctx, input) => saveLegalPage(services, ctx, input))
  route(adminContract.publishLegalPage, (ctx, input) => publishLegalPage(services, ctx, input))
  route(adminContract.deleteLegalPage, (ctx, input) => deleteLegalPage(services, ctx, input))
  route.raw(adminContract.previewLegalPage, (ctx, { params }, _request, reply) =>
    previewLegalPage(ctx.db, params.slug, reply, pages),
  )
  for (const slug of contract.footerPages) {
    app.get(`/${slug}`, (request, reply) => send(services.db, slug, pages, { request, reply }))
  }
  app.get('/legal/:slug', (request, reply) => {
    const { slug } = request.params as { slug: string }
    const path = contract.legalPath(slug)
    // Redirect other spellings of the path, so that each page has one canonical URL.
    if (path !== `/legal/${slug}`) return reply.redirect(path, 301)
    return send(services.db, slug, pages, { request, reply })
  })
}

async function previewLegalPage(
  db: Handle,
  slug: string,
  reply: FastifyReply,
  pages: Pick<PublicPages, 'frame'>,
): Promise<FastifyReply> {
  const page = await db.query
    .selectFrom('legal_pages')
    .select(['slug', 'title', 'draft as body'])
    .where('slug', '=', slug)
    .executeTakeFirst()
  if (!page) throw new AppError('legal_page_not_found')
  const text = { ...page, number: null, published_at: null, versions: [] }
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'private, no-store')
    .send(renderLegalPage(text, pages.frame()))
}

async function send(
  db: Database,
  slug: string,
  pages: Pick<PublicPages, 'frame'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<unknown> {
  const { version } = request.query as { version?: unknown }
  const text = await findText(db, slug, version)
  if (!text) {
    const note = renderNote(pages.frame(), {
      title: 'Page not found',
      text: 'This page, or this version of it, does not exist.',
    })
    return sendWebFile(request, reply.code(404), { ...toFile(note), cacheControl: 'no-store' })
  }
  const file = { ...toFile(renderLegalPage(text, pages.frame())), vary: 'accept-encoding' }
  return sendWebFile(request, reply, file)
}

/** Returns the newest version of a page, or the requested version. */
async function findText(db: Database, slug: string, wanted: unknown): Promise<LegalText | null> {
  const versions = await db.query
    .selectFrom('legal_versions as v')
    .innerJoin('legal_pages as p', 'p.slug', 'v.slug')
    .select(['v.number', 'v.published_at'])
    .where('v.slug', '=', slug)
    .where('p.is_shown', '=', true)
    .orderBy('v.number', 'desc')
    .execute()
  const number = wanted === undefined ? versions[0]?.number : Number(wanted)
  if (!versions.some((one) => one.number === number)) return null
  const text = await db.query
    .selectFrom('legal_versions')
    .select(['slug', 'title', 'body', 'number', 'published_at'])
    .where('slug', '=', slug)
    .where('number', '=', number!)
    .executeTakeFirst()
  return text ? { ...text, versions } : null
}
