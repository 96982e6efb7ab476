// Objects in an S3-compatible store. Large objects are uploaded in parts and become visible when the upload is
// completed. A killed process leaves only parts, which are removed when their key is deleted. The local disk is used
// only for unfinished work.
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat as statFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { createS3Client, isMissing, readTimeout, throwStorageError } from './s3-client.ts'
import type { S3Options } from '../config/s3-options.ts'
import { openS3Object } from './s3-object.ts'
import { abortUnfinished, createS3Parts, type S3Parts } from './s3-parts.ts'
import { openScratchFolders, type ScratchFolders } from './scratch-folders.ts'
import {
  StorageError,
  enforceSize,
  installationFile,
  isStorageError,
  storageKey,
  storagePrefix,
  createWrongSizeError,
  type ObjectStat,
  type Storage,
} from './storage.ts'

const partBytes = 8 * 1024 * 1024
const maxConcurrentParts = 2
/** Longer than the lifetime of any upload, so older ones are no longer needed. */
const unfinishedAfterMs = 8 * 24 * 3_600_000

interface Store {
  client: S3Client
  /** Signs URLs for browsers. */
  signing: S3Client
  scratch: ScratchFolders
  bucket: string
  /** Prefix of every key in the bucket. */
  root: string
  place: (key: string) => { Bucket: string; Key: string }
  /** The object with the installation id. */
  mark: { Bucket: string; Key: string }
}

export type S3Storage = Storage & { parts: S3Parts; close: () => void }

/** Opens the store and empties `scratchFolder`. Throws if the bucket cannot be reached with these credentials. */
export async function openS3Storage(
  options: S3Options & { scratchFolder: string },
): Promise<S3Storage> {
  const { bucket, prefix: root = '' } = options
  const client = createS3Client(options)
  // URLs for browsers are signed for the host that browsers use, because the host is part of the signature.
  const signing = options.publicEndpoint ? createS3Client(options, options.publicEndpoint) : client
  const scratch = await openScratchFolders(options.scratchFolder)
  await abortOldUploads(client, bucket, root)
  const place = (key: string) => ({ Bucket: bucket, Key: root + storageKey(key) })
  const mark = { Bucket: bucket, Key: root + installationFile }
  const store = { client, signing, scratch, bucket, root, place, mark }
  return {
    ...createReader(store),
    ...createWriter(store),
    ...createInstallationMark(store),
    withScratchFolder: scratch.withFolder,
    parts: createS3Parts({ client, signing, place }),
    close() {
      client.destroy()
      signing.destroy()
    },
  }
}

/** Aborts old uploads of keys that are never deleted, such as those of an aborted restore. */
async function abortOldUploads(client: S3Client, Bucket: string, prefix: string): Promise<void> {
  const before = new Date(Date.now() - unfinishedAfterMs)
  await abortUnfinished(client, { Bucket, prefix, before }).catch((error: unknown) => {
    if (!isStorageError(error, 'not_found')) throw error
    throw new StorageError(
      'not_found',
      `The store has no bucket "${Bucket}": create one that is private, or check S3_BUCKET, S3_ENDPOINT and S3_REGION.`,
      { cause: error },
    )
  })
}

async function findObject({ client, place }: Store, key: string): Promise<ObjectStat | null> {
  try {
    const head = await client.send(new HeadObjectCommand(place(key)), readTimeout())
    return {
      byteSize: head.ContentLength ?? 0,
      etag: head.ETag ?? '',
      lastModified: head.LastModified ?? new Date(0),
    }
  } catch (error) {
    return isMissing(error) ? null : throwStorageError(key, error)
  }
}

async function readObject(store: Store, key: string): Promise<ObjectStat> {
  const found = await findObject(store, key)
  if (!found) throw new StorageError('not_found', `No object ${key}`)
  return found
}

