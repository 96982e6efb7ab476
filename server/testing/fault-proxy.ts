// A TCP proxy between a server and a dependency. It forwards everything until it is set to refuse connections, delay,
// stay silent, or cut connections after a number of bytes.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export type Fault =
  | 'none'
  /** Refuses new connections and closes open ones. */
  | 'away'
  /** Accepts data and sends no response. */
  | 'silent'
  /** Delays every chunk of a response. */
  | { delayMs: number }
  /** Closes each connection after this many bytes of requests or responses. */
  | { cutAfterBytes: number; of: 'requests' | 'responses' }

export interface FaultProxy {
  port: number
  /** Sets the fault. It takes effect immediately, also for open connections. */
  make: (fault: Fault) => Promise<void>
  close: () => Promise<void>
}

export async function startFaultProxy(target: NetConnectOpts): Promise<FaultProxy> {
  let fault: Fault = 'none'
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target)
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      // When one side closes or fails, close the other side as well.
      socket.on('error', end)
      socket.once('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    client.pipe(injectFault('requests', () => fault, end)).pipe(upstream)
    upstream.pipe(injectFault('responses', () => fault, end)).pipe(client)
  })
  const open = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  await open(0)
  const { port } = server.address() as AddressInfo

  return {
    port,
    async make(next) {
      fault = next
      if (next === 'away' && server.listening) {
        const closed = once(server, 'close')
        server.close()
        endAll()
        await closed
      } else if (next !== 'away' && !server.listening) await open(port)
      // Close all connections, because data was dropped, which would leave a gap in the stream.
      if (next === 'none') endAll()
    },
    async close() {
      endAll()
      if (server.listening) {
        server.close()
        await once(server, 'close')
      }
    },
  }
}

function injectFault(
  direction: 'requests' | 'responses',
  fault: () => Fault,
  end: () => void,
): Transform {
  let passed = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const now = fault()
      if (now === 'silent') return direction === 'requests' ? done() : undefined
      if (typeof now === 'object' && 'delayMs' in now && direction === 'responses') {
        setTimeout(done, now.delayMs, null, chunk)
        return undefined
      }
      passed += chunk.length
      if (
        typeof now === 'object' &&
        'of' in now &&
        now.of === direction &&
        passed > now.cutAfterBytes
      ) {
        end()
        return undefined
      }
      return done(null, chunk)
    },
  })
}
