// Describes one operation in OpenAPI 3.1: parameters, body, responses, and every error it may return.
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { errors, type ErrorCode } from '#contract/errors.ts'
import { describeLimits, limitHeaders, retryAfter, type Headers } from './describe-limits.ts'
import { scopeFor } from '#contract/token-scopes.ts'

export type JsonSchema = Record<string, unknown>

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

interface Response {
  description: string
  headers?: Headers
  content?: Record<string, { schema: JsonSchema; examples?: Record<string, unknown> }>
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: true; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, Response>
}

export const securityScheme = 'session'
export const tokenScheme = 'token'
export const errorSchema = 'Error'

const whoMay = {
  anyone: 'Open to anybody.',
  member: 'For anybody who is signed in.',
  admin: 'For admins.',
} as const

export function describeOperation(endpoint: Endpoint): Operation {
  const body = bodyOf(endpoint)
  return {
    operationId: operationIdOf(endpoint),
    tags: [tagOf(endpoint.path)],
    summary: endpoint.summary,
    description: describeRights(endpoint),
    security: securityOf(endpoint),
    parameters: [
      ...parametersOf('path', endpoint.params),
      ...parametersOf('query', endpoint.query),
      ...headersOf(endpoint),
    ],
    ...(body && { requestBody: { required: true, content: body } }),
    responses: { ...withLimitHeaders(endpoint, successOf(endpoint)), ...errorsOf(endpoint) },
  }
}

function securityOf(endpoint: Endpoint): Record<string, string[]>[] {
  if (endpoint.access === 'anyone') return []
  const scope = scopeFor(endpoint)
  return [{ [securityScheme]: [] }, ...(scope ? [{ [tokenScheme]: [scope] }] : [])]
}

