// An object in the store, read in ranges. Every read requires the version that was opened (If-Match), so that data of
// two versions is never mixed. Unlike an open file, the object becomes unreadable when it is deleted.
import { GetObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { readTimeout, throwStorageError } from './s3-client.ts'
import { StorageError, type ObjectStat, type OpenObject } from './storage.ts'

/** Smaller reads take as long, because the request itself takes as long as transferring this many bytes. */
const minReadBytes = 64 * 1024

export function openS3Object(
  client: S3Client,
  place: { Bucket: string; Key: string },
  stat: ObjectStat,
): OpenObject {
  return {
    ...stat,
    minReadBytes,
    async read(target, position) {
      const end = Math.min(position + target.length, stat.byteSize)
      if (end <= position) return 0
      try {
        const response = await client.send(
          new GetObjectCommand({
            ...place,
            IfMatch: stat.etag,
            Range: `bytes=${position}-${end - 1}`,
          }),
          readTimeout(),
        )
        // Compared here as well, because some stores ignore If-Match.
        if (response.ETag !== stat.etag) throw new Error(`${place.Key} is another object now`)
        return await fill(target.subarray(0, end - position), response.Body as Readable)
      } catch (error) {
        if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 412) {
          throw new Error(`${place.Key} is another object now`, { cause: error })
        }
        return throwStorageError(place.Key, error)
      }
    },
    async close() {},
  }
}

/** Reads the body into `target`. Throws if the store returns fewer or more bytes than requested. */
async function fill(target: Uint8Array, body: Readable): Promise<number> {
  let filled = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    if (filled + chunk.length > target.length) {
      throw new Error('The store sent more bytes than requested')
    }
    target.set(chunk, filled)
    filled += chunk.length
  }
  if (filled < target.length) {
    throw new StorageError(
      'unavailable',
      'The store closed the connection in the middle of an object',
    )
  }
  return filled
}
