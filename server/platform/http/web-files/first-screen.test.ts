import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/test-app.ts'
import { handleErrors } from '../error-handler.ts'
import { serveWebFiles } from './web-files.ts'

const owner = {
  brandName: 'Nacht',
  tagline: 'Music.',
  publicUrl: 'http://127.0.0.1',
  accent: null,
  icons: { tab: { href: '/icon.svg', type: 'image/svg+xml' }, touch: '/touch.png' },
}
const folder = mkdtempSync(join(tmpdir(), 'velour-first-screen-'))
let app: TestApp
let server: FastifyInstance

beforeAll(async () => {
  app = await createTestApp()
  writeFileSync(join(folder, 'index.html'), '<title></title><main>any screen</main>')
  mkdirSync(join(folder, '.screens'))
  writeFileSync(join(folder, '.screens/browse.html'), '<title></title><main>Browse</main>')
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

const get = async (url: string) => (await server.inject({ url })).body

test('Browse has its own page, with the name of the owner', async () => {
  expect(await get('/browse?view=liked')).toContain('<title>Nacht</title><main>Browse</main>')
  expect(await get('/profile')).toContain('<main>any screen</main>')
})

test('the file of that page is not served', async () => {
  expect(await get('/.screens/browse.html')).not.toContain('<main>Browse</main>')
})
