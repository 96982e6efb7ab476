// Requests to servers that send invalid, endless or slow responses.
import { lookup } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../platform/config/config.ts'
import { isPublicAddress } from '../../platform/security/private-addresses.ts'
import { listRemoteSongs } from './list-server-songs.ts'
import { createServerClient, type ClientLimits, type ServerLogin } from './server-client.ts'
import { TemporaryServerError } from './server-error.ts'
import { toLrc } from './server-lyrics.ts'
import { readSong } from './server-song.ts'

vi.mock('node:dns', { spy: true })
vi.mock('../../platform/security/private-addresses.ts', { spy: true })

const strict = readConfig({})
const lenient = readConfig({ IMPORTS_FROM_PRIVATE_ADDRESSES: 'on' })
/** Small size limits, and time limits that are long enough for a busy machine. */
const small: ClientLimits = {
  idleMs: 20_000,
  responseTimeoutMs: 20_000,
  fileMs: 20_000,
  maxResponseBytes: 100_000,
  retryDelaysMs: [],
}
const secret = 'the-secret'
let server: Server
let respond: RequestListener
let requests: URL[]
let folder: string

beforeEach(async () => {
  requests = []
  folder = await mkdtemp(join(tmpdir(), 'velour-client-'))
  server = createServer((request, response) => {
    requests.push(new URL(request.url ?? '/', 'http://x'))
    respond(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  vi.mocked(lookup).mockReset()
  await rm(folder, { recursive: true })
})

const port = () => (server.address() as AddressInfo).port

interface Given {
  config?: typeof strict
  host?: string
  login?: ServerLogin
  limits?: Partial<ClientLimits>
  signal?: AbortSignal
}

const clientOf = ({ config = lenient, host = '127.0.0.1', login, limits, signal }: Given = {}) =>
  createServerClient({
    config,
    url: `http://${host}:${port()}`,
    login: login ?? { api_key: secret },
    signal: signal ?? new AbortController().signal,
    limits: { ...small, ...limits },
  })

const ok = (fields: object) => JSON.stringify({ 'subsonic-response': { status: 'ok', ...fields } })
const failed = (code: number, message = '') =>
  JSON.stringify({ 'subsonic-response': { status: 'failed', error: { code, message } } })

/** Returns the message shown to the owner. Also checks that it does not contain the credentials. */
async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('It worked'),
    (one: Error) => one,
  )
  expect(JSON.stringify([error.message, error.stack])).not.toContain(secret)
  return error.message
}

const fileIn = (maxBytes = 1000) => ({ path: join(folder, 'file'), maxBytes })

describe('a response', () => {
  test.each(['', '<html>', '[]', '{"subsonic-response":1}', 'null', '{"a":'])(
    'is rejected if it is not a valid API response: %s',
    async (text) => {
      respond = (_, response) => response.end(text)
      expect(await problemOf(clientOf().call('ping'))).toBe(
        'This server does not seem to provide the OpenSubsonic API.',
      )
    },
  )

  test('is aborted at the size limit if it does not end, and at the time limit if it is slow', async () => {
    respond = (_, response) => {
      const writing = setInterval(() => response.write('x'.repeat(9000)), 5)
      response.on('close', () => clearInterval(writing))
    }
    expect(await problemOf(clientOf().call('ping'))).toBe('The server sent more data than allowed.')
    respond = (_, response) => {
      const writing = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(writing))
    }
    const slow = clientOf({ limits: { responseTimeoutMs: 400 } })
    expect(await problemOf(slow.call('ping'))).toBe('The server took too long to respond.')
    respond = () => {}
    const silent = clientOf({ limits: { idleMs: 300 } })
    expect(await problemOf(silent.call('ping'))).toBe('The server took too long to respond.')
  })

  test('is requested again after a server error, but not after a rejection', async () => {
    let count = 0
    respond = (_, response) =>
      ++count < 3 ? response.writeHead(503).end() : response.end(ok({ version: '1' }))
    const client = clientOf({ limits: { retryDelaysMs: [1, 1] } })
    expect(await client.call('ping')).toMatchObject({ version: '1' })
    count = -100
    await expect(client.call('ping')).rejects.toThrow(TemporaryServerError)
    const before = requests.length
    respond = (_, response) => response.end(failed(44))
    expect(await problemOf(client.call('ping'))).toBe('The server rejected this API key.')
    respond = (_, response) => response.writeHead(403).end()
    expect(await problemOf(client.call('ping'))).toMatch(/responded with 403/)
    expect(requests.length).toBe(before + 2)
  })

  test("is aborted with the job, and the job's reason is thrown", async () => {
    respond = () => {}
    const end = new AbortController()
    const calling = clientOf({ signal: end.signal }).call('ping')
    end.abort(new Error('killed'))
    await expect(calling).rejects.toThrow('killed')
  })
})

