// Serves the OpenAPI description, the page that shows it, and its guides. All are kept in memory.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as contract from '#contract/api-docs.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Config } from '../../config/config.ts'
import { ReadyJson } from '../../db/ready-json.ts'
import type { Route } from '../route.ts'
import { escapeHtml } from '../web-files/page-head.ts'
import { guidesPath, readGuides, type Guide } from './guides.ts'
import { describeApi } from './openapi.ts'

const folder = join(import.meta.dirname, 'api-docs')
const files = {
  'api-docs.js': 'text/javascript',
  'api-docs.css': 'text/css',
  'guide.js': 'text/javascript',
}

interface ApiDocsServices {
  config: Pick<Config, 'publicUrl'>
  brandName: () => string
  /** The registered operations. Complete when the server listens. */
  endpoints: Iterable<Endpoint>
}

export async function apiDocsRoutes(
  route: Route,
  app: FastifyInstance,
  services: ApiDocsServices,
): Promise<void> {
  let kept: { brandName: string; description: ReadyJson } | null = null
  const getApiDescription = async () => {
    const { config, endpoints } = services
    const brandName = services.brandName()
    if (kept?.brandName !== brandName) {
      const options = { brandName, publicUrl: config.publicUrl }
      const text = JSON.stringify(await describeApi(endpoints, options))
      kept = { brandName, description: new ReadyJson(Buffer.from(text)) }
    }
    return kept.description
  }
  route(contract.getApiDescription, getApiDescription)
  const guides = await readGuides(services.config.publicUrl)
  const page = fill(await readFile(join(folder, 'api-docs.html'), 'utf8'), {
    guides: drawLinks(guides),
  })
  const readApiDocs = (reply: FastifyReply) => send(reply, 'text/html', page)
  route.raw(contract.readApiDocs, async (_ctx, _input, _request, reply) => readApiDocs(reply))
  for (const [name, type] of Object.entries(files)) {
    const bytes = await readFile(join(folder, name))
    app.get(`${contract.readApiDocs.path}/${name}`, (_request, reply) => send(reply, type, bytes))
  }
  await serveGuides(app, guides, services)
}

async function serveGuides(
  app: FastifyInstance,
  guides: Guide[],
  { brandName }: Pick<ApiDocsServices, 'brandName'>,
): Promise<void> {
  const template = await readFile(join(folder, 'guide.html'), 'utf8')
  for (const { slug, title, html } of guides) {
    app.get(`${guidesPath}/${slug}`, (_request, reply) => {
      const name = `${brandName()} API`
      const page = fill(template, {
        title: escapeHtml(`${title} · ${name}`),
        name: escapeHtml(name),
        guides: drawLinks(guides, slug),
        heading: escapeHtml(title),
        content: html,
      })
      return send(reply, 'text/html', page)
    })
  }
}

function drawLinks(guides: Guide[], current?: string): string {
  return guides
    .map(({ slug, title }) => {
      const mark = slug === current ? ' aria-current="page"' : ''
      return `<li><a href="${guidesPath}/${slug}"${mark}>${escapeHtml(title)}</a></li>`
    })
    .join('')
}

/** Replaces `<!--name-->` in a template. */
function fill(template: string, values: Record<string, string>): string {
  return template.replaceAll(/<!--(\w+)-->/g, (_, name: string) => values[name] ?? '')
}

function send(reply: FastifyReply, type: string, body: Buffer | string): FastifyReply {
  return reply.header('cache-control', 'no-cache').type(`${type}; charset=utf-8`).send(body)
}
