// Uploads of parts with simulated responses: only the server and the object store are fakes.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as Sending from './send-by-parts.ts'

const partBytes = 10
const id = '0191a0c0-0000-7000-8000-00000000dead'
const file = new Blob(['a'.repeat(partBytes * 11 + 4)])

/** The simulated network, with the stored parts and a log of requests. */
interface Network {
  stored: Map<number, string>
  log: string[]
  /** HTTP status of a PUT; 0 means no response. */
  answerPut: (url: string) => number
  /** True if there is no object store, so that all URLs are the server's own. */
  isOnDisk: boolean
  /** The number of PUT requests in progress, and its maximum so far. */
  sending: number
  mostAtOnce: number
}

let network: Network
let sendByParts: typeof Sending.sendByParts

beforeEach(async () => {
  network = {
    stored: new Map(),
    log: [],
    answerPut: () => 200,
    isOnDisk: false,
    sending: 0,
    mostAtOnce: 0,
  }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => answerCall(url, init))
  vi.stubGlobal('XMLHttpRequest', PutRequest)
  vi.resetModules()
  ;({ sendByParts } = await import('./send-by-parts.ts'))
})
afterEach(() => vi.unstubAllGlobals())

function answerCall(url: string, { method, body }: RequestInit): Response {
  const asked = body ? (JSON.parse(body as string) as Record<string, unknown>) : {}
  network.log.push(`${method} ${url.split('/').at(-1)} ${JSON.stringify(asked)}`)
  if (url.endsWith('/complete')) return new Response(null, { status: 204 })
  if (method === 'GET') {
    const data = [...network.stored].map(([number, { length }]) => ({ number, byte_size: length }))
    return Response.json({ byte_size: file.size, part_bytes: partBytes, data, expires_at: '' })
  }
  const { numbers, through_server } = asked as { numbers: number[]; through_server: boolean }
  const turn = network.log.length
  const data = numbers.map((number) => ({
    number,
    byte_size: 0,
    url:
      through_server || network.isOnDisk
        ? `/own/${number}`
        : `https://store.test/${turn}/${number}`,
  }))
  return Response.json({ data, expires_at: '' })
}

class PutRequest {
  upload: { onprogress?: (event: { loaded: number }) => void } = {}
  onload?: () => void
  onerror?: () => void
  status = 0
  responseText = ''
  private url = ''
  open(_method: string, url: string) {
    this.url = url
  }
  private kind = ''
  setRequestHeader(name: string, value: string) {
    if (name === 'content-type') this.kind = value
  }
  abort() {}
  send(body: Blob) {
    network.sending += 1
    network.mostAtOnce = Math.max(network.mostAtOnce, network.sending)
    void body.text().then((text) => {
      network.sending -= 1
      const isRefused = this.url.startsWith('/own') && this.kind === ''
      this.status = isRefused ? 415 : network.answerPut(this.url)
      network.log.push(`PUT ${this.url} ${this.status}`)
      this.upload.onprogress?.({ loaded: text.length })
      if (this.status === 0) return this.onerror?.()
      if (this.status === 200) network.stored.set(Number(this.url.split('/').at(-1)), text)
      return this.onload?.()
    })
  }
}

const send = (onProgress: (bytes: number) => void = () => {}) =>
  sendByParts(file, `/api/uploads/${id}`, {
    sha256: 'f'.repeat(64),
    onProgress,
    signal: new AbortController().signal,
  })
const asked = (what: RegExp) => network.log.filter((line) => what.test(line))
const storedBytes = () => [...network.stored.values()].join('').length

test('sends only missing parts, each with its exact length', async () => {
  for (const number of [1, 2, 4]) network.stored.set(number, 'a'.repeat(partBytes))
  const reported: number[] = []
  await send((bytes) => reported.push(bytes))
  expect(asked(/^PUT/)).toHaveLength(9)
  expect(network.stored.get(12)).toBe('aaaa')
  expect([reported[0], reported.at(-1)]).toEqual([30, file.size])
  expect(asked(/^POST parts/)).toEqual([
    'POST parts {"numbers":[3,5,6,7,8,9,10,11],"through_server":false}',
    'POST parts {"numbers":[12],"through_server":false}',
  ])
  expect(network.log.at(-1)).toBe(`POST complete {"sha256":"${'f'.repeat(64)}"}`)
})

test('sends two parts at a time to a store, and one at a time to the server', async () => {
  await send()
  expect(network.mostAtOnce).toBe(2)
  network.stored.clear()
  Object.assign(network, { isOnDisk: true, mostAtOnce: 0 })
  await send()
  expect(network.mostAtOnce).toBe(1)
  expect(storedBytes()).toBe(file.size)
})

test('completes a file whose parts are all stored', async () => {
  for (let number = 1; number <= 12; number++) network.stored.set(number, 'a'.repeat(partBytes))
  await send()
  expect(asked(/^(?:PUT|POST parts)/)).toEqual([])
  expect(asked(/complete/)).toHaveLength(1)
})

test("fails with the server's error when the server rejects a part", async () => {
  Object.assign(network, { isOnDisk: true, answerPut: () => 423 })
  const failure = await send().catch((error: unknown) => error)
  expect(failure).toMatchObject({ status: 423 })
  expect(asked(/^PUT/)).toHaveLength(1)
})

test('requests a new URL when one has expired', async () => {
  const first = new Set<string>()
  network.answerPut = (url) => {
    const turn = url.split('/')[3]!
    first.add(turn)
    return [...first][0] === turn ? 403 : 200
  }
  await send()
  expect(storedBytes()).toBe(file.size)
})

test('fails with a retryable error when the store keeps rejecting parts', async () => {
  network.answerPut = () => 403
  const failure = await send().catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'unavailable', status: 503 })
  expect(asked(/complete/)).toEqual([])
})

test('sends parts through the server when the store is unreachable, and then stops using the store', async () => {
  network.answerPut = (url) => (url.startsWith('/own') ? 200 : 0)
  await send()
  expect(storedBytes()).toBe(file.size)
  network.stored.clear()
  network.log.length = 0
  await send()
  expect(asked(/^PUT https/)).toEqual([])
})

test('fails with a network error when neither the store nor the server responds', async () => {
  network.answerPut = () => 0
  const failure = await send().catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'network', status: 0 })
})

test('keeps using the store after a single network failure', async () => {
  let failures = 1
  network.answerPut = (url) => (!url.startsWith('/own') && failures-- > 0 ? 0 : 200)
  await send()
  expect(asked(/^PUT \/own/)).toHaveLength(1)
})

test('stops when aborted', async () => {
  const controller = new AbortController()
  network.answerPut = () => {
    controller.abort()
    return 200
  }
  const sending = sendByParts(file, `/api/uploads/${id}`, {
    onProgress: () => {},
    signal: controller.signal,
  })
  await expect(sending).rejects.toMatchObject({ name: 'AbortError' })
  expect(asked(/complete/)).toEqual([])
  expect(asked(/^PUT/).length).toBeLessThan(4)
})
