// Requests random ranges of files without a pause. Uses plain sockets that all read into one buffer, because a real
// HTTP client would use more CPU than the servers.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export const rangeBytes = 128 * 1024
export const connections = 16
const memory = Buffer.allocUnsafe(512 * 1024)

export interface RangeTarget {
  host: string
  port: number
  paths: string[]
  /** Session cookies, assigned to the connections in turn. Empty if the server has no sign-in. */
  cookies: readonly string[]
  fileBytes: number
}

interface State {
  count: number
  isOver: boolean
}

/**
 * Returns milliseconds per response, and the CPU time of this client as a fraction of one core. If that is below 1, the
 * client did not limit the result. `spent` returns the CPU seconds that the server has used so far.
 */
export async function requestRanges(
  target: RangeTarget,
  forMs: number,
  spent: () => number = () => 0,
): Promise<{ perRangeMs: number; processorMs: number; clientShare: number }> {
  const state: State = { count: 0, isOver: false }
  const clients = Array.from({ length: connections }, (_, i) => runClient(target, i, state))
  const failure = Promise.race(clients)
  await Promise.race([sleep(forMs / 4), failure])
  const [start, before, spentBefore] = [performance.now(), state.count, spent()]
  const own = process.cpuUsage()
  await Promise.race([sleep(forMs), failure])
  const count = state.count - before
  const passedMs = performance.now() - start
  const { user, system } = process.cpuUsage(own)
  const result = {
    perRangeMs: passedMs / count,
    processorMs: ((spent() - spentBefore) * 1000) / count,
    clientShare: (user + system) / 1000 / passedMs,
  }
  state.isOver = true
  await Promise.all(clients)
  return result
}

async function runClient(target: RangeTarget, index: number, state: State): Promise<void> {
  const cookie = target.cookies[index % target.cookies.length]
  const headers = cookie === undefined ? '' : `cookie: ${cookie}\r\n`
  let missing = -1
  const next = () => {
    const start = Math.floor(Math.random() * (target.fileBytes - rangeBytes))
    const path = target.paths[Math.floor(Math.random() * target.paths.length)]
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}range: bytes=${start}-${start + rangeBytes - 1}\r\n\r\n`,
    )
  }
  const take = (byteCount: number, bytes: Uint8Array): boolean => {
    missing = missing < 0 ? rangeBytes - bodyBytes(bytes, byteCount) : missing - byteCount
    if (missing > 0) return true
    missing = -1
    state.count++
    if (state.isOver) socket.end()
    else next()
    return true
  }
  const socket = connect({
    host: target.host,
    port: target.port,
    onread: { buffer: memory, callback: take },
  })
  await once(socket, 'connect')
  next()
  await once(socket, 'close')
  if (!state.isOver) throw new Error('The server closed a connection in the middle')
}

function bodyBytes(bytes: Uint8Array, byteCount: number): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(byteCount, 4096))
  const end = text.indexOf('\r\n\r\n') + 4
  const head = text.toString('latin1', 0, end)
  if (!head.startsWith('HTTP/1.1 206')) throw new Error(`Answered ${head.split('\r\n')[0]}`)
  return byteCount - end
}
