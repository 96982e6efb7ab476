// An object in the store, read by ranges. Every read names the version that was opened (If-Match), so that two versions
// never mix. Unlike an open file, it becomes unreadable once it is deleted.
import { GetObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { Readable } from 'node:stream'
import { readTimeout, throwStorageError } from './s3-client.ts'
import { StorageError, type ObjectStat, type OpenObject } from './storage.ts'

/** A request costs as much as transferring this many bytes. */
const leastReadBytes = 64 * 1024

export function openS3Object(
  client: S3Client,
  place: { Bucket: string; Key: string },
  stat: ObjectStat,
): OpenObject {
  return {
    ...stat,
    leastReadBytes,
    async read(targets, position) {
      const wanted = targets.reduce((sum, target) => sum + target.byteLength, 0)
      const end = Math.min(position + wanted, stat.byteSize)
      if (end <= position) return 0
      try {
        const answer = await client.send(
          new GetObjectCommand({
            ...place,
            IfMatch: stat.etag,
            Range: `bytes=${position}-${end - 1}`,
          }),
          readTimeout(),
        )
        // Not every store supports If-Match.
        if (answer.ETag !== stat.etag) throw new Error(`${place.Key} is another object now`)
        return await fill(targets, answer.Body as Readable, end - position)
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

/** Throws when the store returns fewer or more bytes than requested. */
async function fill(targets: Uint8Array[], body: Readable, wanted: number): Promise<number> {
  let filled = 0
  let index = 0
  let offset = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    if (filled + chunk.byteLength > wanted)
      throw new Error('The store sent more than was asked for')
    for (let at = 0; at < chunk.byteLength;) {
      const target = targets[index]!
      const count = Math.min(chunk.byteLength - at, target.byteLength - offset)
      target.set(chunk.subarray(at, at + count), offset)
      at += count
      offset += count
      if (offset === target.byteLength) {
        index++
        offset = 0
      }
    }
    filled += chunk.byteLength
  }
  if (filled < wanted) {
    throw new StorageError('unavailable', 'The store broke off in the middle of an object')
  }
  return filled
}
