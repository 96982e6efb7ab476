import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { handleErrors } from './error-handler.ts'
import { limitAnonymousTraffic } from './rate-limit-traffic.ts'

async function createApp() {
  const app = Fastify()
  handleErrors(app)
  await limitAnonymousTraffic(app, {
    isSignedIn: (request) => request.headers.cookie === 'session',
    perMinute: 3,
  })
  const open = { method: 'GET', summary: '', access: 'anyone' }
  const add = (path: string, config: object) => app.get(path, { config }, async () => 'fine')
  add('/api/open', { endpoint: { ...open, path: '/api/open' } })
  add('/api/open-too', { endpoint: { ...open, path: '/api/open-too' } })
  add('/api/stream', { endpoint: { ...open, path: '/api/stream', produces: 'audio/mp4' } })
  add('/api/member', { endpoint: { ...open, path: '/api/member', access: 'member' } })
  add('/page', {})
  return {
    app,
    statuses: async (url: string, count: number, options: object = {}) => {
      const all: number[] = []
      for (let i = 0; i < count; i++) all.push((await app.inject({ url, ...options })).statusCode)
      return all
    },
  }
}

test('anonymous calls have a ceiling per address, over all open operations together', async () => {
  const { app, statuses } = await createApp()
  expect(await statuses('/api/open', 2)).toEqual([200, 200])
  expect(await statuses('/api/open-too', 2)).toEqual([200, 429])
  const refused = await app.inject({ url: '/api/open' })
  expect(refused.json()).toMatchObject({ error: { code: 'rate_limited' } })
  const seconds = Number(refused.headers['retry-after'])
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(await statuses('/api/open', 1, { remoteAddress: '192.0.2.7' })).toEqual([200])
})

test('signed-in people, streams, members and pages are not counted', async () => {
  const { statuses } = await createApp()
  const fine = Array<number>(8).fill(200)
  expect(await statuses('/api/open', 8, { headers: { cookie: 'session' } })).toEqual(fine)
  for (const url of ['/api/stream', '/api/member', '/page'])
    expect(await statuses(url, 8)).toEqual(fine)
  expect(await statuses('/api/open', 1)).toEqual([200])
})
