// Verifies our signatures with the official Standard Webhooks package.
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { generateWebhookSecret, signWebhook } from './sign-webhook.ts'

const body = JSON.stringify({ type: 'member.joined', data: { name: 'Ü 音楽' } })
const sign = (secrets: string[], now = new Date()) =>
  signWebhook(secrets, { id: 'evt_1', body, now })

test('the package standardwebhooks accepts our signatures', () => {
  const secret = generateWebhookSecret()
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(new Webhook(secret).verify(body, sign([secret]))).toEqual(JSON.parse(body))
  const now = new Date(1_700_000_000_000)
  expect(sign([secret], now)['webhook-signature']).toBe(
    new Webhook(secret).sign('evt_1', now, body),
  )
})

test('the package standardwebhooks rejects a signature for another secret, body or time', () => {
  const secret = generateWebhookSecret()
  const headers = sign([secret])
  expect(() => new Webhook(generateWebhookSecret()).verify(body, headers)).toThrow('No matching')
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching')
  const early = sign([secret], new Date(Date.now() - 3600_000))
  expect(() => new Webhook(secret).verify(body, early)).toThrow('too old')
})

test('a message can be verified with the old and the new secret during a rotation', () => {
  const [fresh, old] = [generateWebhookSecret(), generateWebhookSecret()]
  const headers = sign([fresh, old])
  expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/)
  for (const secret of [fresh, old]) expect(new Webhook(secret).verify(body, headers)).toBeTruthy()
})
