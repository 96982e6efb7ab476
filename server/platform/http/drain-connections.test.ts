import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { drainConnections } from './drain-connections.ts'

const drainMs = 1_000

let app: FastifyInstance
let port: number
let requestCount: number

beforeEach(async () => {
  app = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
  drainConnections(app, drainMs)
  requestCount = 0
  app.post('/write', async () => {
    requestCount++
    await sleep(1)
    return 'written'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})

afterEach(() => app.close())

/** Behaves like a proxy with a keep-alive connection: repeats requests until a response has `Connection: close`. */
async function writeUntilClosed(): Promise<{ wasClosed: boolean; failure?: unknown }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  try {
    for (;;) {
      const sent = request({ agent, port, host: '127.0.0.1', method: 'POST', path: '/write' })
      const responded = once(sent, 'response') as Promise<[IncomingMessage]>
      sent.end()
      const [response] = await responded
      await response.resume().toArray()
      if (response.statusCode !== 200) return { wasClosed: false, failure: response.statusCode }
      if (response.headers.connection === 'close') return { wasClosed: true }
    }
  } catch (failure) {
    return { wasClosed: false, failure }
  } finally {
    agent.destroy()
  }
}

test('responds to requests sent during the shutdown with `Connection: close`', async () => {
  const writers = Array.from({ length: 60 }, () => writeUntilClosed())
  await expect.poll(() => requestCount).toBeGreaterThan(600)
  await app.close()
  const ends = await Promise.all(writers)
  expect(ends.filter(({ wasClosed }) => !wasClosed)).toEqual([])
})

test('responds on connections that were just established', async () => {
  const connecting = Array.from({ length: 200 }, () =>
    fetch(`http://127.0.0.1:${port}/write`, { method: 'POST' }).then(
      ({ status }) => status,
      (error: Error) => (error.cause as NodeJS.ErrnoException).code,
    ),
  )
  await expect.poll(() => requestCount).toBeGreaterThan(0)
  await app.close()
  // Connections that were not accepted got an error, and none of their requests was processed.
  const ends = new Set(await Promise.all(connecting))
  expect([...ends].filter((end) => end !== 200 && end !== 'ECONNREFUSED')).toEqual([])
})

test('responds to a request on an open connection after the shutdown began, and refuses a new connection', async () => {
  const held = connect(port, '127.0.0.1')
  await once(held, 'connect')
  const post = 'POST /write HTTP/1.1\r\nHost: here\r\nContent-Length: 0\r\n\r\n'
  held.write(post)
  await once(held, 'data')
  const closed = app.close()
  await expect
    .poll(() => fetch(`http://127.0.0.1:${port}/`).catch((error) => error.cause?.code))
    .toBe('ECONNREFUSED')
  held.write(post)
  const [response] = await once(held, 'data')
  expect(String(response)).toMatch(/^HTTP\/1\.1 200 OK\r\nConnection: close\r\n/)
  await closed
})

test('closes an idle connection after the drain timeout', async () => {
  const idle = connect(port, '127.0.0.1')
  await once(idle, 'connect')
  idle.write('POST /write HTTP/1.1\r\nHost: here\r\nContent-Length: 0\r\n\r\n')
  await once(idle, 'data')
  const startedAt = performance.now()
  const ended = once(idle.resume(), 'end')
  await Promise.all([app.close(), ended])
  expect(performance.now() - startedAt).toBeGreaterThan(drainMs - 50)
})