describe('credentials', () => {
  test('are sent salted and hashed, or as a plain password if the server accepts nothing else', async () => {
    respond = (_, response) => response.end(ok({}))
    const login = { user: 'mira', password: secret }
    await clientOf({ login }).call('ping')
    const sent = requests[0]!.searchParams
    expect(sent.get('u')).toBe('mira')
    expect(sent.get('t')).toMatch(/^[0-9a-f]{32}$/)
    expect(sent.has('p')).toBe(false)
    respond = ({ url }, response) => response.end(url?.includes('&t=') ? failed(41) : ok({}))
    await clientOf({ login }).call('ping')
    expect(requests.at(-1)!.searchParams.get('p')).toBe(
      `enc:${Buffer.from(secret).toString('hex')}`,
    )
    respond = (_, response) => response.end(failed(41))
    expect(await problemOf(clientOf({ login }).call('ping'))).toMatch(/does not accept passwords/)
  })
})

describe('a file download', () => {
  test('writes the file, and stops at the size limit', async () => {
    respond = (_, response) => response.setHeader('content-type', 'Audio/FLAC; x=y').end('abc')
    expect(await clientOf().download('download', { id: '1' }, fileIn())).toBe('audio/flac')
    expect(await readFile(join(folder, 'file'), 'utf8')).toBe('abc')
    respond = (_, response) => response.setHeader('content-length', 5000).end('x'.repeat(5000))
    const tooLarge = 'The server sent more data than allowed.'
    expect(await problemOf(clientOf().download('download', {}, fileIn()))).toBe(tooLarge)
    respond = (_, response) => {
      response.setHeader('content-type', 'audio/mpeg')
      const writing = setInterval(() => response.write('x'.repeat(300)), 5)
      response.on('close', () => clearInterval(writing))
    }
    expect(await problemOf(clientOf().download('download', {}, fileIn()))).toBe(tooLarge)
    expect((await stat(join(folder, 'file'))).size).toBeLessThanOrEqual(1000)
  })

  test('fails if the connection breaks or the server sends text instead of a file', async () => {
    respond = (_, response) => {
      response.setHeader('content-length', 900).write('x')
      setTimeout(() => response.destroy(), 20)
    }
    const download = () => clientOf().download('download', {}, fileIn())
    expect(await problemOf(download())).toMatch(/^The server does not respond\./)
    const texts = [
      ['text/html', '<h1>Hi</h1>', 'The server did not send the file.'],
      ['application/json', failed(70, 'Gone'), 'The server reports: Gone'],
      [
        'text/xml',
        '<x><error code="50" message="No rights"/></x>',
        'The server reports: No rights',
      ],
    ] as const
    for (const [type, text, problem] of texts) {
      respond = (_, response) => response.setHeader('content-type', type).end(text)
      expect(await problemOf(download())).toBe(problem)
    }
    respond = (_, response) => response.writeHead(404).end()
    expect(await problemOf(download())).toBe('The server responded with 404.')
  })
})

describe('private addresses', () => {
  const resolveTo = (addresses: string[]) => {
    const fake = (_: string, __: object, callback: (...values: unknown[]) => void) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )
    vi.mocked(lookup).mockImplementation(fake as typeof lookup)
  }
  const problem =
    'This address is in a private network. Set IMPORTS_FROM_PRIVATE_ADDRESSES=on to allow it.'

  test('are rejected, even if a host name resolves to a private address among public ones', async () => {
    respond = (_, response) => response.end(ok({}))
    expect(await problemOf(clientOf({ config: strict }).call('ping'))).toBe(problem)
    for (const addresses of [['127.0.0.1'], ['93.184.215.14', '10.0.0.1'], ['169.254.169.254']]) {
      resolveTo(addresses)
      const client = clientOf({ config: strict, host: 'music.example' })
      expect(await problemOf(client.call('ping'))).toBe(problem)
    }
    expect(requests).toEqual([])
  })

  test('are rejected as redirect targets', async () => {
    // The address that the admin entered counts as public here; the redirect target does not.
    vi.mocked(isPublicAddress).mockImplementation((address) => address === '127.0.0.1')
    resolveTo(['127.0.0.1'])
    for (const target of ['http://169.254.169.254/latest', 'http://[::1]/', 'http://localhost/']) {
      respond = (_, response) => response.writeHead(302, { location: target }).end()
      const client = clientOf({ config: strict, host: 'music.example' })
      expect([target, await problemOf(client.call('ping'))]).toEqual([target, problem])
    }
    expect(requests.length).toBe(3)
    vi.mocked(isPublicAddress).mockReset()
  })

  test('follows at most three redirects, and none to another scheme', async () => {
    respond = ({ url }, response) => {
      const isLast = url?.startsWith('/moved')
      if (isLast) response.end(ok({}))
      else response.writeHead(301, { location: '/moved' }).end()
    }
    expect(await clientOf().call('ping')).toMatchObject({ status: 'ok' })
    respond = (_, response) => response.writeHead(302, { location: '/again' }).end()
    expect(await problemOf(clientOf().call('ping'))).toBe('The server redirects too many times.')
    respond = (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    expect(await problemOf(clientOf().call('ping'))).toMatch(/^The address must start with https/)
  })
})

