// Requirements of our storage for every S3-compatible server. The test of each server calls this once.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { HeadObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { S3Server } from './s3-server.ts'
import { describeStorageParts } from './parts-compliance.ts'
import { describeSignedParts } from './s3-parts-compliance.ts'
import { createS3Client } from '../../platform/storage/s3-client.ts'
import { openS3Storage } from '../../platform/storage/s3-storage.ts'
import { describeStorage } from './storage-compliance.ts'

export function describeS3Storage(name: string, start: () => Promise<S3Server>): void {
  describe(`S3 storage on ${name}`, () => {
    let folder: string
    let server: S3Server

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'velour-s3-storage-'))
      server = await start()
    })
    afterAll(async () => {
      await server.close()
      await rm(folder, { recursive: true })
    })

    const openFor = async (name: string) => {
      const scratchFolder = join(folder, name)
      const storage = await openS3Storage({ ...server.options, scratchFolder })
      return {
        storage,
        countUnfinished: async () =>
          (await server.countUnfinished()) + (await readdir(scratchFolder)).length,
        close: async () => storage.close(),
      }
    }
    describeStorage('compliance', () => openFor('compliance'))
    describeStorageParts('compliance of parts', () => openFor('compliance-of-parts'))

    test('uploads an object larger than a part in parts, and reads it whole and by ranges', async () => {
      const storage = await openS3Storage({
        ...server.options,
        scratchFolder: join(folder, 'parts'),
      })
      const bytes = randomBytes(20_000_003)
      const stored = await storage.put('audio/long/high.m4a', Readable.from(slices(bytes)), {
        byteSize: bytes.length,
      })
      expect(stored.byteSize).toBe(bytes.length)
      const object = await storage.open('audio/long/high.m4a')
      const target = Buffer.alloc(70_000)
      await object.read(target, 8_388_600)
      expect(target.equals(bytes.subarray(8_388_600, 8_458_600))).toBe(true)
      expect((await storage.read('audio/long/high.m4a')).equals(bytes)).toBe(true)
      storage.close()
    })

    test('a signed URL gives access to ranges of one object', async () => {
      const storage = await openS3Storage({
        ...server.options,
        scratchFolder: join(folder, 'signed'),
      })
      await storage.put('audio/signed/high.m4a', Buffer.from('0123456789'))
      const url = await storage.signedUrl('audio/signed/high.m4a', {
        mime: 'audio/mp4',
        cacheControl: 'private, no-cache',
        lifetimeSeconds: 60,
      })
      expect(new URL(url!).searchParams.get('X-Amz-Expires')).toBe('60')
      const response = await fetch(url!, { headers: { range: 'bytes=3-5' } })
      expect(response.status).toBe(206)
      expect(response.headers.get('content-type')).toBe('audio/mp4')
      expect(response.headers.get('cache-control')).toBe('private, no-cache')
      expect(await response.text()).toBe('345')
      storage.close()
    })

    test('stores the content type of audio, for other servers of the object', async () => {
      const { options } = server
      const storage = await openS3Storage({ ...options, scratchFolder: join(folder, 'types') })
      const key = 'audio/typed/high.m4a'
      const object = { Bucket: options.bucket, Key: key }
      const client = createS3Client(options)
      for (const body of [Buffer.from('bytes'), Readable.from(['a stream'])]) {
        await storage.put(key, body)
        const { ContentType } = await client.send(new HeadObjectCommand(object))
        expect(ContentType).toBe('audio/mp4')
      }
      client.destroy()
      storage.close()
    })

    describeSignedParts(async () => {
      const scratchFolder = join(folder, 'others')
      return { server, storage: await openS3Storage({ ...server.options, scratchFolder }) }
    })

    test('an unreachable store is reported as unavailable, not empty', async () => {
      const own = await start()
      const storage = await openS3Storage({ ...own.options, scratchFolder: join(folder, 'away') })
      await storage.put('audio/away/high.m4a', Buffer.from('x'))
      await own.close()
      const unavailable = expect.objectContaining({ name: 'StorageError', problem: 'unavailable' })
      await expect(storage.stat('audio/away/high.m4a')).rejects.toEqual(unavailable)
      await expect(storage.read('audio/away/high.m4a')).rejects.toEqual(unavailable)
      await expect(storage.put('audio/away/2.m4a', Buffer.from('x'))).rejects.toEqual(unavailable)
      await expect(storage.delete('audio/away/high.m4a')).rejects.toEqual(unavailable)
      storage.close()
    })
  })
}

function* slices(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
}
