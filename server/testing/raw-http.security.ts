// Sends requests that no client library would send: malformed headers, smuggled bodies, endless and silent
// connections. None may cause an internal error or delay other requests, and each sender that can read a response
// must get one.
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRawBytes } from './raw-connection.ts'
import { createTestApp, type Person, type TestApp } from './test-app.ts'

let app: TestApp
let admin: Person
let memberHead: string

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin', tier: 'premium' })
  memberHead = `Host: localhost\r\nCookie: ${admin.cookie}\r\n`
})
afterAll(() => app.close())

const head = 'Host: localhost\r\n'
const close = 'Connection: close\r\n'

/** Name, bytes to send, and the accepted statuses. */
const oneRequest: [string, string | Buffer, number[]][] = [
  ['input that is not HTTP', 'hello\r\n\r\n', [400]],
  ['TLS on the plain port', Buffer.from('16030100a5010000a10303', 'hex'), [400]],
  ['another version', `GET / HTTP/9.9\r\n${head}\r\n`, [400, 505]],
  ['an unknown method', `HACK /api/tracks HTTP/1.1\r\n${head}${close}\r\n`, [400]],
  ['a method in lower case', `get /api/tracks HTTP/1.1\r\n${head}${close}\r\n`, [400]],
  ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', [400]],
  ['two hosts', `GET /api/site HTTP/1.1\r\n${head}Host: evil.example\r\n${close}\r\n`, [400]],
  ['an invalid host', `GET /api/site HTTP/1.1\r\nHost: a"><b>\r\n${close}\r\n`, [400]],
  ['a list of hosts', `GET /api/site HTTP/1.1\r\nHost: a, b\r\n${close}\r\n`, [400]],
  [
    'an absolute URL',
    `GET http://evil.example/api/site HTTP/1.1\r\n${head}${close}\r\n`,
    [200, 404],
  ],
  ['an asterisk', `OPTIONS * HTTP/1.1\r\n${head}${close}\r\n`, [404, 405]],
  [
    'an upgrade',
    `GET /api/site HTTP/1.1\r\n${head}Connection: upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
    [200],
  ],
  ['a space in the address', `GET /api/ tracks HTTP/1.1\r\n${head}${close}\r\n`, [400]],
  [
    'a raw byte in the address',
    Buffer.from(`GET /api/tracks/\xff\xfe HTTP/1.1\r\n${head}${close}\r\n`, 'latin1'),
    [400, 401, 404],
  ],
  ['a NUL in the address', `GET /api/tracks/\0 HTTP/1.1\r\n${head}${close}\r\n`, [400]],
  ['overlong UTF-8', `GET /api/tracks/%c0%ae%c0%ae%c0%af HTTP/1.1\r\n${head}${close}\r\n`, [404]],
  ['an incomplete escape sequence', `GET /api/tracks/%f HTTP/1.1\r\n${head}${close}\r\n`, [404]],
  ['dots', `GET /api/../../../../etc/passwd HTTP/1.1\r\n${head}${close}\r\n`, [200, 404]],
  [
    'escaped dots',
    `GET /media/covers/%2e%2e/%2e%2e%2fsecret HTTP/1.1\r\n${head}${close}\r\n`,
    [404],
  ],
  ['backslashes', `GET /media\\..\\..\\secret HTTP/1.1\r\n${head}${close}\r\n`, [404, 200]],
  [
    'an address of 100 KB',
    `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${head}${close}\r\n`,
    [431, 414],
  ],
  [
    'a header of 100 KB',
    `GET /api/site HTTP/1.1\r\n${head}X: ${'a'.repeat(100_000)}\r\n\r\n`,
    [431],
  ],
  [
    '5,000 headers',
    `GET /api/site HTTP/1.1\r\n${head}${'a: b\r\n'.repeat(5000)}${close}\r\n`,
    [200, 431],
  ],
  ['a header without a name', `GET /api/site HTTP/1.1\r\n${head}: b\r\n${close}\r\n`, [400]],
  ['a folded header', `GET /api/site HTTP/1.1\r\n${head}X: a\r\n b\r\n${close}\r\n`, [200, 400]],
  ['a NUL in a header', `GET /api/site HTTP/1.1\r\n${head}X: a\0b\r\n${close}\r\n`, [400]],
  ['a lone line feed', `GET /api/site HTTP/1.1\n${head}X: a\nY: b\r\n${close}\r\n`, [200, 400]],
  [
    '1,000 cookies',
    `GET /api/profile HTTP/1.1\r\n${head}Cookie: ${'velour.session_token=a.b; '.repeat(400)}\r\n${close}\r\n`,
    [200],
  ],
]

describe('a single malformed request', () => {
  test.each(oneRequest)('%s', async (name, bytes, right) => {
    const response = await sendRawBytes(app.url, [bytes], { halfOpen: bytes.length < 50 })
    expect(right, response.text.slice(0, 300)).toContain(response.statuses[0])
    expect(response.text).not.toMatch(/at \w+ \(|node_modules|root:/)
    // For a missing Host header, Node itself sends a response without a body.
    if (name !== 'no host' && (response.statuses[0] ?? 0) >= 400) {
      expect(response.text).toContain('{"error":{"code":"')
    }
  })
})

const json = (body: string, more = '') =>
  `POST /api/playlists HTTP/1.1\r\n${memberHead}Content-Type: application/json\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n${close}\r\n${body}`

describe('malformed bodies', () => {
  test.each<[string, () => string, number[]]>([
    ['two Content-Length headers', () => json('{}', 'Content-Length: 5\r\n'), [400]],
    [
      'a negative length',
      () => json('{}').replace('Content-Length: 2', 'Content-Length: -1'),
      [400],
    ],
    [
      'a length that is not a number',
      () => json('{}').replace('Content-Length: 2', 'Content-Length: ten'),
      [400],
    ],
    [
      'a huge length',
      () => json('{}').replace('Content-Length: 2', 'Content-Length: 99999999999999999999'),
      [400, 413],
    ],
    [
      'both Content-Length and chunks',
      () => json('0\r\n\r\n', 'Transfer-Encoding: chunked\r\n'),
      [400],
    ],
    ['a chunk size that is not a number', () => chunked('zz\r\nabc\r\n0\r\n\r\n'), [400]],
    ['a negative chunk size', () => chunked('-1\r\nabc\r\n0\r\n\r\n'), [400]],
    ['a chunk of 2^64', () => chunked('ffffffffffffffffff\r\n{}\r\n0\r\n\r\n'), [400]],
    [
      'chunks hidden behind another coding',
      () => chunked('0\r\n\r\n').replace('chunked', 'xchunked, gzip'),
      [400],
    ],
    // This server parses these headers unambiguously, but some proxies read a different length or none.
    ...[
      'Transfer-Encoding: chunked, identity',
      'Transfer-Encoding: identity, chunked',
      'Transfer-Encoding: chunked, chunked',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
      'Transfer-Encoding : chunked',
      'Transfer-Encoding:\tchunked',
      'Transfer-Encoding: \x0bchunked',
      'Transfer-Encoding:\r\n chunked',
      'X: a\r\n Transfer-Encoding: chunked',
      'X: a\rTransfer-Encoding: chunked',
      'Content-Length: 2, 2',
      'Content-Length: +2',
      'Content-Length: 0x2',
    ].map((line): [string, () => string, number[]] => [
      JSON.stringify(line),
      () => json('{}', `${line}\r\n`),
      [400],
    ]),
    ['chunks ended by a line feed alone', () => chunked('2\n{}\n0\n\n'), [400]],
    [
      'an unknown Expect header',
      () => json('{}', 'Expect: the-spanish-inquisition\r\n'),
      [417, 400],
    ],
    ['two content types', () => json('{}', 'Content-Type: text/plain\r\n'), [400, 415]],
    ['a __proto__ field', () => json('{"title":"a","__proto__":{"is_curated":true}}'), [400]],
    [
      'a constructor field',
      () => json('{"title":"a","constructor":{"prototype":{"is_curated":true}}}'),
      [400, 403],
    ],
    ['100,000 levels', () => json(`{"title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), [400]],
    ['a duplicate field', () => json('{"title":1,"title":"b"}'), [201]],
    ['half of a surrogate', () => json('{"title":"\\ud800"}'), [201, 400]],
    ['a compressed body', () => json('x', 'Content-Encoding: gzip\r\n'), [400, 415]],
  ])('%s', async (_name, bytes, right) => {
    const response = await sendRawBytes(app.url, [bytes()])
    const final = response.statuses.at(-1)
    expect(right, response.text.slice(0, 300)).toContain(final)
  })

  function chunked(body: string): string {
    return `POST /api/playlists HTTP/1.1\r\n${memberHead}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n${close}\r\n${body}`
  }
})

