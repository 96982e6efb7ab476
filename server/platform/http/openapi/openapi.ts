// The OpenAPI 3.1 document, generated from the registered operations, so it describes exactly the API that the server
// serves.
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { errorBody, errors } from '#contract/errors.ts'
import { tokenScopes } from '#contract/token-scopes.ts'
import { cookiePrefixFor } from '../../security/cookie-names.ts'
import {
  describeOperation,
  errorSchema,
  securityScheme,
  tagOf,
  templateOf,
  tokenScheme,
  toJsonSchema,
  type Operation,
} from './openapi-operation.ts'

export interface ApiDescription {
  openapi: '3.1.1'
  paths: Record<string, Record<string, Operation>>
  [part: string]: unknown
}

/** Returns a set that collects every operation registered from now on. */
export function collectEndpoints(app: FastifyInstance): ReadonlySet<Endpoint> {
  const endpoints = new Set<Endpoint>()
  app.addHook('onRoute', ({ config }) => {
    const endpoint = (config as { endpoint?: Endpoint } | undefined)?.endpoint
    if (endpoint) endpoints.add(endpoint)
  })
  return endpoints
}

export function describeApi(
  endpoints: Iterable<Endpoint>,
  options: { brandName: string; publicUrl: string },
): ApiDescription {
  const { brandName, publicUrl } = options
  const all = [...endpoints].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  // Member operations first, admin operations last.
  const tags = [...new Set(all.map(({ path }) => tagOf(path)))].toSorted(
    (a, b) => Number(a.startsWith('admin-')) - Number(b.startsWith('admin-')),
  )
  return {
    openapi: '3.1.1',
    info: {
      title: `${brandName} API`,
      version: '1.0.0',
      description:
        'Everything this service does. Refusals carry a stable `code`; compare that, never the text. Rate limits of one name share one count. What this service sends by webhooks is in docs/webhooks.md of its source.',
    },
    servers: [{ url: publicUrl }],
    tags: tags.map((name) => ({ name })),
    paths: pathsOf(all),
    components: {
      schemas: {
        [errorSchema]: {
          ...toJsonSchema(errorBody, 'output'),
          description: `Codes: ${Object.keys(errors).join(', ')}.`,
        },
      },
      securitySchemes: {
        [securityScheme]: {
          type: 'apiKey',
          in: 'cookie',
          name: `${cookiePrefixFor(publicUrl.startsWith('https:'))}.session_token`,
          description: 'Set by POST /api/auth/sign-in/email.',
        },
        [tokenScheme]: {
          type: 'http',
          scheme: 'bearer',
          description: `A personal access token, from POST /api/tokens. Scopes: ${tokenScopes.join(', ')}.`,
        },
      },
    },
  }
}

function pathsOf(endpoints: readonly Endpoint[]): ApiDescription['paths'] {
  const paths: ApiDescription['paths'] = {}
  for (const endpoint of endpoints) {
    const path = (paths[templateOf(endpoint.path)] ??= {})
    path[endpoint.method.toLowerCase()] = describeOperation(endpoint)
  }
  return paths
}
