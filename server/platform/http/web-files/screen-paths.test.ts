import { afterAll, beforeAll, expect, test } from 'vitest'
import { screenPaths } from '#contract/screens.ts'
import { serveWebFolder } from './testing/serve-web-folder.ts'

let served: Awaited<ReturnType<typeof serveWebFolder>>
beforeAll(async () => {
  served = await serveWebFolder({
    'index.html': '<title></title><main>the app</main>',
    'icon.svg': '<svg/>',
  })
})
afterAll(() => served.close())

test.each([
  ...screenPaths.map((path) => path.replaceAll(/:\w+/g, 'some%2Fthing')),
  '/browse/',
  '/Browse?search=x',
  '/admin/library/?page=2',
  '/icon.svg',
  '/index.html',
])('returns 200 for %s', async (url) => {
  expect((await served.server.inject({ url })).statusCode).toBe(200)
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
])('returns 404 and the page of the app for %s', async (url) => {
  const page = await served.server.inject({ url: '/browse' })
  const headers = { 'if-none-match': String(page.headers.etag) }
  for (const method of ['GET', 'HEAD'] as const) {
    const response = await served.server.inject({ url, method, headers })
    expect(response.statusCode, method).toBe(404)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    if (method === 'GET') expect(response.body).toBe(page.body)
  }
})