function createReader(
  store: Store,
): Pick<Storage, 'open' | 'read' | 'stat' | 'list' | 'withLocalFile' | 'signedUrl'> {
  const { client, signing, scratch, bucket, root, place, mark } = store
  return {
    open: async (key) => openS3Object(client, place(key), await readObject(store, key)),

    async read(key) {
      try {
        const response = await client.send(new GetObjectCommand(place(key)))
        return Buffer.from(await response.Body!.transformToByteArray())
      } catch (error) {
        return throwStorageError(key, error)
      }
    },

    stat: async (key) => findObject(store, storageKey(key)),

    async *list(prefix) {
      const query = { Bucket: bucket, Prefix: root + storagePrefix(prefix) }
      for await (const page of paginateListObjectsV2({ client }, query)) {
        for (const { Key } of page.Contents ?? [])
          if (Key && Key !== mark.Key) yield Key.slice(root.length)
      }
    },

    async withLocalFile(key, use) {
      const from = place(key)
      return scratch.withFolder(async (folder) => {
        const path = join(folder, key.split('/').at(-1)!)
        try {
          const response = await client.send(new GetObjectCommand(from))
          const body = enforceSize(response.Body as Readable, response.ContentLength)
          await pipeline(body, createWriteStream(path))
        } catch (error) {
          // The length is from the store itself, so a shorter body means that the connection was lost.
          if (!isStorageError(error, 'wrong_size')) return throwStorageError(key, error)
          const message = `The store closed the connection within ${key}`
          throw new StorageError('unavailable', message, { cause: error })
        }
        return use(path)
      })
    },

    async signedUrl(key, { mime, cacheControl, lifetimeSeconds }) {
      const command = new GetObjectCommand({
        ...place(key),
        ResponseContentType: mime,
        ResponseCacheControl: cacheControl,
      })
      return getSignedUrl(signing, command, { expiresIn: lifetimeSeconds })
    },
  }
}

function createWriter(store: Store): Pick<Storage, 'put' | 'putFile' | 'delete'> {
  const { client, bucket, place } = store
  async function upload(key: string, body: Readable): Promise<ObjectStat> {
    const parts = new Upload({
      client,
      params: { ...place(key), Body: body, ContentType: getContentType(key) },
      partSize: partBytes,
      queueSize: maxConcurrentParts,
    })
    await parts.done().catch((error: unknown) => throwStorageError(key, error))
    return readObject(store, key)
  }
  return {
    async put(key, body, { byteSize } = {}) {
      storageKey(key)
      if (!(body instanceof Uint8Array)) return upload(key, enforceSize(body, byteSize))
      if (byteSize !== undefined && body.byteLength !== byteSize)
        throw createWrongSizeError(byteSize)
      await client
        .send(new PutObjectCommand({ ...place(key), Body: body, ContentType: getContentType(key) }))
        .catch((error: unknown) => throwStorageError(key, error))
      return readObject(store, key)
    },

    async putFile(key, path, { byteSize } = {}) {
      storageKey(key)
      const { size } = await statFile(path)
      if (byteSize !== undefined && size !== byteSize) throw createWrongSizeError(byteSize)
      const stored = await upload(key, enforceSize(createReadStream(path), size))
      await rm(path)
      return stored
    },

    async delete(key, { signal } = {}) {
      await abortUnfinished(client, { Bucket: bucket, key: place(key).Key, signal })
      await client
        .send(new DeleteObjectCommand(place(key)), { abortSignal: signal })
        .catch((error: unknown) => throwStorageError(key, error))
    },
  }
}

function createInstallationMark({
  client,
  mark,
}: Store): Pick<Storage, 'readInstallationId' | 'writeInstallationId'> {
  return {
    async readInstallationId() {
      try {
        const response = await client.send(new GetObjectCommand(mark), readTimeout())
        return await response.Body!.transformToString()
      } catch (error) {
        return isMissing(error) ? null : throwStorageError(installationFile, error)
      }
    },
    async writeInstallationId(id) {
      await client
        .send(new PutObjectCommand({ ...mark, Body: id }))
        .catch((error: unknown) => throwStorageError(installationFile, error))
    },
  }
}

const types: Record<string, string> = {
  m4a: 'audio/mp4',
  avif: 'image/avif',
  webp: 'image/webp',
}

/**
 * The content type, for other servers that send the object, such as a CDN. Undefined for objects that only this
 * server sends.
 */
function getContentType(key: string): string | undefined {
  return types[key.split('.').at(-1) ?? '']
}
