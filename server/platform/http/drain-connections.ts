// Connection draining behind a proxy. The proxy may send a request on a kept-alive connection just as the server closes
// it. The proxy cannot tell whether the request was processed, so it does not retry, and a write fails. Therefore the
// server sends `Connection: close` on a connection in use before it closes it.
import { Server } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * When `app` closes, new connections are refused immediately. Requests on open connections still get responses, each
 * with `Connection: close` (RFC 9112, 9.6), which Fastify adds automatically. The remaining connections are closed
 * after `drainMs` milliseconds; those idle until then were not used by the proxy.
 */
export function drainConnections(app: FastifyInstance, drainMs: number): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    await acceptWaitingConnections(app.server)
    // Not the HTTP server's own `close`: it also closes idle connections.
    const drained = new Promise<void>((resolve) => {
      Server.prototype.close.call(app.server, () => resolve())
    })
    await Promise.race([drained, sleep(drainMs, undefined, { ref: false })])
  })
}

/** More rounds than connections can wait in the accept backlog. */
const maxRounds = 5_000

/**
 * Connections in the accept backlog are established and may carry a request; closing the socket would reset them.
 * Each round of the event loop accepts one. Stop accepting right after a round without a new connection.
 */
async function acceptWaitingConnections(server: Server): Promise<void> {
  let accepted = 0
  const count = () => void accepted++
  server.on('connection', count)
  // The rest of the event-loop round in which the shutdown began.
  await setImmediate()
  for (let rounds = 0, before = -1; accepted !== before && rounds < maxRounds; rounds++) {
    before = accepted
    await setImmediate()
  }
  server.off('connection', count)
}
