// Tests a store without CORS rules per bucket. In its own configuration, the operator sets which origins may upload
// parts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSwift, type SwiftServer } from '../../testing/storage/swift-server.ts'
import { createS3Client } from './s3-client.ts'
import { allowBrowsers } from './s3-cors.ts'
import { createS3Parts } from './s3-parts.ts'

const site = 'https://music.example.com'
let store: SwiftServer

beforeAll(async () => {
  store = await startSwift()
})
afterAll(() => store.close())

test('allowBrowsers sends a preflight request like a browser', async () => {
  expect(await allowBrowsers(store.options, site)).toBe(true)
  const elsewhere = { ...store.options, publicEndpoint: 'http://127.0.0.1:1' }
  expect(await allowBrowsers(elsewhere, site)).toBe(false)
})

test('allows a page to read the response', async () => {
  const client = createS3Client(store.options)
  const place = (Key: string) => ({ Bucket: store.options.bucket, Key })
  const parts = createS3Parts({ client, signing: client, place })
  const key = 'uploads/audio/x/song.wav'
  const object = { key, uploadId: await parts.begin(key) }
  const url = await parts.signedUrl(object, { number: 1, byteSize: 4 }, 60)
  const response = await fetch(url, { method: 'PUT', body: 'wave', headers: { origin: site } })
  expect(response.status).toBe(200)
  expect(['*', site]).toContain(response.headers.get('access-control-allow-origin'))
  expect(response.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('etag')
  client.destroy()
})
