import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveWebFolder } from './testing/serve-web-folder.ts'

let served: Awaited<ReturnType<typeof serveWebFolder>>
beforeAll(async () => {
  served = await serveWebFolder({
    'index.html': '<title></title><main>any screen</main>',
    '.screens/browse.html': '<title></title><main>Browse</main>',
  })
})
afterAll(() => served.close())

const get = async (url: string) => (await served.server.inject({ url })).body

test("Browse is served as a page of its own with the owner's brand name", async () => {
  expect(await get('/browse?view=liked')).toContain('<title>Nacht</title><main>Browse</main>')
  expect(await get('/profile')).toContain('<main>any screen</main>')
})

test('does not serve that page under the name of its file', async () => {
  expect(await get('/.screens/browse.html')).not.toContain('<main>Browse</main>')
})
