// A proxy on this machine that delays all data, like a network with latency. It delays the first bytes of a connection
// by one more round trip, because opening a local connection takes none.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SlowLine {
  url: string
  close: () => Promise<void>
}

/** @param roundTripMs the delay from a request to its response, in addition to the time that the server takes */
export async function openSlowLine(target: string, roundTripMs: number): Promise<SlowLine> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) {
      socket.setNoDelay(true)
      open.add(socket)
      socket.on('close', () => open.delete(socket))
      // Browsers reset the connection of a canceled request.
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

/** Passes data on after a delay, in the same order and with the same intervals. */
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
