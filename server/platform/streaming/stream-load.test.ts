// Tests many slow listeners: the server's memory must depend on their number, not on the size of the files.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openDiskStorage } from '../storage/disk-storage.ts'
import type { LoadStats } from './stream-load-child.ts'
import { buffersBytes } from './stream-body.ts'

const megabyte = 1024 * 1024
const listeners = 400
const files = 8
const fileBytes = 24 * megabyte

let folder: string
let server: ChildProcess
let port: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-stream-load-'))
  const storage = await openDiskStorage(folder)
  const bytes = Buffer.alloc(fileBytes, 'velour')
  for (let i = 0; i < files; i++) await storage.put(`audio/${i}.m4a`, bytes)
  server = fork(new URL('./stream-load-child.ts', import.meta.url), [folder], {
    execArgv: ['--expose-gc'],
  })
  const [started] = (await once(server, 'message')) as [{ port: number }]
  port = started.port
})
afterAll(async () => {
  server.disconnect()
  await once(server, 'exit')
  await rm(folder, { recursive: true })
})

async function stats(): Promise<LoadStats> {
  server.send('?')
  const [response] = (await once(server, 'message')) as [LoadStats]
  return response
}

async function openListener(i: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.pause()
  const start = (i * 104_729) % (4 * megabyte)
  socket.write(`GET /${i % files}.m4a HTTP/1.1\r\nhost: x\r\nrange: bytes=${start}-\r\n\r\n`)
  return socket
}

function readLittle(socket: Socket): number {
  const bytes: Buffer | null = socket.read(Math.min(socket.readableLength, 64 * 1024))
  return bytes?.length ?? 0
}

test(
  `${listeners} slow listeners need only one small chunk of memory each`,
  { timeout: 60_000 },
  async () => {
    // Runs the code until it is optimized, so that this does not affect the measurement.
    for (let i = 0; i < files * 3; i++) {
      const response = await fetch(`http://127.0.0.1:${port}/${i % files}.m4a`)
      await response.arrayBuffer()
    }
    const before = await stats()

    const sockets = await Promise.all(Array.from({ length: listeners }, (_, i) => openListener(i)))
    await vi.waitFor(async () => expect((await stats()).activeResponses).toBe(listeners), 10_000)
    let received = 0
    let most = before
    while (received < 150 * megabyte) {
      for (const socket of sockets) received += readLittle(socket)
      await sleep(10)
      const now = await stats()
      if (now.arrayBuffers > most.arrayBuffers) most = now
    }
    const during = await stats()

    expect(during.activeResponses).toBe(listeners)
    expect(during.openFiles).toBe(files)
    // With chunks of 64 KiB, it would be 25 MB, and grow with every listener.
    expect(most.arrayBuffers - before.arrayBuffers).toBeLessThan(buffersBytes + 4 * megabyte)
    // Without back-pressure it would be gigabytes. The limit leaves room for the garbage on the heap.
    expect(during.rss - before.rss).toBeLessThan(100 * megabyte)

    for (const socket of sockets) socket.destroy()
    await vi.waitFor(async () => expect((await stats()).activeResponses).toBe(0), 10_000)
    console.info(
      `rss +${((during.rss - before.rss) / megabyte).toFixed(0)} MB, ` +
        `buffers +${((most.arrayBuffers - before.arrayBuffers) / megabyte).toFixed(1)} MB with ${listeners} listeners`,
    )
  },
)
