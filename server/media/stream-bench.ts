// Measures random ranges of 128 KiB per second against a bare node:http server that does one positioned read and
// nothing else. Run: node server/media/stream-bench.ts
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync, read } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDiskStorage } from '../storage/disk-storage.ts'

const megabyte = 1024 * 1024
const rangeBytes = 128 * 1024
const fileBytes = 8 * megabyte
const connections = 16
const roundMs = 4000

if (process.argv[2] === 'bare') serveBare(process.argv[3]!)
else await measure()

/** The least that a server can do: no router, no session, no conditions, no missing files. */
function serveBare(folder: string): void {
  const files = new Map<string, number>()
  const server = createServer((request, response) => {
    const [start, end] = request.headers.range!.slice('bytes='.length).split('-').map(Number)
    const target = Buffer.allocUnsafe(end! + 1 - start!)
    read(files.get(request.url!)!, target, 0, target.length, start!, () => {
      response.writeHead(206, {
        'content-type': 'audio/mp4',
        'content-length': target.length,
        'content-range': `bytes ${start}-${end}/${fileBytes}`,
      })
      response.end(target)
    })
  })
  for (let i = 0; i < 20; i++) {
    files.set(`/${i}.m4a`, openSync(join(folder, 'objects', 'audio', `${i}.m4a`), 'r'))
  }
  server.listen(0, '127.0.0.1', () =>
    process.send?.({ port: (server.address() as AddressInfo).port }),
  )
  process.on('disconnect', () => process.exit())
}

async function measure(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-stream-bench-'))
  const storage = await openDiskStorage(folder)
  for (let i = 0; i < 20; i++) await storage.put(`audio/${i}.m4a`, Buffer.alloc(fileBytes, 'v'))
  for (const [name, fileCount] of [
    ['2 files, 16 MB: all hot', 2],
    ['20 files, 160 MB: beyond the cache', 20],
  ] as const) {
    const results: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
    for (let round = 0; round < 3; round++) {
      for (const kind of ['ours', 'bare'] as const) {
        const server =
          kind === 'ours'
            ? fork(new URL('./stream-load-child.ts', import.meta.url), [folder])
            : fork(new URL(import.meta.url), ['bare', folder])
        results[kind].push(await rangesPerSecond(server, fileCount))
        server.disconnect()
        await once(server, 'exit')
      }
    }
    const [ours, bare] = [median(results.ours), median(results.bare)]
    console.log(
      `${name}: ours ${ours.toFixed(0)}/s, bare ${bare.toFixed(0)}/s, ratio ${(ours / bare).toFixed(2)}`,
    )
  }
  await rm(folder, { recursive: true })
}

async function rangesPerSecond(server: ChildProcess, fileCount: number): Promise<number> {
  const [{ port }] = (await once(server, 'message')) as [{ port: number }]
  const state = { count: 0, isOver: false }
  const clients = Array.from({ length: connections }, () => runClient(port, fileCount, state))
  await new Promise((resolve) => setTimeout(resolve, roundMs / 4))
  const before = state.count
  const start = performance.now()
  await new Promise((resolve) => setTimeout(resolve, roundMs))
  const perSecond = ((state.count - before) / (performance.now() - start)) * 1000
  state.isOver = true
  await Promise.all(clients)
  return perSecond
}

/** Bare sockets: a real HTTP client would cost more than the servers do. */
async function runClient(
  port: number,
  fileCount: number,
  state: { count: number; isOver: boolean },
) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const next = () => {
    const start = Math.floor(Math.random() * (fileBytes - rangeBytes))
    const file = Math.floor(Math.random() * fileCount)
    socket.write(
      `GET /${file}.m4a HTTP/1.1\r\nhost: x\r\nrange: bytes=${start}-${start + rangeBytes - 1}\r\n\r\n`,
    )
  }
  let missing = -1
  next()
  socket.on('data', (chunk) => {
    missing =
      missing < 0
        ? rangeBytes - (chunk.length - (chunk.indexOf('\r\n\r\n') + 4))
        : missing - chunk.length
    if (missing > 0) return
    missing = -1
    state.count++
    if (state.isOver) socket.end()
    else next()
  })
  await once(socket, 'close')
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
