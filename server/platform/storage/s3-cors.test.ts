// Tests the CORS rule that allows browsers to upload parts, with a store that enforces it.
import {
  GetBucketCorsCommand,
  PutBucketCorsCommand,
  type CORSRule,
  type S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { S3Server } from '../../testing/storage/s3-server.ts'
import { startS3StandIn } from '../../testing/storage/s3-stand-in.ts'
import { createS3Client } from './s3-client.ts'
import { allowBrowsers, buildCorsRule } from './s3-cors.ts'
import { storeOrigins } from '../config/s3-options.ts'
import { createS3Parts } from './s3-parts.ts'

const site = 'https://music.example.com'
let store: S3Server
let client: S3Client

beforeAll(async () => {
  store = await startS3StandIn()
  client = createS3Client(store.options)
})
afterAll(async () => {
  client.destroy()
  await store.close()
})

const Bucket = 'velour'
const setRules = (CORSRules: CORSRule[]) =>
  client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }))
const rules = async () => (await client.send(new GetBucketCorsCommand({ Bucket }))).CORSRules ?? []
const partUrl = () =>
  createS3Parts({ client, signing: client, place: (Key) => ({ Bucket, Key }) }).signedUrl(
    { key: 'uploads/audio/x/song.wav', uploadId: 'x' },
    { number: 1, byteSize: 4 },
    60,
  )
/** Sends the preflight request that precedes the upload of a part in a browser. */
const preflight = async (origin: string) =>
  fetch(await partUrl(), {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PUT' },
  })

beforeEach(() =>
  setRules([{ AllowedOrigins: ['https://other.test'], AllowedMethods: ['GET'], ID: 'theirs' }]),
)

test('allows browsers to upload parts only from our pages', async () => {
  expect((await preflight(site)).status).toBe(403)
  expect(await allowBrowsers(store.options, site)).toBe(true)
  expect((await preflight(site)).status).toBe(200)
  expect((await preflight('https://evil.test')).status).toBe(403)
})

test("keeps other rules and updates ours when the site's address changes", async () => {
  await allowBrowsers(store.options, 'https://old.example.com')
  await allowBrowsers(store.options, site)
  expect((await rules()).map(({ AllowedOrigins }) => AllowedOrigins)).toEqual([
    ['https://other.test'],
    [site],
  ])
})

test('leaves an existing rule unchanged if it already allows the upload', async () => {
  const existingRule = { AllowedOrigins: ['*'], AllowedMethods: ['PUT', 'GET'], MaxAgeSeconds: 5 }
  await setRules([existingRule])
  expect(await allowBrowsers(store.options, site)).toBe(true)
  expect(await rules()).toMatchObject([{ AllowedOrigins: ['*'], MaxAgeSeconds: 5 }])
  expect(buildCorsRule(site).AllowedMethods).toContain('PUT')
})

test.each([
  ['velour', null],
  // Amazon's certificates cover only one level of subdomains, so a bucket name with a dot goes into the path.
  ['music.velour', null],
  ['velour', 'https://store.example.com:9000'],
])('the content security policy allows the URLs of bucket %s at %s', async (bucket, endpoint) => {
  const options = { ...store.options, bucket, endpoint, region: 'eu-central-1' }
  const own = createS3Client(options)
  const place = (Key: string) => ({ Bucket: bucket, Key })
  const url = await createS3Parts({ client: own, signing: own, place }).signedUrl(
    { key: 'uploads/audio/x/song.wav', uploadId: 'x' },
    { number: 1, byteSize: 4 },
    60,
  )
  expect(storeOrigins(options)).toEqual([new URL(url).origin])
})
