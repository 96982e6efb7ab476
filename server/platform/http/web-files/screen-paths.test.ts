import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { screenPaths } from '#contract/screens.ts'
import { createTestApp, type TestApp } from '../../../testing/test-app.ts'
import { handleErrors } from '../error-handler.ts'
import { serveWebFiles } from './web-files.ts'

const owner = {
  brandName: 'Velour',
  tagline: 'Music.',
  publicUrl: 'http://127.0.0.1',
  accent: null,
  icons: { tab: { href: '/icon.svg', type: 'image/svg+xml' }, touch: '/touch.png' },
}
const folder = mkdtempSync(join(tmpdir(), 'velour-screens-'))
let app: TestApp
let server: FastifyInstance

beforeAll(async () => {
  app = await createTestApp()
  writeFileSync(join(folder, 'index.html'), '<title></title><main>the app</main>')
  writeFileSync(join(folder, 'icon.svg'), '<svg/>')
  server = Fastify()
  handleErrors(server)
  const readLanding = async () => null
  await serveWebFiles(server, { folder, owner: () => owner, db: app.services.db, readLanding })
})
afterAll(async () => {
  await server.close()
  await app.close()
  rmSync(folder, { recursive: true })
})

test.each([
  ...screenPaths.map((path) => path.replaceAll(/:\w+/g, 'some%2Fthing')),
  '/browse/',
  '/Browse?search=x',
  '/admin/library/?page=2',
  '/icon.svg',
  '/index.html',
])('answers %s with 200', async (url) => {
  expect((await server.inject({ url })).statusCode).toBe(200)
})

test.each([
  '/nowhere',
  '/browse/more',
  '/my-playlists/a/b',
  '/admin/nowhere',
  '/admin/library/upload/x',
  '/playlist',
  '/nothing.png',
  '/wp-login.php?x=1',
])('answers %s with 404 and the page of the app', async (url) => {
  const page = await server.inject({ url: '/browse' })
  const headers = { 'if-none-match': String(page.headers.etag) }
  for (const method of ['GET', 'HEAD'] as const) {
    const answer = await server.inject({ url, method, headers })
    expect(answer.statusCode, method).toBe(404)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    if (method === 'GET') expect(answer.body).toBe(page.body)
  }
})
