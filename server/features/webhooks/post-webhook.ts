// Sends one webhook request. Does not follow redirects, reads only the start of the response, times out after ten
// seconds, and connects to no private address.
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { errors } from '#contract/errors.ts'
import {
  describeConnectionError,
  lookupPublic,
  PrivateAddressError,
} from '../../platform/security/public-lookup.ts'
import { findWebhookUrlError, type TargetConfig } from './webhook-target.ts'

export const attemptTimeoutMs = 10_000
const readBytes = 1000

export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string | Buffer
}

export interface WebhookResponse {
  /** The HTTP status. Null if there was no response. */
  status: number | null
  /** The start of the response body. */
  body: string | null
  error: string | null
  durationMs: number
}

/**
 * Sends the request. Returns connection errors and timeouts in the response instead of throwing them. If `signal` is
 * aborted, throws its reason.
 */
export async function postWebhook(
  config: TargetConfig,
  request: WebhookRequest,
  signal: AbortSignal,
): Promise<WebhookResponse> {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(attemptTimeoutMs)
  const end = (answer: Omit<WebhookResponse, 'durationMs'>) => ({
    ...answer,
    durationMs: Math.round(performance.now() - startedAt),
  })
  const refusal = findWebhookUrlError(config, request.url)
  if (refusal !== null) return end({ status: null, body: null, error: errors[refusal][1] })
  try {
    const response = await sendRequest(config, request, AbortSignal.any([signal, timeout]))
    const { statusCode: status = 0 } = response
    const body = await readStart(response)
    const isRedirect = status >= 300 && status < 400
    return end({ status, body, error: isRedirect ? 'Redirects are not followed.' : null })
  } catch (error) {
    signal.throwIfAborted()
    const reason = timeout.aborted
      ? `There was no response within ${attemptTimeoutMs / 1000} seconds.`
      : describeError(error)
    return end({ status: null, body: null, error: reason })
  }
}

async function sendRequest(
  config: TargetConfig,
  { url, headers, body }: WebhookRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'accept-encoding': 'identity',
      'user-agent': 'Velour-Webhooks',
      ...headers,
    },
    // Do not reuse connections, because a reused connection would skip the check of the address.
    agent: false as const,
    signal,
    ...(!config.webhooksToPrivateAddresses && { lookup: lookupPublic }),
  }
  const request: ClientRequest = url.startsWith('https:')
    ? https.request(url, options)
    : http.request(url, options)
  request.once('response', resolve).on('error', reject).end(body)
  return promise
}

/**
 * Reads the start of the response body. A body that is too long or ends early is not an error, because only the status
 * counts.
 */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= readBytes) break
    }
  } catch (error) {
    chunks.push(Buffer.from(` [${describeError(error)}]`))
  }
  // PostgreSQL cannot store NUL in text.
  return Buffer.concat(chunks).subarray(0, readBytes).toString('utf8').replaceAll('\0', '')
}

function describeError(error: unknown): string {
  if (error instanceof PrivateAddressError) return errors.webhook_url_private[1]
  return describeConnectionError(error)
}