test('refuses to open a tunnel', async () => {
  const response = await sendRawBytes(app.url, [
    `CONNECT 169.254.169.254:80 HTTP/1.1\r\n${head}\r\n`,
  ])
  expect(response).toEqual({ statuses: [], text: '', isClosed: true })
})

test('does not treat a smuggled body as a second request', async () => {
  const hidden = `GET /api/admin-users HTTP/1.1\r\n${memberHead}\r\n`
  const smuggled = `POST /api/not-found-visits HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${hidden.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`
  const response = await sendRawBytes(app.url, [smuggled])
  expect(response.statuses).toEqual([400])
  expect(response.isClosed).toBe(true)
})

test('responds to 1,000 pipelined requests in order', async () => {
  const one = `GET /healthz HTTP/1.1\r\n${head}\r\n`
  const wanted = `GET /api/nothing HTTP/1.1\r\n${head}${close}\r\n`
  const response = await sendRawBytes(app.url, [one.repeat(1000) + wanted], { patienceMs: 15_000 })
  expect(response.statuses).toHaveLength(1001)
  expect(response.statuses.at(-1)).toBe(404)
})

test('senders that disconnect midway do not affect other requests', async () => {
  const cut = json('{"title":"half').replace(/Content-Length: \d+/, 'Content-Length: 5000')
  const disconnecting = Array.from({ length: 200 }, () =>
    sendRawBytes(app.url, [cut], { halfOpen: true, patienceMs: 1500 }),
  )
  expect(await reach()).toBe(200)
  await Promise.all(disconnecting)
  expect(await reach()).toBe(200)
})

