// Describes the responses of one operation: the successful one, and every error that it may return.
import { isStaffAccess } from '#contract/access.ts'
import type { BodyFields, Endpoint } from '#contract/endpoint.ts'
import { errors, type ErrorCode } from '#contract/errors.ts'
import { getRequiredScope } from '#contract/token-scopes.ts'
import { getPagingKind } from '../next-page.ts'
import { acceptsIdempotencyKey, acceptsIfMatch } from '../request-headers.ts'
import {
  describeLimits,
  limitHeaders,
  responseHeaders,
  type HeaderName,
} from './describe-limits.ts'
import type { JsonSchema } from './json-schema.ts'
import { createExample } from './schema-example.ts'
import type { SharedSchemas } from './shared-schemas.ts'

export const errorSchema = 'Error'

interface Response {
  description: string
  headers?: Record<string, { $ref: string }>
  content?: Record<
    string,
    { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }
  >
}

export type Responses = Record<string, Response>

export function describeResponses(
  endpoint: Endpoint,
  schemas: SharedSchemas,
  name: string,
): Responses {
  return {
    ...describeSuccess(endpoint, schemas, name),
    ...describeErrorResponses(endpoint),
  }
}

function describeSuccess(endpoint: Endpoint, schemas: SharedSchemas, name: string): Responses {
  const { output, creates } = endpoint
  const headers = headersOf(endpoint)
  if (!output) return withoutJson(endpoint, headers)
  const schema = schemas.describe(output, 'output', `${name}Response`)
  const content = { 'application/json': { schema, example: createExample(output, 'output') } }
  const created = { description: 'Created.', headers, content }
  const done = { description: 'Done.', headers, content }
  if (!creates) return { 200: done }
  if (creates === true) return { 201: created }
  return {
    200: done,
    201: { ...created, description: `Created, if ${describeFields(creates)}.` },
  }
}

function withoutJson(endpoint: Endpoint, headers: Response['headers'] & object): Responses {
  const { produces, errors: codes = [], redirects } = endpoint
  if (!produces || produces === 'no body') return { 204: { description: 'Done.', headers } }
  const content = { [produces]: describeBinaryBody(produces) }
  const hasRanges = codes.includes('range_not_satisfiable')
  return {
    200: {
      description: 'The whole content.',
      headers: { ...headers, ...(hasRanges && responseHeaders('Accept-Ranges', 'ETag')) },
      content,
    },
    ...(hasRanges && {
      206: {
        description: 'The requested range of bytes, or several ranges.',
        headers: { ...headers, ...responseHeaders('Accept-Ranges', 'Content-Range', 'ETag') },
        content: { ...content, 'multipart/byteranges': describeBinaryBody('multipart/byteranges') },
      },
      304: { description: 'The caller already has this version.', headers },
    }),
    ...(redirects && {
      [redirects[0]]: {
        description: redirects[1],
        headers: { ...headers, ...responseHeaders('Location') },
      },
    }),
  }
}

function headersOf(endpoint: Endpoint): Record<string, { $ref: string }> {
  const names: HeaderName[] = ['X-Request-Id']
  if (endpoint.versionAt) names.push('ETag')
  if (getPagingKind(endpoint)) names.push('Link')
  if (acceptsIdempotencyKey(endpoint)) names.push('Idempotent-Replayed')
  return { ...responseHeaders(...names), ...limitHeaders(endpoint) }
}

/** The error codes that creators may get, which depend on the `owned` field of the operation. */
export function listOwnerErrorCodes({
  owned,
  method,
}: Pick<Endpoint, 'owned' | 'method'>): ErrorCode[] {
  const { own = {}, drafts = {} } = owned && owned !== 'filtered' ? owned : {}
  const named = [own, drafts]
  const codes: ErrorCode[] = []
  if (named.some(({ track }) => track)) codes.push('track_not_found')
  if (named.some(({ release }) => release)) codes.push('release_not_found')
  if (drafts.track || drafts.release) codes.push('review_locked')
  if (codes.length > 0 && method !== 'GET') codes.push('review_needed', 'artist_not_yours')
  return codes
}

