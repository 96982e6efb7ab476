import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startS3StandIn } from '../../testing/storage/s3-stand-in.ts'
import { describeS3Storage } from '../../testing/storage/s3-storage-compliance.ts'
import { openS3Storage } from './s3-storage.ts'

describeS3Storage('a small S3 server', startS3StandIn)

test("aborts a deletion when the caller's signal is aborted while the store does not respond", async () => {
  let isSilent = false
  const store = createServer((_request, response) => {
    if (!isSilent) response.end('<ListMultipartUploadsResult/>')
  }).listen(0, '127.0.0.1')
  await once(store, 'listening')
  const scratchFolder = await mkdtemp(join(tmpdir(), 'velour-silent-s3-'))
  const storage = await openS3Storage({
    bucket: 'velour',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
    publicEndpoint: null,
    accessKeyId: 'a',
    secretAccessKey: 'b',
    scratchFolder,
  })
  isSilent = true
  const giveUp = new AbortController()
  const deleting = storage.delete('audio/silent/high.m4a', { signal: giveUp.signal })
  store.once('request', () => giveUp.abort())
  await expect(deleting).rejects.toMatchObject({ name: 'StorageError', problem: 'unavailable' })
  storage.close()
  store.closeAllConnections()
  store.close()
  await rm(scratchFolder, { recursive: true })
})
