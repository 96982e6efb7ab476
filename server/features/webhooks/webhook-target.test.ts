import { expect, test } from 'vitest'
import { readConfig } from '../../platform/config/config.ts'
import { findWebhookUrlError } from './webhook-target.ts'

const local = readConfig({})
const open = { ...local, publicUrl: 'https://music.example' }
const lenient = readConfig({ WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' })

test.each([
  'http://hooks.example/in',
  'ftp://hooks.example/in',
  'javascript:alert(1)',
  'https://user@hooks.example/in',
  'https://user:word@hooks.example/in',
])('a public service rejects the URL %s', (url) => {
  expect(findWebhookUrlError(open, url)).toBe('webhook_url_refused')
})

test.each([
  'https://localhost/in',
  'https://api.localhost/in',
  'https://127.0.0.1:3000/in',
  'https://2130706433/in',
  'https://0x7f.1/in',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::1]/in',
  'https://[::ffff:10.0.0.1]/in',
  'https://[fd00:ec2::254]/in',
  'https://0/in',
])('rejects a URL with a private address: %s', (url) => {
  expect(findWebhookUrlError(open, url)).toBe('webhook_url_private')
  expect(findWebhookUrlError(local, url)).toBe('webhook_url_private')
  expect(findWebhookUrlError(lenient, url)).toBeNull()
})

test('allows https URLs for any service, and http URLs only for a service that is reachable only from this machine', () => {
  expect(findWebhookUrlError(open, 'https://hooks.example:8443/in?a=b')).toBeNull()
  expect(findWebhookUrlError(local, 'http://hooks.example/in')).toBeNull()
  expect(
    findWebhookUrlError({ ...open, webhooksToPrivateAddresses: true }, 'http://10.0.0.1/'),
  ).toBe('webhook_url_refused')
})
