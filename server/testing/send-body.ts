// Sends raw bytes, for tests whose headers contradict the body. Unlike `fetch`, it does not correct a wrong or
// missing length.
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import type { ErrorBody } from '#contract/errors.ts'

export interface BodyResponse {
  status: number
  /** The error code. Null if there is none. */
  code: string | null
  headers: Record<string, string | string[] | undefined>
}

/**
 * Sends a request. A stream is sent in chunks. A buffer is sent with its own length, unless `headers` contains
 * another one.
 */
export function sendBody(options: {
  url: string
  method: string
  headers: Record<string, string>
  body: Buffer | Readable | null
}): Promise<BodyResponse> {
  const { url, method, body } = options
  const length = Buffer.isBuffer(body) ? { 'content-length': String(body.length) } : {}
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: { ...length, ...options.headers } })
    request.on('error', reject)
    request.on('response', (response) => {
      text(response).then((said) => {
        const code = said ? (JSON.parse(said) as ErrorBody).error.code : null
        resolve({ status: response.statusCode ?? 0, code, headers: response.headers })
      }, reject)
    })
    if (body instanceof Readable) body.pipe(request)
    else request.end(body)
  })
}
