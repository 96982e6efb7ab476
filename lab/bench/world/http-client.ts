// The HTTP client of the benchmarks. Keeps connections open, reads the whole response and parses nothing.
import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

export interface Ask {
  cookie?: string
  body?: unknown
}

/** Sends a request and returns the response body. Rejects unless the status is 200 or 201. */
export function fetchBody(url: string, { cookie, body }: Ask = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(cookie !== undefined && { cookie }),
        ...(body !== undefined && {
          'content-type': 'application/json',
          origin: new URL(url).origin,
        }),
      },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        if ([200, 201].includes(response.statusCode ?? 0)) return resolve(bytes)
        reject(
          new Error(`${url} returned ${response.statusCode}: ${bytes.toString().slice(0, 300)}`),
        )
      })
    })
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
