// Sends single requests to receivers that respond wrongly, slowly or not at all.
import { lookup } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../../platform/config/config.ts'
import { postWebhook } from './post-webhook.ts'

vi.mock('node:dns', { spy: true })

const strict = readConfig({})
const lenient = readConfig({ WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' })
let receiver: Server
let answer: RequestListener
let requests = 0

beforeEach(async () => {
  requests = 0
  receiver = createServer((request, response) => {
    requests++
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
})
afterEach(() => {
  receiver.closeAllConnections()
  receiver.close()
  vi.mocked(lookup).mockReset()
})

const port = () => (receiver.address() as AddressInfo).port

function post(config = lenient, host = '127.0.0.1', signal = new AbortController().signal) {
  const url = `http://${host}:${port()}/in`
  return postWebhook(config, { url, headers: { 'webhook-id': 'x' }, body: '{"ü":1}' }, signal)
}

test("sends the body unchanged, and returns the response's status and the start of its body", async () => {
  let seen: unknown
  answer = (request, response) => {
    void text(request).then((body) => {
      const { 'content-type': type, 'webhook-id': id } = request.headers
      seen = { method: request.method, type, id, body }
      response.writeHead(202).end('fine\0')
    })
  }
  expect(await post()).toMatchObject({ status: 202, body: 'fine', error: null })
  expect(seen).toEqual({ method: 'POST', type: 'application/json', id: 'x', body: '{"ü":1}' })
})

test('does not follow redirects', async () => {
  answer = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end()
  expect(await post()).toMatchObject({ status: 302, error: 'Redirects are not followed.' })
  expect(requests).toBe(1)
})

test('reads only the start of an endless response, and returns its status', async () => {
  let isClosed = false
  answer = (_, response) => {
    response.writeHead(200)
    const writing = setInterval(() => response.write('x'.repeat(300)), 5)
    response.on('close', () => {
      isClosed = true
      clearInterval(writing)
    })
  }
  const { status, body, durationMs } = await post()
  expect([status, body?.length]).toEqual([200, 1000])
  expect(durationMs).toBeLessThan(5000)
  await expect.poll(() => isClosed).toBe(true)
})

test(
  'times out after ten seconds if the receiver does not respond or responds slowly',
  { timeout: 25_000 },
  async () => {
    answer = () => {}
    const silent = post()
    const other = createServer((_, response) => {
      response.writeHead(200).write('a')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
    const slow = postWebhook(lenient, { url, headers: {}, body: '' }, new AbortController().signal)
    const [first, second] = await Promise.all([silent, slow])
    expect(first).toMatchObject({
      status: null,
      error: 'There was no response within 10 seconds.',
    })
    expect(first.durationMs).toBeLessThan(11_000)
    expect(second).toMatchObject({ status: 200, error: null })
    expect(second.durationMs).toBeLessThan(11_000)
    other.closeAllConnections()
    other.close()
  },
)

test('a shutdown aborts the request and throws', async () => {
  answer = () => {}
  const stop = new AbortController()
  const sent = post(lenient, '127.0.0.1', stop.signal)
  await expect.poll(() => requests).toBe(1)
  stop.abort(new Error('the server is stopping'))
  await expect(sent).rejects.toThrow('the server is stopping')
})

type Lookup = (name: string, options: object, done: (...result: unknown[]) => void) => void

function resolveTo(...addresses: string[]): void {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const fake: Lookup = (_name, _options, done) => done(null, found)
  vi.mocked(lookup).mockImplementation(fake as typeof lookup)
}

test.each([[['127.0.0.1']], [['93.184.215.14', '127.0.0.1']], [['::1']], [['169.254.169.254']]])(
  'rejects a host name that resolves to %j before connecting',
  async (addresses) => {
    resolveTo(...addresses)
    answer = (_, response) => response.end()
    const result = await post(strict, 'hooks.example')
    expect(result).toMatchObject({
      status: null,
      error: 'This address is in a private network.',
    })
    expect(requests).toBe(0)
  },
)

test('resolves the host name once per request, and connects to the address that it checked', async () => {
  resolveTo('10.0.0.1')
  await post(strict, 'hooks.example')
  await post(strict, 'hooks.example')
  const names = vi.mocked(lookup).mock.calls.map(([name]) => name)
  expect(names.filter((name) => name === 'hooks.example')).toHaveLength(2)
})

test.each([
  ['http://127.0.0.1:1/', 'The connection was refused.'],
  ['http://hooks.invalid/', 'The host name was not found.'],
])('a request to %s fails with: %s', async (url, error) => {
  vi.mocked(lookup).mockRestore()
  const result = await postWebhook(
    lenient,
    { url, headers: {}, body: '' },
    new AbortController().signal,
  )
  expect(result).toMatchObject({ status: null, body: null, error })
})

test('rejects http URLs when the service is public', async () => {
  answer = (_, response) => response.end()
  const open = { ...lenient, publicUrl: 'https://music.example' }
  expect((await post(open)).error).toContain('must start with https://')
  expect(requests).toBe(0)
})
