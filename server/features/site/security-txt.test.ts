import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { defaultContactEmail } from '../../platform/config/config.ts'
import { createTestApp } from '../../testing/test-app.ts'
import { securityTxtRoutes } from './security-txt.ts'

const at = '/.well-known/security.txt'
const publicUrl = 'https://music.example'

async function read(contact_email: string): Promise<string> {
  const app = Fastify()
  const now = () => new Date('2026-11-22T23:00:00Z')
  const branding = () => ({ contact_email })
  securityTxtRoutes(app, { config: { publicUrl }, branding, now })
  return (await app.inject(at)).body
}

test('contains the contact, the expiry date, the language and its own URL', async () => {
  expect(await read('security+hole@music.example')).toBe(
    [
      'Contact: mailto:security%2Bhole@music.example',
      'Expires: 2027-05-21T00:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://music.example/.well-known/security.txt',
      '',
    ].join('\n'),
  )
})

test('without CONTACT_EMAIL, the contact is the URL of the site', async () => {
  expect(await read(defaultContactEmail)).toMatch(/^Contact: https:\/\/music\.example\/\n/)
})

test('the contact address cannot add lines to the file', async () => {
  expect((await read('a@b.example\nPolicy: https://evil.example')).split('\n')).toHaveLength(5)
})

test('the server sends the file to everyone as plain text', async () => {
  const app = await createTestApp()
  try {
    const response = await app.nobody.send('GET', at)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const expires = /^Expires: (.+)$/m.exec(String(response.body))?.[1] ?? ''
    expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 170 * 86_400_000)
    expect(Date.parse(expires)).toBeLessThan(Date.now() + 365 * 86_400_000)
  } finally {
    await app.close()
  }
})
