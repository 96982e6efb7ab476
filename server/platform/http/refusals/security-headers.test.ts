// Tests that every kind of response carries the same headers. Streams and files write their own headers, so they
// could lack them.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../../app.ts'
import { createTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'

const picture = '0191a0c0-0000-7000-8000-0000000000aa'
let app: TestApp
let admin: Person
let webFolder: string
/** The same services with the web app and an https PUBLIC_URL. */
let secure: FastifyInstance

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  await app.services.storage.put(`covers/${picture}/384.webp`, Buffer.from('a picture, or nearly'))
  webFolder = await mkdtemp(join(tmpdir(), 'velour-web-'))
  await mkdir(join(webFolder, 'assets'))
  const page = '<title>x</title><meta name="description" content="" />'
  await writeFile(join(webFolder, 'index.html'), page)
  await writeFile(join(webFolder, 'assets/app.js'), 'export {}')
  // In this test the built page replaces the server-side rendering of the landing page.
  await mkdir(join(webFolder, '.landing'))
  for (const name of ['visitor.html', 'member.html']) {
    await writeFile(join(webFolder, '.landing', name), page)
  }
  await writeFile(join(webFolder, '.landing/landing-page.js'), 'export {}')
  const config = { ...app.services.config, publicUrl: 'https://music.test' }
  secure = await createApp(
    { ...app.services, config },
    { log: pino({ level: 'fatal' }), webFolder },
  )
})
afterAll(async () => {
  await secure.close()
  await rm(webFolder, { recursive: true })
  await app.close()
})

const unknownTrack = '/api/tracks/0191a0c0-0000-7000-8000-00000000dead'
const kinds: [string, string, string, number, Record<string, string>?][] = [
  ['a page', 'GET', '/', 200],
  ['a members-only page', 'GET', '/my-playlists/anything', 200],
  ['the head of a page', 'HEAD', '/', 200],
  ['a script', 'GET', '/assets/app.js', 200],
  ['a missing file', 'GET', '/assets/gone.js', 404],
  ['data', 'GET', '/api/site', 200],
  ['an unknown URL', 'GET', '/api/nothing', 404],
  ['an undecodable URL', 'GET', '/api/tracks/%ff', 404],
  ['a URL that is too long', 'GET', `/api/tracks/${'x'.repeat(400)}`, 404],
  ['another method', 'PUT', '/api/tracks', 405],
  ['no session', 'GET', '/api/tracks', 401],
  [
    'a request from another site',
    'POST',
    '/api/auth/sign-out',
    403,
    { origin: 'https://evil.example' },
  ],
  [
    'a body that is not JSON',
    'POST',
    '/api/auth/sign-in/email',
    415,
    { 'content-type': 'text/plain' },
  ],
  ['a redirect', 'GET', '/api/auth/verify-email?token=x', 303],
  ['the page of the API', 'GET', '/api/docs', 200],
  ['a picture', 'GET', `/media/covers/${picture}/384.webp`, 200],
  ['a range of a picture', 'GET', `/media/covers/${picture}/384.webp`, 206, { range: 'bytes=0-3' }],
  [
    'a range beyond the picture',
    'GET',
    `/media/covers/${picture}/384.webp`,
    416,
    { range: 'bytes=900-' },
  ],
  ['a missing picture', 'GET', `/media/covers/${picture}/96.webp`, 404],
  ['a stream without a session', 'GET', `${unknownTrack}/stream`, 401],
  ['health', 'GET', '/healthz', 200],
]

test.each(kinds)('sends the headers with %s', async (_kind, method, url, status, headers = {}) => {
  const response = await secure.inject({
    method: method as 'GET',
    url,
    headers,
    ...(headers['content-type'] && { payload: '{}' }),
  })
  expect(response.statusCode).toBe(status)
  const isForOtherSites = isCover(url) && status !== 404
  expectHeaders(response.headers as Record<string, string>, { isForOtherSites })
})

/** Covers may be loaded by other sites, because emails show them and web mail is another site. */
const isCover = (url: string) => url.startsWith('/media/covers/')

test('sends the headers with 304 responses', async () => {
  for (const url of ['/', `/media/covers/${picture}/384.webp`]) {
    const { headers } = await secure.inject({ url })
    const again = await secure.inject({ url, headers: { 'if-none-match': String(headers.etag) } })
    expect(again.statusCode).toBe(304)
    expectHeaders(again.headers as Record<string, string>, { isForOtherSites: isCover(url) })
  }
})

test('sends the headers with every kind of response to a signed-in person', async () => {
  for (const [path, status] of [
    ['/api/profile', 200],
    ['/api/profile/data', 200],
    ['/api/admin-users/export.csv', 200],
    ['/api/admin-audit-log/export.csv', 200],
    ['/api/events', 200],
    [`${unknownTrack}/stream`, 404],
  ] as const) {
    const response = await admin.send('GET', path)
    expect(response.status, path).toBe(status)
    expectHeaders(Object.fromEntries(response.headers), { isHttps: false })
    expect(response.headers.get('cache-control'), path).toContain('no-store')
  }
  const parts = await admin.send('GET', `/api/uploads/${picture}/parts`)
  expectHeaders(Object.fromEntries(parts.headers), { isHttps: false })
})

test('no response allows another site to read it, whatever the Origin', async () => {
  for (const origin of ['https://evil.example', 'null', app.url]) {
    const response = await app.nobody.send('GET', '/api/site', { headers: { origin } })
    expect(
      [...response.headers.keys()].filter((name) => name.startsWith('access-control')),
    ).toEqual([])
  }
})

function expectHeaders(
  headers: Record<string, string | undefined>,
  { isHttps = true, isForOtherSites = false } = {},
): void {
  const policy = Object.fromEntries(
    (headers['content-security-policy'] ?? '').split(';').map((part) => {
      const [name = '', ...values] = part.split(' ')
      return [name, values.join(' ')]
    }),
  )
  expect(policy).toMatchObject({
    'default-src': "'self'",
    'script-src': "'self'",
    'style-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  })
  expect('upgrade-insecure-requests' in policy).toBe(isHttps)
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': isForOtherSites ? 'cross-origin' : 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()') as string,
  })
  const strict = headers['strict-transport-security']
  expect(strict).toBe(isHttps ? 'max-age=31536000' : undefined)
  for (const name of ['server', 'x-powered-by']) expect(headers[name]).toBeUndefined()
}
