// Describes response headers, and the rate limits of an operation, for the OpenAPI description.
import type { Endpoint } from '#contract/endpoint.ts'
import { hour, minute, type DeclaredLimit } from '#contract/rate-limit.ts'
import { listDeclaredLimits, isCallLimit } from '../../limits/operation-limits.ts'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

/** Descriptions of the response headers that programs may use. */
export const describedHeaders = {
  'X-Request-Id': {
    description: "Identifies this request in the server's log. Quote it when you report a problem.",
    schema: { type: 'string', format: 'uuid' },
  },
  ETag: {
    description: 'Identifies the version that was read. Send it back in `If-Match` with a change.',
    schema: text,
    example: '"3"',
  },
  Link: {
    description: 'The next page: `</api/v1/tracks?cursor=…>; rel="next"`. Absent on the last page.',
    schema: text,
  },
  Location: { description: 'The URL of the content.', schema: { type: 'string', format: 'uri' } },
  'Accept-Ranges': { description: 'Always `bytes`.', schema: { const: 'bytes' } },
  'Content-Range': {
    description: 'The range of bytes in the body, and the total size.',
    schema: text,
    example: 'bytes 0-65535/5242880',
  },
  'Idempotent-Replayed': {
    description: 'The stored response of an earlier request with the same Idempotency-Key.',
    schema: { const: 'true' },
  },
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: count },
  RateLimit: {
    description:
      'For each limit: the calls left (`r`), and in how many seconds its window ends (`t`).',
    schema: text,
    example: '"playlist";r=999;t=86400',
  },
  'RateLimit-Policy': {
    description: 'For each limit: the calls allowed (`q`) in a window (`w`, in seconds).',
    schema: text,
    example: '"playlist";q=1000;w=86400',
  },
  'RateLimit-Limit': {
    description:
      'Calls allowed in a window. With several limits, the one with the fewest calls left.',
    schema: count,
  },
  'RateLimit-Remaining': { description: 'Calls left in this window.', schema: count },
  'RateLimit-Reset': { description: 'Seconds until the window ends.', schema: count },
} as const

export type HeaderName = keyof typeof describedHeaders

export function responseHeaders(...names: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const countedCalls = {
  account: 'calls by one account',
  address: 'calls from one address',
  caller: 'calls by one account, or from one address without an account',
} as const

/** One sentence for each declared limit. */
export function describeLimits(endpoint: Pick<Endpoint, 'rateLimit'>): string[] {
  return listDeclaredLimits(endpoint).map((limit) => {
    const except = isCallLimit(limit) && limit.exceptAdmins ? ', admins excepted' : ''
    const window = describeSeconds(limit.seconds)
    return `\`${limit.name}\`: at most ${limit.count} ${countedBy(limit)} in ${window}${except}.`
  })
}

/** The rate limit headers of an operation. Responses to requests that were refused by an earlier check lack them. */
export function limitHeaders(
  endpoint: Pick<Endpoint, 'rateLimit'>,
): Record<string, { $ref: string }> {
  if (!listDeclaredLimits(endpoint).some(isCallLimit)) return {}
  return responseHeaders(
    'RateLimit',
    'RateLimit-Policy',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
  )
}

function countedBy(limit: DeclaredLimit): string {
  return isCallLimit(limit) ? countedCalls[limit.per] : limit.counts
}

function describeSeconds(seconds: number): string {
  if (seconds % hour === 0) return plural(seconds / hour, 'hour')
  if (seconds % minute === 0) return plural(seconds / minute, 'minute')
  return plural(seconds, 'second')
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
