// The OpenAPI description and the page that shows it. Both are kept in memory.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as contract from '#contract/api-docs.ts'
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
    config: Pick<Config, 'publicUrl'>
    brandName: () => string
    /** Not complete until the server listens. */
    endpoints: Iterable<Endpoint>
  },
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
  const page = await readFile(join(folder, 'api-docs.html'))
  const readApiDocs = async (reply: FastifyReply) =>
    reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
  route.raw(contract.readApiDocs, (_ctx, _input, _request, reply) => readApiDocs(reply))
  const files = { 'api-docs.js': 'text/javascript', 'api-docs.css': 'text/css' }
  for (const [name, type] of Object.entries(files)) {
    const bytes = await readFile(join(folder, name))
    app.get(`${contract.readApiDocs.path}/${name}`, (_request, reply) =>
      reply.header('cache-control', 'no-cache').type(`${type}; charset=utf-8`).send(bytes),
    )
  }
}
