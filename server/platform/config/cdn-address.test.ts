// Verifies signed URLs in the same way as each CDN does.
import { createHmac, createVerify, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { signCdnUrl } from './cdn-address.ts'

const store = { S3_BUCKET: 'velour', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
const key = 'audio/0191a0c0/high-1.m4a'
const nowMs = Date.UTC(2026, 10, 21)
const when = { nowMs, lifetimeSeconds: 900 }

test('signs the URL with a key pair, with a policy for this URL and lifetime', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  for (const CDN_PRIVATE_KEY of [pem, Buffer.from(pem).toString('base64')]) {
    const { cdn } = readConfig({
      ...store,
      CDN_URL: 'https://d111.cloudfront.net/',
      CDN_KEY_PAIR_ID: 'K2JC',
      CDN_PRIVATE_KEY,
    })
    const address = new URL(signCdnUrl(cdn!, key, when))
    expect(address.origin + address.pathname).toBe(`https://d111.cloudfront.net/${key}`)
    const given = (name: string) => address.searchParams.get(name) ?? ''
    expect(Number(given('Expires'))).toBe(nowMs / 1000 + 900)
    expect([given('Key-Pair-Id'), given('Hash-Algorithm')]).toEqual(['K2JC', 'SHA256'])
    expect(given('Signature')).toMatch(/^[\w~-]+$/)
    const letters: Record<string, string> = { '-': '+', _: '=', '~': '/' }
    const signature = given('Signature').replaceAll(/[-_~]/g, (letter) => letters[letter]!)
    const isSigned = (resource: string, expires: string) =>
      createVerify('RSA-SHA256')
        .update(
          `{"Statement":[{"Resource":"${resource}","Condition":{"DateLessThan":{"AWS:EpochTime":${expires}}}}]}`,
        )
        .verify(publicKey, signature, 'base64')
    const [resource = ''] = address.href.split('?')
    expect(isSigned(resource, given('Expires'))).toBe(true)
    expect(isSigned(resource, String(Number(given('Expires')) + 1))).toBe(false)
    expect(isSigned(resource.replace('high', 'low'), given('Expires'))).toBe(false)
  }
})

test('signs the path and the plain timestamp with an HMAC', () => {
  const { cdn } = readConfig({
    ...store,
    CDN_URL: 'https://audio.example.com/velour',
    CDN_SECRET: 'of both',
  })
  const address = new URL(signCdnUrl(cdn!, key, when))
  expect(address.pathname).toBe(`/velour/${key}`)
  const [, time, mac] = /^(\d+)-(.+)$/.exec(address.searchParams.get('verify') ?? '') ?? []
  expect(Number(time)).toBe(nowMs / 1000)
  const wanted = createHmac('sha256', 'of both').update(`${address.pathname}${time}`)
  expect(mac).toBe(wanted.digest('base64'))
  // The 8 characters `?verify=` are between path and timestamp, as configured in the CDN's rule.
  expect(address.href.split(time!)[0]!.endsWith(`${key}?verify=`)).toBe(true)
})
