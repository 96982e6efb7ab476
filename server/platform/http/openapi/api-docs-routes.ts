// The OpenAPI description and the page that shows it. Both are built once and served from memory.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { getApiDescription, readApiDocs } from '#contract/api-docs.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Config } from '../../config/config.ts'
import { describeApi } from './openapi.ts'
import { ReadyJson } from '../../db/ready-json.ts'
import type { Route } from '../route.ts'

const folder = join(import.meta.dirname, 'api-docs')

export async function apiDocsRoutes(
  route: Route,
  app: FastifyInstance,
  services: {
    config: Pick<Config, 'brandName' | 'publicUrl'>
    /** Not complete until the server listens. */
    endpoints: Iterable<Endpoint>
  },
): Promise<void> {
  let description: ReadyJson | null = null
  route(getApiDescription, async () => {
    const { config, endpoints } = services
    description ??= new ReadyJson(Buffer.from(JSON.stringify(describeApi(endpoints, config))))
    return description
  })
  const page = await readFile(join(folder, 'api-docs.html'))
  route.raw(readApiDocs, async (_ctx, _input, _request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page),
  )
  const files = { 'api-docs.js': 'text/javascript', 'api-docs.css': 'text/css' }
  for (const [name, type] of Object.entries(files)) {
    const bytes = await readFile(join(folder, name))
    app.get(`${readApiDocs.path}/${name}`, (_request, reply) =>
      reply.header('cache-control', 'no-cache').type(`${type}; charset=utf-8`).send(bytes),
    )
  }
}