test('a huge number of ranges does not return more bytes than the file has', async () => {
  const monsters = [
    `bytes=${Array.from({ length: 1000 }, (_, i) => `${i}-${i + 1}`).join(',')}`,
    `bytes=${'0-,'.repeat(1000)}0-`,
    'bytes=5-1',
    'bytes=18446744073709551616-',
    'bytes=-18446744073709551616',
    'bytes=0-0,-0',
    'lines=1-2',
    `bytes=${' '.repeat(2000)}0-1`,
  ]
  for (const range of monsters) {
    const response = await admin.send(
      'GET',
      '/api/tracks/0191a0c0-0000-7000-8000-00000000dead/stream',
      {
        headers: { range },
      },
    )
    expect(response.code).toBe('track_not_found')
  }
})

test(
  'disconnects clients that stop sending within the headers, and 500 of them delay no other request',
  { timeout: 90_000 },
  async () => {
    const letters = `GET /api/site HTTP/1.1\r\n${head}X-Slow: ${'a'.repeat(200)}`
    const start = performance.now()
    const slow = Array.from({ length: 500 }, async (_, index) => {
      const part = letters.slice(0, 40 + (index % 100))
      return sendRawBytes(app.url, [part], { patienceMs: 70_000 })
    })
    for (let round = 0; round < 10; round++) {
      const asked = performance.now()
      expect(await reach()).toBe(200)
      expect(performance.now() - asked).toBeLessThan(2000)
      await wait(300)
    }
    const responses = await Promise.all(slow)
    expect(performance.now() - start).toBeLessThan(60_000)
    expect(responses.every(({ isClosed }) => isClosed)).toBe(true)
    expect(new Set(responses.flatMap(({ statuses }) => statuses))).toEqual(new Set([408]))
  },
)

test('the server still works afterwards and has released its memory', async () => {
  expect(await reach()).toBe(200)
  expect(process.memoryUsage().heapUsed).toBeLessThan(600 * 1024 * 1024)
})

async function reach(): Promise<number> {
  return (await app.nobody.send('GET', '/api/site')).status
}
