// Simulates many listeners in a separate process. Each reads at playback speed, some seconds ahead. When told to stop,
// the process reports how many listeners ran out of data.
import { connect, type Socket } from 'node:net'
import type { ListenersReport, ListenersTask } from './listener-crowd.ts'

/** 256 kbit/s, the high quality. */
const bytesPerSecond = 32 * 1024
const aheadSeconds = 5
const tickMs = 500
const startSpreadMs = 2_000
/** All sockets read into this buffer, because only the number of bytes counts. */
const memory = Buffer.allocUnsafe(64 * 1024)

class Listener {
  receivedBytes = 0
  ranDry = 0
  isClosed = false
  private readonly socket: Socket
  private heardSince: number | null = null

  constructor(task: ListenersTask, index: number) {
    this.socket = connect({
      host: '127.0.0.1',
      port: task.port,
      onread: { buffer: memory, callback: (count, bytes) => this.take(count, bytes) },
    })
    const start = (index * 104_729) % (task.fileBytes / 2)
    const path = task.paths[index % task.paths.length]
    const cookie = task.cookies[index]
    const signedIn = cookie === undefined ? '' : `cookie: ${cookie}\r\n`
    this.socket.write(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${signedIn}range: bytes=${start}-\r\n\r\n`,
    )
    this.socket.on('error', (error) => console.error(`A listener was cut off: ${error.message}`))
    this.socket.on('close', () => (this.isClosed = true))
  }

  /** Runs every half second. Counts if data is missing, and reads more if needed, like a player. */
  tick(): void {
    if (this.receivedBytes < this.heardBytes()) this.ranDry++
    if (this.wantsMore()) this.socket.resume()
  }

  close(): void {
    this.socket.destroy()
  }

  private take(byteCount: number, bytes: Uint8Array): boolean {
    if (this.heardSince === null) {
      this.heardSince = performance.now()
      const head = Buffer.from(bytes.buffer, bytes.byteOffset, 12).toString('latin1')
      if (head !== 'HTTP/1.1 206') throw new Error(`A listener got ${head}`)
    }
    this.receivedBytes += byteCount
    return this.wantsMore()
  }

  private heardBytes(): number {
    if (this.heardSince === null) return 0
    return ((performance.now() - this.heardSince) / 1000) * bytesPerSecond
  }

  private wantsMore(): boolean {
    return this.receivedBytes < this.heardBytes() + aheadSeconds * bytesPerSecond
  }
}

process.once('message', (task: ListenersTask) => {
  const listeners: Listener[] = []
  const opening = setInterval(() => {
    const due = Math.ceil((task.count * tickMs) / 10 / startSpreadMs)
    for (let i = 0; i < due && listeners.length < task.count; i++) {
      listeners.push(new Listener(task, listeners.length))
    }
    if (listeners.length < task.count) return
    clearInterval(opening)
    process.send?.('all are there')
  }, tickMs / 10)
  setInterval(() => listeners.forEach((listener) => listener.tick()), tickMs)
  process.once('message', () => {
    const report: ListenersReport = {
      ran_dry: listeners.filter(({ ranDry }) => ranDry > 0).length,
      without_sound: listeners.filter(({ receivedBytes }) => receivedBytes === 0).length,
      cut_off: listeners.filter(({ isClosed }) => isClosed).length,
      received_bytes: listeners.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0),
    }
    process.send?.(report, () => process.exit())
    listeners.forEach((listener) => listener.close())
  })
})
process.on('disconnect', () => process.exit())
