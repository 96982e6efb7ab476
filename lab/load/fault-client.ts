// A client for a service that fails: keeps its cookie, doesn't retry, and records every response that even a failing
// service must not send.
import { setTimeout as sleep } from 'node:timers/promises'
import { buildCookieHeader } from '../../e2e/harness/api-client.ts'
import type { Outcome } from './register.ts'

export interface Reply {
  /** 0 if the connection ended without a response. */
  status: number
  code: string | undefined
  body: Record<string, unknown>
}

export interface FaultClient {
  send: (method: string, path: string, options?: SendOptions) => Promise<Reply>
  /** Sends a write, and returns whether it is known to be executed. */
  write: (method: string, path: string, options?: SendOptions) => Promise<Outcome>
  signIn: (who: { email: string; password: string }) => Promise<void>
  /** For requests that need more than JSON. */
  fetch: (path: string, init?: RequestInit) => Promise<Response>
}

interface SendOptions {
  body?: unknown
  headers?: Record<string, string>
  /** Error codes that are expected for this request. */
  expects?: readonly string[]
}

/** Responses to all clients of a test. */
export interface ResponseLog {
  /** Error responses that don't follow the protocol for a failing service (see `judge`). */
  readonly unexpectedResponses: string[]
  count: (reply: { status: number; ms: number; method: string; path: string }) => void
  /** Requests without a response or with status 500 and above: method, path and status. */
  readonly failures: string[]
  /** Number of responses by status. 0 means no response. */
  byStatus: () => Record<string, number>
  /** Response times in milliseconds, by the first segments of the path. */
  times: () => ReadonlyMap<string, number[]>
}

/** Longer than any request may take. */
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

/** `url` is called before every request, because a service may have several instances. */
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
      // Check the type: audio can start with a brace, too.
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      const body = (isJson && text !== '' ? JSON.parse(text) : {}) as Record<string, unknown>
      // The proxy fetches audio in slices and itself sends 416, without our code, for a range beyond the end.
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
      // The server is down. Pause a little, as any client does.
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

/** A failing service must send 503 with Retry-After, or 507 if the disk is full. Other errors must be expected ones. */
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

/** Each client sends its own IP address in X-Forwarded-For. */
export function createClientAddress(): string {
  addresses++
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}
