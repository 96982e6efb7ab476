// An HTTP client for tests in which the service fails. It keeps its cookie and doesn't retry. It records responses that
// even a failing service must not send.
import { setTimeout as sleep } from 'node:timers/promises'
import { buildCookieHeader } from '../../e2e/harness/api-client.ts'
import type { Outcome } from './register.ts'

export interface Reply {
  /** The HTTP status. 0 if there was no response. */
  status: number
  code: string | undefined
  body: Record<string, unknown>
}

export interface FaultClient {
  send: (method: string, path: string, options?: SendOptions) => Promise<Reply>
  /** Sends a write. Returns whether it was acknowledged, refused, or has an unknown outcome. */
  write: (method: string, path: string, options?: SendOptions) => Promise<Outcome>
  signIn: (who: { email: string; password: string }) => Promise<void>
  /** Sends a request that isn't JSON. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
}

interface SendOptions {
  body?: unknown
  headers?: Record<string, string>
  /** Error codes that this request may get. */
  expects?: readonly string[]
}

/** Collects the responses to all clients of a test. */
export interface ResponseLog {
  /** Error responses that a failing service must not send (see `judge`). */
  readonly unexpectedResponses: string[]
  count: (reply: { status: number; ms: number; method: string; path: string }) => void
  /** Requests that got no response or a status from 500 up, as method, path and status. */
  readonly failures: string[]
  /** Number of responses by status. 0 means no response. */
  byStatus: () => Record<string, number>
  /** Response times in milliseconds, by path. */
  times: () => ReadonlyMap<string, number[]>
}

/** Timeout of a request. No request may take that long. */
const hangMs = 40_000
const pauseMs = 100

export function createResponseLog(): ResponseLog {
  const statuses = new Map<number, number>()
  const times = new Map<string, number[]>()
  const failures: string[] = []
  return {
    unexpectedResponses: [],
    failures,
    count({ status, ms, method, path }) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 0 || status >= 500) failures.push(`${method} ${path} ${status}`)
      if (status === 0) return
      const name = path.replace(/\?.*$/, '').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')
      const list = times.get(name) ?? []
      times.set(name, list)
      list.push(ms)
    },
    byStatus: () => Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)),
    times: () => times,
  }
}

/** `url` is called before every request, and may return another instance each time. */
export function createFaultClient(url: () => string, responses: ResponseLog): FaultClient {
  let cookie = ''
  const address = createClientAddress()

  const fetchAs: FaultClient['fetch'] = (path, init = {}) =>
    fetch(`${url()}${path}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(hangMs),
      ...init,
      headers: {
        ...(cookie && { cookie }),
        'x-forwarded-for': address,
        ...(init.headers as Record<string, string>),
      },
    })

  async function sendOnce(method: string, path: string, { body, headers }: SendOptions) {
    const isBytes = body instanceof Uint8Array
    const response = await fetchAs(path, {
      method,
      headers: {
        ...(body !== undefined && !isBytes && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
      }),
    })
    return { response, text: await response.text() }
  }

  const send: FaultClient['send'] = async (method, path, options = {}) => {
    const begun = performance.now()
    try {
      const { response, text } = await sendOnce(method, path, options)
      const { status } = response
      responses.count({ status, ms: performance.now() - begun, method, path })
      // Check the type, because audio could also start with a brace.
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      const body = (isJson && text !== '' ? JSON.parse(text) : {}) as Record<string, unknown>
      // If the range is beyond the end of the file, the proxy itself sends 416, without an error code.
      const told = (body['error'] as { code?: string } | undefined)?.code
      const code = status === 416 ? (told ?? 'range_not_satisfiable') : told
      const unexpected = judge({ status, code, headers: response.headers }, options.expects ?? [])
      if (unexpected)
        responses.unexpectedResponses.push(`${method} ${path}: ${unexpected} ${text.slice(0, 200)}`)
      return { status, code, body }
    } catch (error) {
      responses.count({ status: 0, ms: performance.now() - begun, method, path })
      if (error instanceof Error && error.name === 'TimeoutError') {
        responses.unexpectedResponses.push(
          `${method} ${path}: no response within ${hangMs / 1000} s`,
        )
      }
      // The server is down. Wait a little before the next request, like any client.
      await sleep(pauseMs)
      return { status: 0, code: undefined, body: {} }
    }
  }

  return {
    send,
    fetch: fetchAs,
    async write(method, path, options) {
      const { status } = await send(method, path, options)
      if (status >= 200 && status < 300) return 'acknowledged'
      return status >= 400 && status < 500 ? 'refused' : 'unknown'
    },
    async signIn(who) {
      const response = await fetchAs('/api/auth/sign-in/email', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(who),
      })
      if (!response.ok) throw new Error(`Sign-in of ${who.email} returned ${response.status}`)
      cookie = buildCookieHeader(response)
    },
  }
}

/** Returns what is wrong with a response. Allowed errors are 503 with Retry-After, 507, and those in `expects`. */
function judge(
  reply: { status: number; code: string | undefined; headers: Headers },
  expects: readonly string[],
): string | null {
  const { status, code = '' } = reply
  if (status < 400 || expects.includes(code)) return null
  if (status === 507 && code === 'storage_full') return null
  if (status !== 503) return `returned ${status}`
  if (code !== 'unavailable') return `returned 503 with the code "${code}"`
  return reply.headers.has('retry-after') ? null : 'returned 503 without Retry-After'
}

let addresses = 0

/** Returns a new IP address. Each client sends its own one in X-Forwarded-For. */
export function createClientAddress(): string {
  addresses++
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}
