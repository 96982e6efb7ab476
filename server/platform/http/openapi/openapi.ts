// Generates the OpenAPI 3.1 document from the registered operations, so that it describes exactly the operations that
// the server serves.
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { errorBody, errors } from '#contract/errors.ts'
import { describeTag } from '#contract/notes/tag-notes.ts'
import { tokenScopes } from '#contract/token-scopes.ts'
import { getCookiePrefix } from '../../security/cookie-names.ts'
import { readContractNames } from './contract-names.ts'
import { describedHeaders } from './describe-limits.ts'
import { toJsonSchema } from './json-schema.ts'
import {
  describeOperation,
  securityScheme,
  getTag,
  toPathTemplate,
  tokenScheme,
  type Operation,
} from './openapi-operation.ts'
import { errorSchema, shareResponses, type Responses } from './operation-responses.ts'
import { createSharedSchemas } from './shared-schemas.ts'

type Described = Omit<Operation, 'responses'> & {
  responses: Record<string, Responses[string] | { $ref: string }>
}

export interface ApiDescription {
  openapi: '3.1.1'
  paths: Record<string, Record<string, Described>>
  components: Record<string, Record<string, unknown>>
  [part: string]: unknown
}

/** Returns a set that contains every operation registered from now on. */
export function collectEndpoints(app: FastifyInstance): ReadonlySet<Endpoint> {
  const endpoints = new Set<Endpoint>()
  app.addHook('onRoute', ({ config }) => {
    const endpoint = (config as { endpoint?: Endpoint } | undefined)?.endpoint
    if (endpoint) endpoints.add(endpoint)
  })
  return endpoints
}

export async function describeApi(
  endpoints: Iterable<Endpoint>,
  options: { brandName: string; publicUrl: string },
): Promise<ApiDescription> {
  const { brandName, publicUrl } = options
  const all = [...endpoints].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  // Member operations first, admin operations last.
  const tags = [...new Set(all.map(({ path }) => getTag(path)))].toSorted(
    (a, b) => Number(a.startsWith('admin-')) - Number(b.startsWith('admin-')),
  )
  const names = await readContractNames()
  const shared = createSharedSchemas(names.schemas)
  const described = all.map((endpoint) => ({
    endpoint,
    operation: describeOperation(endpoint, { names, schemas: shared }),
  }))
  const { shared: responses, refer } = shareResponses(
    described.map(({ operation }) => operation.responses),
  )
  const paths: ApiDescription['paths'] = {}
  for (const { endpoint, operation } of described) {
    const path = (paths[toPathTemplate(endpoint.path)] ??= {})
    const { method } = endpoint
    path[method.toLowerCase()] = { ...operation, responses: refer(operation.responses) }
  }
  const { document, schemas } = shared.finish(paths)
  return {
    openapi: '3.1.1',
    info: {
      title: `${brandName} API`,
      version: '1.0.0',
      description:
        'Everything this service does. Programs sign in with an access token (`Authorization: Bearer`) and call `/api/v1`. Every list has `Link: rel="next"` until its last page. Refusals carry a stable `code`; compare that, never the text. Rate limits with the same name share one count. Guides with examples are at `/api/docs`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: {
      url: `${publicUrl}/api/docs`,
      description: 'Guides, and a page to try the API.',
    },
    servers: [
      { url: `${publicUrl}/api/v1`, description: 'Version 1, for programs.' },
      { url: `${publicUrl}/api`, description: 'The same operations, as used by the web app.' },
    ],
    tags: tags.map((name) => ({ name, description: describeTag(name) })),
    paths: document,
    components: {
      schemas: { ...schemas, [errorSchema]: describeError() },
      responses,
      headers: describedHeaders,
      securitySchemes: securitySchemes(publicUrl),
    },
  }
}

function describeError() {
  return {
    ...toJsonSchema(errorBody, 'output'),
    description: `Why a request was refused. Codes: ${Object.keys(errors).join(', ')}.`,
  }
}

function securitySchemes(publicUrl: string): Record<string, unknown> {
  return {
    [securityScheme]: {
      type: 'apiKey',
      in: 'cookie',
      name: `${getCookiePrefix(publicUrl.startsWith('https:'))}.session_token`,
      description: 'The session of the web app, set by `signIn`.',
    },
    [tokenScheme]: {
      type: 'http',
      scheme: 'bearer',
      description: `A personal access token, created in the profile or by \`createAccessToken\`. Scopes: ${tokenScopes.join(', ')}. An operation lists the scope that it needs.`,
    },
  }
}
