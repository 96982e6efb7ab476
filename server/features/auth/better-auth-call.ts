// Calls a better-auth operation on behalf of a request. Passes only the headers that better-auth needs, and the
// caller's address as our server determined it. Converts the returned cookies and errors to our format.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toAppError } from './auth-error.ts'
import { clientAddressHeader } from './auth-options.ts'
import { withFormerNames } from '../../platform/security/cookie-names.ts'

export interface BetterAuthCall {
  /** The path below /api/auth, with its query string. */
  path: string
  /** Sent as JSON in a POST request. Without a body, the request is a GET. */
  body?: Record<string, unknown>
}

interface BetterAuthTarget {
  handler: (request: Request) => Promise<Response>
  ownOrigin: string
  resignCookie: (header: string) => string
}

const forwardedHeaders = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'] as const
const userAgentMaxLength = 500

/** Returns the response's JSON. Throws an AppError if the call fails. */
export async function callBetterAuth(
  { handler, ownOrigin, resignCookie }: BetterAuthTarget,
  { path, body }: BetterAuthCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const headers = new Headers({
    host: request.headers.host ?? '',
    // Non-browser clients send no Origin header. The origin of browsers was checked before.
    origin: request.headers.origin ?? ownOrigin,
    'user-agent': (request.headers['user-agent'] ?? '').slice(0, userAgentMaxLength),
    [clientAddressHeader]: request.ip,
  })
  for (const name of forwardedHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const { cookie } = request.headers
  if (cookie !== undefined) headers.set('cookie', resignCookie(cookie))
  if (body) headers.set('content-type', 'application/json')
  const response = await handler(
    new Request(`${ownOrigin}/api/auth${path}`, {
      method: body ? 'POST' : 'GET',
      headers,
      body: body ? JSON.stringify(body) : null,
    }),
  )
  const cookies = withFormerNames(response.headers.getSetCookie())
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  const text = await response.text()
  const answer: unknown = text === '' ? null : JSON.parse(text)
  if (!response.ok) throw toAppError(response.status, answer)
  return answer
}
