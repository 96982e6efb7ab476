import { expect, test } from 'vitest'
import { createTestBrowser, readVapid } from '../../testing/push-service.ts'
import { areValidReceiverKeys, encryptPush } from './encrypt-push.ts'
import { authorizePush } from './push-keys.ts'
import { createECDH } from 'node:crypto'

const bytes = (text: string) => Buffer.from(text, 'base64url')

test('reproduces the example in RFC 8291', () => {
  const receiver = {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const message = encryptPush('When I grow up, I want to be a watermelon', receiver, {
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  })
  expect(message.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
  const browser = createTestBrowser({
    privateKey: bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'),
    auth: bytes(receiver.auth),
  })
  expect(browser.keys).toEqual(receiver)
  expect(browser.decrypt(message)).toBe('When I grow up, I want to be a watermelon')
})

test('only the browser with the keys can decrypt a message, and each message has its own salt and sender key', () => {
  const [browser, other] = [createTestBrowser(), createTestBrowser()]
  const [one, two] = [
    encryptPush('Ünïcode 音楽', browser.keys),
    encryptPush('Ünïcode 音楽', browser.keys),
  ]
  expect(browser.decrypt(one)).toBe('Ünïcode 音楽')
  expect(one.subarray(0, 86)).not.toEqual(two.subarray(0, 86))
  expect(() => other.decrypt(one)).toThrow()
})

test.each([
  [createTestBrowser().keys, true],
  [{ ...createTestBrowser().keys, auth: 'short' }, false],
  [{ ...createTestBrowser().keys, p256dh: 'short' }, false],
  // This public key is not a point on the curve P-256.
  [{ ...createTestBrowser().keys, p256dh: Buffer.alloc(65, 4).toString('base64url') }, false],
])('whether %o are valid browser keys: %s', (keys, expected) => {
  expect(areValidReceiverKeys(keys)).toBe(expected)
})

test('creates the authorization header that RFC 8292 specifies', () => {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  const keys = { publicKey, privateKey: pair.getPrivateKey('base64url') }
  const now = new Date('2026-11-25T10:00:00Z')
  const endpoint = 'https://push.example:8443/send/abc?x=1'
  const header = authorizePush(keys, { endpoint, subject: 'https://music.example', now })
  expect(readVapid(header)).toEqual({
    publicKey,
    claims: {
      aud: 'https://push.example:8443',
      exp: now.getTime() / 1000 + 12 * 3600,
      sub: 'https://music.example',
    },
  })
})
