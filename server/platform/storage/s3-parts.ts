// Multipart uploads from browsers to the store: each part to a signed URL of the store, or through this server. The
// list of stored parts is always read from the store and never cached.
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  S3ServiceException,
  UploadPartCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { isMissing, throwStorageError } from './s3-client.ts'
import { sendPart } from './send-part.ts'
import {
  StorageError,
  type ObjectPart,
  type PartialObject,
  type StorageParts,
  type StoredPart,
} from './storage.ts'

/** Uploads in parts, for which browsers get signed URLs of the store. */
export interface S3Parts extends StorageParts {
  signedUrl(object: PartialObject, part: ObjectPart, lifetimeSeconds: number): Promise<string>
}

/** Lifetime of a URL that this server uses immediately. */
const proxiedUrlLifetimeSeconds = 60

/** `signing` signs the URLs for browsers. `place` throws for invalid keys. */
export function createS3Parts(options: {
  client: S3Client
  signing: S3Client
  place: (key: string) => { Bucket: string; Key: string }
}): S3Parts {
  const { client, signing, place } = options

  function sign(
    by: S3Client,
    { key, uploadId }: PartialObject,
    { number, byteSize }: ObjectPart,
    expiresIn: number,
  ): Promise<string> {
    const command = new UploadPartCommand({
      ...place(key),
      UploadId: uploadId,
      PartNumber: number,
      ContentLength: byteSize,
    })
    // The length is part of the signature, so the store refuses a body of another length.
    return getSignedUrl(by, command, {
      expiresIn,
      signableHeaders: new Set(['content-length', 'host']),
    })
  }

  return {
    onDisk: false,

    async begin(key) {
      const { UploadId } = await client
        .send(new CreateMultipartUploadCommand(place(key)))
        .catch((error: unknown) => throwStorageError(key, error))
      if (!UploadId) throw new Error('The store returned no upload id')
      return UploadId
    },

    signedUrl: async (object, part, lifetimeSeconds) =>
      sign(signing, object, part, lifetimeSeconds),

    async put(object, part, body) {
      await sendPart(
        await sign(client, object, part, proxiedUrlLifetimeSeconds),
        part.byteSize,
        body,
      )
    },

    async list({ key, uploadId }) {
      const found: StoredPart[] = []
      let after: string | undefined
      do {
        const page = await client
          .send(
            new ListPartsCommand({ ...place(key), UploadId: uploadId, PartNumberMarker: after }),
          )
          .catch((error: unknown) => throwStorageError(key, error))
        for (const { PartNumber, Size, ETag } of page.Parts ?? []) {
          if (PartNumber === undefined || Size === undefined || !ETag) continue
          found.push({ number: PartNumber, byteSize: Size, etag: ETag })
        }
        // Some stores return a marker on the last page too, with which the SDK's own pagination would never end.
        after = page.IsTruncated ? page.NextPartNumberMarker : undefined
      } while (after !== undefined)
      return found.toSorted((a, b) => a.number - b.number)
    },

    async complete({ key, uploadId }, parts) {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }))
      const input = { ...place(key), UploadId: uploadId, MultipartUpload: { Parts } }
      await client.send(new CompleteMultipartUploadCommand(input)).catch((cause: unknown) => {
        if (!isAboutParts(cause)) throwStorageError(key, cause)
        throw new StorageError('wrong_parts', `The parts of ${key} differ`, { cause })
      })
    },
  }
}

function isAboutParts(error: unknown): boolean {
  const names = ['InvalidPart', 'InvalidPartOrder', 'EntityTooSmall', 'MalformedXML']
  return error instanceof S3ServiceException && names.includes(error.name)
}

/** Aborts unfinished multipart uploads: those of one key, or all that began before a point in time. */
export async function abortUnfinished(
  client: S3Client,
  options: {
    Bucket: string
    key?: string
    prefix?: string
    before?: Date
    signal?: AbortSignal
  },
): Promise<void> {
  const { Bucket, key, prefix = '', before, signal: abortSignal } = options
  const { Uploads = [] } = await client
    .send(new ListMultipartUploadsCommand({ Bucket, Prefix: key ?? (prefix || undefined) }), {
      abortSignal,
    })
    .catch((error: unknown) => {
      // Some small stores do not implement this listing.
      if (error instanceof S3ServiceException && error.name === 'NotImplemented') {
        return { Uploads: [] }
      }
      return throwStorageError(key ?? Bucket, error)
    })
  for (const { Key, UploadId, Initiated } of Uploads) {
    if (key !== undefined && Key !== key) continue
    if (before && (!Initiated || Initiated >= before)) continue
    await client
      .send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal })
      .catch((error: unknown) => {
        // Ignored if the upload was completed or aborted concurrently.
        if (!isMissing(error)) throwStorageError(Key ?? Bucket, error)
      })
  }
}
