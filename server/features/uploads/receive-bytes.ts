// Yields the body of a request, and reports its bytes as they arrive.
import type { Readable } from 'node:stream'
import { AppError } from '../../platform/operations/app-error.ts'

/** Awaits `onChunk` for each chunk and passes on its errors. Throws `payload_too_large` above `limit` bytes. */
export async function* receiveBytes(
  body: Readable,
  limit: number,
  onChunk: () => Promise<void>,
): AsyncGenerator<Buffer> {
  let received = 0
  // Do not destroy the request when the loop ends early: the client must be able to read the response.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received += chunk.length
    if (received > limit) throw new AppError('payload_too_large')
    await onChunk()
    yield chunk
  }
}
