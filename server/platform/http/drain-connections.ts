// Connection draining behind a proxy. Without it, the proxy may send a request on a kept-alive connection at the
// moment when the server closes it. The proxy can't know whether the request was processed, so it doesn't retry, and
// a write fails. Therefore the server sends `Connection: close` on a connection in use before closing it.
import { Server } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * When `app` closes, new connections are refused immediately. Requests on open connections still get responses, each
 * with `Connection: close` (RFC 9112, 9.6), which Fastify adds automatically. All remaining connections are closed
 * after `drainMs` milliseconds, because the proxy did not use them in that time.
 */
export function drainConnections(app: FastifyInstance, drainMs: number): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    await acceptWaitingConnections(app.server)
    // The `close` of the HTTP server would also close idle connections, so call that of the TCP server.
    const drained = new Promise<void>((resolve) => {
      Server.prototype.close.call(app.server, () => resolve())
    })
    await Promise.race([drained, sleep(drainMs, undefined, { ref: false })])
  })
}

/** Higher than the number of connections that the accept backlog can hold. */
const maxRounds = 5_000

/**
 * Connections in the accept backlog are established and may already carry a request. Closing the socket would reset
 * them. Each round of the event loop accepts one connection, so stop accepting after the first round without a new
 * one.
 */
async function acceptWaitingConnections(server: Server): Promise<void> {
  let accepted = 0
  const count = () => void accepted++
  server.on('connection', count)
  // Waits for the end of the event-loop round in which the shutdown began.
  await setImmediate()
  for (let rounds = 0, before = -1; accepted !== before && rounds < maxRounds; rounds++) {
    before = accepted
    await setImmediate()
  }
  server.off('connection', count)
}
