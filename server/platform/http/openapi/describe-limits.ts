// The limits of one operation in words and headers, for its OpenAPI description.
import type { Endpoint } from '#contract/endpoint.ts'
import { hour, minute, type DeclaredLimit } from '#contract/rate-limit.ts'
import { declaredLimits, isCallLimit } from '../../limits/operation-limits.ts'

export type Headers = Record<
  string,
  { required: boolean; description?: string; schema: Record<string, unknown> }
>

const whoseCalls = {
  account: 'calls by one account',
  address: 'calls from one address',
  caller: 'calls by one account, or from one address without an account',
} as const

/** One sentence for each declared limit. */
export function describeLimits(endpoint: Pick<Endpoint, 'rateLimit'>): string[] {
  return declaredLimits(endpoint).map((limit) => {
    const except = isCallLimit(limit) && limit.exceptAdmins ? ', admins excepted' : ''
    const window = describeSeconds(limit.seconds)
    return `\`${limit.name}\`: at most ${limit.count} ${countedBy(limit)} in ${window}${except}.`
  })
}

/** Headers of every response of the operation, unless another check refused it before. */
export function limitHeaders(endpoint: Pick<Endpoint, 'rateLimit'>): Headers | undefined {
  if (!declaredLimits(endpoint).some(isCallLimit)) return undefined
  return {
    'RateLimit-Limit': header('Calls in a window; of several limits the one with the fewest left.'),
    'RateLimit-Remaining': header('Calls left in this window.'),
    'RateLimit-Reset': header('Seconds until the window ends.'),
  }
}

export const retryAfter: Headers = {
  'Retry-After': { ...header('Seconds after which to try again.'), required: true },
}

function header(description: string): Headers[string] {
  return { required: false, description, schema: { type: 'integer', minimum: 0 } }
}

function countedBy(limit: DeclaredLimit): string {
  return isCallLimit(limit) ? whoseCalls[limit.per] : limit.counts
}

function describeSeconds(seconds: number): string {
  if (seconds % hour === 0) return plural(seconds / hour, 'hour')
  if (seconds % minute === 0) return plural(seconds / minute, 'minute')
  return plural(seconds, 'second')
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
