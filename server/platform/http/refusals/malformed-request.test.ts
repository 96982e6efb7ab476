// Tests that input which is not a valid HTTP request still gets an error response in our format.
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

async function sendRaw(bytes: string): Promise<{ head: string; body: unknown }> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { head, body: JSON.parse(body) as unknown }
}

test.each([
  ['input that is not HTTP', 'HELO there\r\n\r\n', '400 Bad Request', 'invalid_input'],
  [
    'no host',
    'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n',
    '400 Bad Request',
    'invalid_input',
  ],
  [
    'two hosts',
    'GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n',
    '400 Bad Request',
    'invalid_input',
  ],
  [
    'headers that never end',
    `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(40_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
    'headers_too_large',
  ],
])('%s: returns an error in our format with the usual headers', async (_, bytes, status, code) => {
  const { head, body } = await sendRaw(bytes)
  expect(head).toContain(`HTTP/1.1 ${status}\r\n`)
  expect(body).toMatchObject({ error: { code } })
  const usual = await fetch(`${app.url}/healthz`)
  for (const name of ['content-security-policy', 'x-content-type-options', 'x-frame-options']) {
    expect(head).toContain(`\r\n${name}: ${usual.headers.get(name)}`)
  }
})

test('accepts HTTP/1.0 requests without a Host header', async () => {
  const { head } = await sendRaw('GET /healthz HTTP/1.0\r\n\r\n')
  expect(head).toContain('200 OK')
})