function describeRights(endpoint: Endpoint): string {
  const { access, needsConfirmation } = endpoint
  const scope = scopeFor(endpoint)
  const tokens = scope ? `Access tokens need the scope \`${scope}\`.` : 'Not for access tokens.'
  const who = `${whoMay[access]} ${tokens}`
  if (!needsConfirmation) return who
  const confirmed = 'Needs a confirmation (`POST /api/auth/confirmation`) in the last 10 minutes'
  if (needsConfirmation === true) return `${who} ${confirmed}.`
  const fields = Object.entries(needsConfirmation).map(([path, values]) =>
    values === 'any value'
      ? `\`${path}\` is given`
      : `\`${path}\` is ${values.map((value) => `\`${value}\``).join(' or ')}`,
  )
  return `${who} ${confirmed} where ${fields.join(' or ')}.`
}

/** `/api/admin-users/:id/role` → `/api/admin-users/{id}/role` */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

/** `GET /api/tracks/:id/stream` → `getTracksByIdStream` */
function operationIdOf({ method, path }: Endpoint): string {
  const words = path
    .replace('/api/', '')
    .replaceAll(/:(\w+)/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/)
  return (
    method.toLowerCase() +
    words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  )
}

/** The first path segment after /api: `tracks`, `admin-users`. */
export function tagOf(path: string): string {
  return path.split('/')[2]?.replace(/\..*/, '') ?? 'api'
}

function parametersOf(place: 'path' | 'query', schema: z.ZodMiniType | undefined): Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, propertySchema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: propertySchema,
  }))
}

function headersOf({ headers = {} }: Endpoint): Parameter[] {
  return Object.entries(headers).map(([name, description]) => ({
    name: name.replace('?', ''),
    in: 'header',
    required: !name.endsWith('?'),
    description,
    schema: { type: 'string' },
  }))
}

function bodyOf({ body, accepts }: Endpoint): Record<string, { schema: JsonSchema }> | null {
  if (body) return { 'application/json': { schema: toJsonSchema(body, 'input') } }
  return accepts ? { [accepts]: binary(accepts) } : null
}

function successOf(endpoint: Endpoint): Record<string, Response> {
  const { output, produces, errors: codes = [], redirects } = endpoint
  if (output) {
    const schema = toJsonSchema(output, 'output')
    return { 200: { description: 'Done.', content: { 'application/json': { schema } } } }
  }
  if (!produces || produces === 'no body') return { 204: { description: 'Done.' } }
  const content = { [produces]: binary(produces) }
  return {
    200: { description: 'All of it.', content },
    ...(codes.includes('range_not_satisfiable') && {
      206: {
        description: 'The bytes that were asked for, or several parts of them.',
        content: { ...content, 'multipart/byteranges': binary('multipart/byteranges') },
      },
      304: { description: 'The version that the caller has already.' },
    }),
    ...(redirects && {
      [redirects[0]]: {
        description: redirects[1],
        headers: { Location: { required: true, schema: { type: 'string' } } },
      },
    }),
  }
}

function withLimitHeaders(
  endpoint: Endpoint,
  responses: Record<string, Response>,
): Record<string, Response> {
  const added = limitHeaders(endpoint)
  if (!added) return responses
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: { ...response.headers, ...added } },
    ]),
  )
}

/** A body that is not JSON. */
function binary(mediaType: string): { schema: JsonSchema } {
  return { schema: { contentMediaType: mediaType } }
}

/** The error codes that the endpoint lists, plus those implied by its input and access. */
export function codesOf(endpoint: Endpoint): ErrorCode[] {
  const { access, params, query, body, duringMaintenance } = endpoint
  const codes = new Set<ErrorCode>(endpoint.errors)
  if (query || body) codes.add('invalid_input')
  if (params) codes.add('not_found')
  if (body) codes.add('payload_too_large').add('unsupported_content_type')
  if (access !== 'anyone') codes.add('unauthenticated')
  codes.add('token_invalid').add(scopeFor(endpoint) ? 'token_scope' : 'token_refused')
  if (access === 'admin') codes.add('forbidden').add('second_factor_required')
  if (endpoint.needsConfirmation) codes.add('reauthentication_required')
  if (access === 'anyone' || endpoint.rateLimit) codes.add('rate_limited')
  if (endpoint.method !== 'GET') codes.add('foreign_origin').add('rate_limited')
  if (!duringMaintenance) codes.add('maintenance')
  return [...codes.add('misdirected_request').add('internal').add('unavailable')]
}

function errorsOf(endpoint: Endpoint): Record<string, Response> {
  const byStatus = Map.groupBy(codesOf(endpoint), (code) => errors[code][0])
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        status === 429 ? describeTooMany(endpoint, codes) : describeErrors(codes),
      ]),
  )
}

function describeTooMany(endpoint: Endpoint, codes: ErrorCode[]): Response {
  const refusal = describeErrors(codes)
  return {
    ...refusal,
    description: [refusal.description, ...describeLimits(endpoint)].join('\n\n'),
    headers: { ...retryAfter, ...limitHeaders(endpoint) },
  }
}

function describeErrors(codes: ErrorCode[]): Response {
  const examples = codes.map((code) => [
    code,
    { value: { error: { code, message: errors[code][1] } } },
  ])
  return {
    description: codes.map((code) => `\`${code}\`: ${errors[code][1]}`).join('\n\n'),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${errorSchema}` },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

/** Adds a pattern: the router refuses some characters in any text, and trimmed text must not be blank. */
function describeTextLimits(schema: z.core.$ZodType, made: JsonSchema): void {
  if (made.pattern ?? made.allOf ?? made.enum ?? made.const) return
  const { checks = [] } = schema._zod.def as z.core.$ZodStringDef
  const isTrimmed = checks.some(({ _zod }) => _zod.def.check === 'overwrite')
  made.pattern =
    isTrimmed && made.minLength ? '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' : '^[^\\u0000]*$'
}

/** JSON Schema 2020-12 of a request (`input`) or a response (`output`). */
export function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override({ zodSchema, jsonSchema: made }) {
      // Drop a pattern that repeats the format. Keep it where we accept far less than the format allows.
      if (made.format) {
        const isEmail = made.format === 'email'
        if (!isEmail && !z.globalRegistry.get(zodSchema)?.pattern) delete made.pattern
      } else if (io === 'input' && made.type === 'string') describeTextLimits(zodSchema, made)
      // The input is not case sensitive: list the values that it is parsed to.
      const { def } = zodSchema._zod
      const out = def.type === 'pipe' ? def.out._zod.def : null
      if (out && 'entries' in out) {
        made.enum = Object.values(out.entries as Record<string, string>)
        delete made.pattern
      }
    },
  })
  return jsonSchema
}