/** The error codes that the operation declares, and those that follow from its input and access level. */
export function listErrorCodes(endpoint: Endpoint): ErrorCode[] {
  const { access, params, query, body, duringMaintenance } = endpoint
  const codes = new Set<ErrorCode>(endpoint.errors)
  if (query || body) codes.add('invalid_input')
  if (params) codes.add('not_found')
  if (body) codes.add('payload_too_large').add('unsupported_content_type')
  if (access !== 'anyone') codes.add('unauthenticated')
  codes.add('token_invalid').add(getRequiredScope(endpoint) ? 'token_scope' : 'token_refused')
  if (isStaffAccess(access)) codes.add('forbidden').add('second_factor_required')
  for (const code of listOwnerErrorCodes(endpoint)) codes.add(code)
  if (endpoint.needsConfirmation) codes.add('reauthentication_required')
  if (access === 'anyone' || endpoint.rateLimit) codes.add('rate_limited')
  if (endpoint.method !== 'GET') codes.add('foreign_origin').add('rate_limited')
  if (acceptsIdempotencyKey(endpoint)) {
    codes.add('invalid_input').add('idempotency_key_in_progress').add('idempotency_key_reused')
  }
  if (acceptsIfMatch(endpoint)) codes.add('precondition_failed')
  if (!duringMaintenance) codes.add('maintenance')
  return [...codes.add('misdirected_request').add('internal').add('unavailable')]
}

function describeErrorResponses(endpoint: Endpoint): Responses {
  const byStatus = Map.groupBy(listErrorCodes(endpoint), (code) => errors[code][0])
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
    headers: { ...refusal.headers, ...responseHeaders('Retry-After'), ...limitHeaders(endpoint) },
  }
}

function describeErrors(codes: ErrorCode[]): Response {
  const sorted = codes.toSorted()
  const examples = sorted.map((code) => [
    code,
    { value: { error: { code, message: errors[code][1] } } },
  ])
  return {
    description: sorted.map((code) => `\`${code}\`: ${errors[code][1]}`).join('\n\n'),
    headers: {
      ...responseHeaders('X-Request-Id'),
      ...(sorted.includes('maintenance') && responseHeaders('Retry-After')),
    },
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: `#/components/schemas/${errorSchema}` }],
          properties: { error: { properties: { code: { enum: sorted } } } },
        },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

/**
 * Moves responses that several operations share to components. Returns the responses of all operations with
 * references to them.
 */
export function shareResponses(all: Responses[]): {
  shared: Record<string, Response>
  refer: (responses: Responses) => Record<string, Response | { $ref: string }>
} {
  const uses = new Map<string, number>()
  for (const response of all.flatMap((each) => Object.values(each))) {
    const text = JSON.stringify(response)
    uses.set(text, (uses.get(text) ?? 0) + 1)
  }
  const shared: Record<string, Response> = {}
  const refer = (responses: Responses) =>
    Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        const text = JSON.stringify(response)
        const name = Number(status) >= 400 && (uses.get(text) ?? 0) > 1 ? nameOf(response) : null
        if (!name || (shared[name] && JSON.stringify(shared[name]) !== text)) {
          return [status, response]
        }
        shared[name] = response
        return [status, { $ref: `#/components/responses/${name}` }]
      }),
    )
  return { shared, refer }
}

/** Builds a name from the sorted error codes, such as `forbidden_or_token_scope`. */
function nameOf({ content }: Response): string {
  const examples = content?.['application/json']?.examples ?? {}
  return Object.keys(examples).join('_or_')
}

/** Describes conditions on the body as text: `action` is `create` or `delete` */
export function describeFields(fields: BodyFields): string {
  return Object.entries(fields)
    .map(([path, values]) =>
      values === 'any value'
        ? `\`${path}\` is given`
        : `\`${path}\` is ${values.map((value) => `\`${value}\``).join(' or ')}`,
    )
    .join(' or ')
}

/** Describes a body that is not JSON. */
export function describeBinaryBody(mediaType: string): { schema: JsonSchema } {
  return { schema: { contentMediaType: mediaType } }
}
