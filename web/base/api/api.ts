// The HTTP client: takes an endpoint of the contract, sends the request, and returns the typed response or throws an
// ApiError. It never shows or redirects anything.
import type { CallInput, Endpoint, Output } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { requestConfirmation } from './confirm-again.ts'
import { reportResponse, reportNoResponse } from './connection.ts'
import { waitForGate } from './request-gate.ts'

/**
 * Thrown when a request fails. The code is that of the server's error response, or `network` if there was no response.
 */
export class ApiError extends Error {
  readonly code: ErrorCode | 'network'
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  readonly details: unknown
  readonly retryAfterSeconds: number | null

  constructor(
    code: ErrorCode | 'network',
    status: number,
    message: string,
    details?: unknown,
    retryAfterSeconds: number | null = null,
  ) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
  }
}

type Parts = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** True when the server rejected the request for lack of a valid session. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unauthenticated'
}

/**
 * True if the error needs no message of its own: the session has ended, which has its own dialog, or the user canceled
 * the re-authentication.
 */
export function isReportedElsewhere(error: unknown): boolean {
  const isCanceled = error instanceof ApiError && error.code === 'reauthentication_required'
  return isCanceled || isSessionOver(error)
}

/** Calls one operation of the contract. */
export async function call<const E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: { signal?: AbortSignal; outlivesPage?: boolean } = {},
): Promise<Output<E>> {
  const parts = input as Parts
  const response = await send(endpointUrl(endpoint.path, parts), {
    method: endpoint.method,
    body: parts.body,
    signal: options.signal,
    outlivesPage: options.outlivesPage,
  })
  return (response.status === 204 ? undefined : await response.json()) as Output<E>
}

/** Returns the URL of an endpoint with its parameters filled in. */
export function endpointUrl(path: string, { params = {}, query = {} }: Parts): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(`${params[name] as string | number}`),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '')
      search.set(name, `${value as string | number | boolean}`)
  }
  return search.size > 0 ? `${filled}?${search.toString()}` : filled
}

/**
 * Sends one JSON request. Throws an ApiError unless the response is a success. If the server requires
 * re-authentication, opens the dialog for it, and sends the request again once the user has confirmed.
 */
export async function send(
  url: string,
  request: {
    method: string
    body?: unknown
    signal?: AbortSignal | undefined
    /** Lets the request complete even if the page is closed in the meantime (`keepalive`). */
    outlivesPage?: boolean | undefined
    cache?: RequestCache
  },
): Promise<Response> {
  const init: RequestInit = { method: request.method, credentials: 'same-origin' }
  if (request.outlivesPage) init.keepalive = true
  if (request.cache) init.cache = request.cache
  if (request.signal) init.signal = request.signal
  if (request.body !== undefined) {
    init.headers = { 'content-type': 'application/json' }
    init.body = JSON.stringify(request.body)
  }
  await waitForGate(url.split('?')[0]!)
  let response: Response
  try {
    response = await fetch(url, init)
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    reportNoResponse()
    throw new ApiError('network', 0, getNoResponseText())
  }
  reportResponse()
  if (response.ok) return response
  const error = await toApiError(response)
  if (error.code === 'reauthentication_required' && (await requestConfirmation())) {
    return send(url, request)
  }
  throw error
}

function getNoResponseText(): string {
  return navigator.onLine
    ? 'The server cannot be reached. Please check your connection.'
    : 'You are offline. This needs a connection.'
}

/** Converts an unsuccessful response to an ApiError. */
export async function toApiError(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after'))
  const retryAfterSeconds = Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null
  const text = await response.text()
  try {
    const { error } = JSON.parse(text) as {
      error: { code: ErrorCode; message: string; details?: unknown }
    }
    return new ApiError(
      error.code,
      response.status,
      error.message,
      error.details,
      retryAfterSeconds,
    )
  } catch {
    // The response is not in our error format, so it came from a proxy.
    return new ApiError('internal', response.status, 'Something went wrong on our side.')
  }
}
