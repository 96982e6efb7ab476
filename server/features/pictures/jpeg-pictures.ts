// Converts covers and avatars to JPEG on request, for apps, feeds and link previews that support neither WebP nor AVIF.
// Only the formats that browsers load are stored.
import type { FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { PictureSize } from '#contract/fields/pictures.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { convertToJpeg } from '../../platform/pictures/images.ts'
import { isStorageError, type Storage } from '../../platform/storage/storage.ts'
import { pictureKey, type PictureKind } from './store-picture.ts'

export interface JpegPictures {
  /** Throws `not_found` if there is no such picture. */
  send: (
    reply: FastifyReply,
    picture: { kind: PictureKind; id: string; size: PictureSize },
    cacheControl: string,
  ) => Promise<FastifyReply>
}

const maxBytes = 8 * 1024 * 1024
const cacheLifetimeMs = 10 * 60_000

export function createJpegPictures({ storage }: { storage: Storage }): JpegPictures {
  const converted = new LRUCache<string, Uint8Array>({
    maxSize: maxBytes,
    sizeCalculation: (bytes) => bytes.length,
    ttl: cacheLifetimeMs,
    // Concurrent requests for one picture share a single conversion.
    fetchMethod: async (key) => convertToJpeg(await storage.read(key)),
  })

  async function read(key: string): Promise<Uint8Array> {
    try {
      return await converted.forceFetch(key)
    } catch (error) {
      if (isStorageError(error, 'not_found')) throw new AppError('not_found', { cause: error })
      throw error
    }
  }

  return {
    async send(reply, { kind, id, size }, cacheControl) {
      const bytes = await read(pictureKey(kind, id, size, 'webp'))
      return reply.header('cache-control', cacheControl).type('image/jpeg').send(Buffer.from(bytes))
    },
  }
}
