// Runs every benchmark once on a tiny data set, only to check that it works. A fake server stands in for the Subsonic
// server that Velour is compared with.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const songBytes = Buffer.alloc(1024 * 1024, 'song')
let folder: string
let subsonic: Server

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-bench-smoke-'))
  subsonic = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://subsonic.test')
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    if (pathname === '/rest/stream.view' && range) {
      const bytes = songBytes.subarray(Number(range[1]), Number(range[2]) + 1)
      response.writeHead(206, { 'content-length': bytes.length })
      return response.end(bytes)
    }
    const song = { id: '1', title: 'A Song', size: songBytes.length }
    const randomSongs = pathname === '/rest/getRandomSongs.view' ? { song: [song] } : undefined
    response.end(JSON.stringify({ 'subsonic-response': { status: 'ok', randomSongs } }))
  })
  await new Promise<void>((resolve) => subsonic.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  subsonic.close()
  await rm(folder, { recursive: true })
})

test('a smoke run of the benchmarks completes all measurements', { timeout: 240_000 }, async () => {
  const { port } = subsonic.address() as AddressInfo
  const peer = `Stand-in=http://127.0.0.1:${port},someone,a-password`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      'lab/bench/main.ts',
      '--smoke',
      `--folder=${folder}`,
      `--subsonic=${peer}`,
    ],
    { cwd: root },
  )
  const ran = [
    ...stdout.matchAll(/^(\S+), smoke data set\n(?: .*\n)* {2}(\d+) of (\d+) goals met/gm),
  ]
  expect(ran.map((match) => match[1])).toEqual([
    'browse',
    'search',
    'plans',
    'lists',
    'exports',
    'stream',
    'listeners',
    'ingest',
    'start',
    'first-load',
    'delivery',
    'player',
    'public-pages',
    'long-list',
    'growth',
    'subsonic-sync',
    'subsonic-Stand-in',
  ])
})
