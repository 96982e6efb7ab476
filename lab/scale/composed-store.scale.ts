// Tests the object store of compose.scale.yaml when it is empty: servers report that the bucket is missing, and a
// service of the file creates the bucket.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openS3Storage } from '#server/platform/storage/s3-storage.ts'
import { startSwift } from '#server/testing/storage/swift-server.ts'

test('a missing bucket is reported and can be created, and creating it again keeps its objects', async () => {
  const store = await startSwift()
  const scratchFolder = await mkdtemp(join(tmpdir(), 'velour-no-bucket-'))
  const options = { ...store.options, bucket: 'not-yet', scratchFolder }
  const env = {
    S3_BUCKET: options.bucket,
    S3_ENDPOINT: options.endpoint!,
    S3_ACCESS_KEY_ID: options.accessKeyId,
    S3_SECRET_ACCESS_KEY: options.secretAccessKey,
  }
  const program = join(import.meta.dirname, '../../server/commands/make-bucket.ts')
  const make = () => promisify(execFile)(process.execPath, [program], { env })
  try {
    await expect(openS3Storage(options)).rejects.toThrow('The store has no bucket "not-yet"')
    await make()
    const storage = await openS3Storage(options)
    await storage.put('audio/first/high.m4a', Buffer.from('kept'))
    await make()
    expect((await storage.read('audio/first/high.m4a')).toString()).toBe('kept')
    storage.close()
  } finally {
    await store.close()
    await rm(scratchFolder, { recursive: true })
  }
})
