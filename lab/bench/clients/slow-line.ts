// A network line with latency: a proxy on this machine that delays all data. It also delays the first bytes of each new
// connection by a round trip, because a local connection opens without one.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SlowLine {
  url: string
  close: () => Promise<void>
}

/** @param roundTripMs from a request to its response, without the time of the server */
export async function openSlowLine(target: string, roundTripMs: number): Promise<SlowLine> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      socket.setNoDelay(true)
      open.add(socket)
      socket.on('close', () => open.delete(socket))
      // A browser resets connections of canceled requests.
      socket.on('error', () => socket.destroy())
    }
    pass(near, far, { delayMs: roundTripMs / 2, firstDelayMs: roundTripMs })
    pass(far, near, { delayMs: roundTripMs / 2, firstDelayMs: 0 })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Keeps the order of the pieces and the time between them. */
function pass(
  from: Socket,
  to: Socket,
  { delayMs, firstDelayMs }: { delayMs: number; firstDelayMs: number },
): void {
  const openAt = performance.now() + firstDelayMs
  let before: Promise<unknown> = Promise.resolve()
  const later = (act: () => void) => {
    const at = Math.max(performance.now(), openAt) + delayMs
    before = before.then(async () => {
      await sleep(Math.max(0, at - performance.now()))
      if (!to.destroyed) act()
    })
  }
  from.on('data', (bytes) => later(() => to.write(bytes)))
  from.on('end', () => later(() => to.end()))
  from.on('close', () => later(() => to.destroy()))
}
