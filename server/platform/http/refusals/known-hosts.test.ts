// Tests which host names the service accepts, and which origins count as its own.
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../app.ts'
import { createTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
/** The same services with an https PUBLIC_URL, as behind a TLS proxy. */
let secure: FastifyInstance
beforeAll(async () => {
  app = await createTestApp()
  const config = { ...app.services.config, publicUrl: 'https://music.example' }
  const options = { log: pino({ level: 'fatal' }), webFolder: null }
  secure = await createApp({ ...app.services, config }, options)
})
afterAll(async () => {
  await secure.close()
  await app.close()
})

describe('a host name other than loopback and that of PUBLIC_URL', () => {
  test.each(['rebind.evil.example:3000', 'evil.example', 'nas', 'localhost.evil.example'])(
    '%s gets 421 for pages, data and changes',
    async (host) => {
      for (const request of [
        { method: 'GET', url: '/' },
        { method: 'GET', url: '/api/site' },
        { method: 'POST', url: '/api/auth/sign-out', payload: {} },
      ] as const) {
        const response = await app.app.inject({ ...request, headers: { host } })
        expect(response.statusCode, request.url).toBe(421)
        expect(response.json()).toMatchObject({ error: { code: 'misdirected_request' } })
        expect(response.headers['x-content-type-options']).toBe('nosniff')
      }
    },
  )

  test.each(['/healthz', '/readyz', '/readyz?probe'])('may request %s', async (url) => {
    const response = await app.app.inject({ url, headers: { host: 'velour-1:3000' } })
    expect(response.statusCode).toBe(200)
  })

  test('gets 404 for /metrics, as with any host name', async () => {
    const response = await app.app.inject({ url: '/metrics', headers: { host: 'velour-1:3000' } })
    expect(response.statusCode).toBe(404)
  })
})

test.each([
  '127.0.0.1:3000',
  '127.0.0.2',
  'localhost:3000',
  'LOCALHOST',
  'localhost.',
  'velour.localhost:80',
  '[::1]:3000',
  '192.168.1.5:3000',
  '[fd00::5]:3000',
])('accepts the host name %s', async (host) => {
  const response = await app.app.inject({ url: '/api/site', headers: { host } })
  expect(response.statusCode).toBe(200)
})

test.each(['music.example', 'Music.Example:443', 'music.example.'])(
  'accepts the host name %s when PUBLIC_URL is https://music.example',
  async (host) => {
    expect((await secure.inject({ url: '/api/site', headers: { host } })).statusCode).toBe(200)
    expect((await app.app.inject({ url: '/api/site', headers: { host } })).statusCode).toBe(421)
  },
)

const changeFrom = async (server: FastifyInstance, origin: string, host: string) => {
  const headers = { origin, host }
  return (await server.inject({ method: 'POST', url: '/api/auth/sign-out', headers, payload: {} }))
    .statusCode
}

test.each([
  ['https://music.example', 'music.example', 200],
  ['http://127.0.0.1:3000', '127.0.0.1:3000', 200],
  ['http://music.example', 'music.example', 403],
  ['https://music.example:444', 'music.example', 403],
  ['https://127.0.0.1:3000', '127.0.0.1:3000', 403],
])('with https, a change from origin %s to host %s returns %i', async (origin, host, status) => {
  // The proxy terminates TLS, so the server itself receives plain HTTP.
  expect(await changeFrom(secure, origin, host)).toBe(status)
})

test('with http, accepts changes through a proxy that terminates TLS and sends no X-Forwarded-Proto', async () => {
  expect(await changeFrom(app.app, 'https://127.0.0.1:3000', '127.0.0.1:3000')).toBe(200)
})
