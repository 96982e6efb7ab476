// The Link header of lists (RFC 8288) with the URL of the next page, for every kind of pagination.
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'

/** Longer than any cursor or `pagination` field, so that only this much of the body is parsed. */
const longestField = 6000

/** The kind of pagination of a list. Null if it has none. */
export function getPagingKind({ method, query }: Pick<Endpoint, 'method' | 'query'>) {
  const shape = (query as unknown as { shape?: object } | undefined)?.shape
  if (method !== 'GET' || !shape) return null
  return (['cursor', 'page', 'offset'] as const).find((name) => name in shape) ?? null
}

/**
 * Returns undefined on the last page. Searches the body without parsing it, because long lists are sent as PostgreSQL
 * wrote them.
 */
export function linkToNextPage(
  endpoint: Pick<Endpoint, 'method' | 'query'>,
  request: Pick<FastifyRequest, 'originalUrl'>,
  input: Record<string, unknown> | undefined,
  body: Buffer | string,
): string | undefined {
  const paging = getPagingKind(endpoint)
  const next = paging && findNext[paging](body, input ?? {})
  if (!paging || !next) return undefined
  const url = new URL(request.originalUrl, 'http://localhost')
  url.searchParams.set(paging, next)
  return `<${url.pathname}${url.search}>; rel="next"`
}

const findNext = {
  cursor: (body: Buffer | string) =>
    /^"next_cursor":\s*"([\w-]+)"/.exec(textFrom(body, 'next_cursor'))?.[1],
  page(body: Buffer | string) {
    const text = textFrom(body, 'pagination')
    const [page, pages] = ['page', 'total_pages'].map((name) => numberIn(text, name))
    return page && pages && page < pages ? String(page + 1) : undefined
  },
  offset(body: Buffer | string, { offset, limit }: { offset?: unknown; limit?: unknown }) {
    const next = Number(offset) + Number(limit)
    const total = numberIn(textFrom(body, 'total'), 'total')
    return total !== undefined && next < total ? String(next) : undefined
  },
} as const

/** Returns the text after the name of a field. Quotes inside values are escaped, so only the field itself matches. */
function textFrom(body: Buffer | string, name: string): string {
  const at = body.lastIndexOf(`"${name}":`)
  if (at < 0) return ''
  const end = at + longestField
  return typeof body === 'string' ? body.slice(at, end) : body.toString('utf8', at, end)
}

function numberIn(text: string, name: string): number | undefined {
  const found = new RegExp(`"${name}":\\s*(\\d+)`).exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}
