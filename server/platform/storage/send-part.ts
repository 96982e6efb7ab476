// Streams the body of a part to the store. Does not use the S3 client, which leaves an error unhandled if a stream
// fails halfway.
import type { Readable } from 'node:stream'
import { StorageError, enforceSize } from './storage.ts'

/** Maximum time without data from the client or the store. */
const silenceTimeoutMs = 20_000

/**
 * `url` accepts exactly `byteSize` bytes. Throws `wrong_size`, `not_found`, `unavailable`, or the error of the body.
 */
export async function sendPart(url: string, byteSize: number, body: Readable): Promise<void> {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let failure: Error | undefined
  const listen = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceTimeoutMs)
  }
  async function* counted() {
    try {
      for await (const chunk of enforceSize(body, byteSize) as AsyncIterable<Uint8Array>) {
        listen()
        yield chunk
      }
    } catch (error) {
      failure = error as Error
      throw error
    }
  }
  listen()
  try {
    const init: RequestInit & { duplex: 'half' } = {
      method: 'PUT',
      headers: { 'content-length': String(byteSize) },
      body: counted() as unknown as ReadableStream,
      duplex: 'half',
      signal: silence.signal,
    }
    const response = await fetch(url, init).catch((cause: unknown) => {
      throw (
        failure ??
        new StorageError('unavailable', 'The store closed the connection while receiving a part', {
          cause,
        })
      )
    })
    await response.arrayBuffer()
    if (response.status === 404) throw new StorageError('not_found', 'The upload does not exist')
    if (response.status === 429 || response.status >= 500) {
      throw new StorageError('unavailable', `The store responded to a part with ${response.status}`)
    }
    if (!response.ok) throw new Error(`The store refused a part with ${response.status}`)
  } finally {
    clearTimeout(timer)
  }
}