describe('a list of songs', () => {
  const list = () => listRemoteSongs(clientOf(), async () => {})

  test('ends even if the server ignores the offset, and contains each song once', async () => {
    const song = [
      { id: 1, title: 'B', albumId: 'b', track: 2 },
      { id: 'x', title: 'A', albumId: 'b', track: 1 },
      { id: 'f', title: 'Folder', isDir: true },
      { title: 'No id' },
      { id: 'y' },
      7,
    ]
    respond = ({ url }, response) => {
      if (url?.includes('getAlbumList2')) {
        response.end(ok({ albumList2: { album: { id: 'b', recordLabels: [{ name: 'L' }] } } }))
      } else response.end(ok(url?.includes('search3') ? { searchResult3: { song } } : {}))
    }
    const songs = await list()
    expect(songs.map(({ id }) => id)).toEqual(['x', '1'])
    expect(songs[0]!.details.label).toBe('L')
    expect(requests.length).toBeLessThan(10)
  })

  test('is read from the albums if the search returns nothing', async () => {
    respond = ({ url }, response) => {
      const offset = Number(new URL(url ?? '', 'http://x').searchParams.get('offset'))
      const album = offset === 0 ? [{ id: 'one' }, { id: 'two' }] : []
      if (url?.includes('getAlbumList2')) response.end(ok({ albumList2: { album } }))
      else if (url?.includes('search3')) response.end(failed(0, 'No empty query'))
      else if (url?.includes('getAlbum')) {
        const id = new URL(url, 'http://x').searchParams.get('id')
        response.end(ok({ album: { song: [{ id: `s-${id}`, title: 'T', albumId: id }] } }))
      } else response.end(ok({}))
    }
    expect((await list()).map(({ id }) => id)).toEqual(['s-one', 's-two'])
  })

  test('is rejected if it never ends', async () => {
    let next = 0
    respond = ({ url }, response) => {
      const song = Array.from({ length: 500 }, () => ({ id: `s${next++}`, title: 'T' }))
      response.end(ok(url?.includes('search3') ? { searchResult3: { song } } : {}))
    }
    expect(await problemOf(list())).toBe('The server has too many songs.')
  })
})

describe('a song', () => {
  const detailsOf = (fields: object) =>
    readSong({ id: '1', title: 'T', ...fields }, new Map())!.details

  test('gets its credits from its artist line and its contributors', () => {
    const names = (...all: string[]) => all.map((name) => ({ id: name, name }))
    const line = 'Ada & Bo feat. Cy'
    expect(detailsOf({ displayArtist: line, artists: names('Ada', 'Bo', 'Cy') }).credits).toEqual([
      { name: 'Ada', role: 'main', joiner: ' & ' },
      { name: 'Bo', role: 'main', joiner: ' feat. ' },
      { name: 'Cy', role: 'featured', joiner: '' },
    ])
    expect(detailsOf({ artist: 'The Band', artists: names('Ada', 'Bo') }).credits).toEqual([])
    const contributors = [
      { role: 'composer', artist: { name: 'Di' } },
      { role: 'catering', artist: { name: 'Ed' } },
      { role: 'producer', artist: 'Fe' },
    ]
    expect(detailsOf({ artist: 'Ada', contributors }).credits).toEqual([
      { name: 'Ada', role: 'main' },
      { name: 'Di', role: 'composer' },
    ])
  })

  test('ignores fields of the wrong type', () => {
    const details = detailsOf({
      artist: 5,
      album: ['x'],
      genres: 'Pop',
      genre: { name: 'Pop' },
      year: '1999',
      moods: [1, 'Calm', 'calm', '\u202Ex\0y'],
      groupings: { 0: 'AI-generated' },
      artists: null,
    })
    expect(details).toMatchObject({ fields: { title: 'T' }, categories: [], credits: [] })
    expect(details.moods).toEqual(['calm', 'xy'])
    expect(details).not.toHaveProperty('ai_disclosure')
    expect(detailsOf({ groupings: ['AI-generated'] }).ai_disclosure).toBe('ai_generated')
    expect(readSong({ id: 'a\nb', title: 'T' }, new Map())).toBeNull()
  })

  test('gets lyrics with the timestamps of lines and words', () => {
    const line = [{ start: 1000, value: 'Slow rain' }, { start: 2500, value: 'End' }, { value: 5 }]
    const cue = [
      { start: 1000, value: 'Slow ' },
      { start: 1400, value: 'rain' },
    ]
    expect(toLrc({ synced: true, line, cueLine: [{ index: 0, cue }] })).toBe(
      '[00:01.00]<00:01.00>Slow <00:01.40>rain\n[00:02.50]End\n',
    )
    expect(toLrc({ synced: false, line })).toBe('Slow rain\nEnd\n')
    expect(toLrc({ synced: true, line: 'x' })).toBe('')
  })
})
