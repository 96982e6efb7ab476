// Connection draining: how a server ends that proxies stand before. A proxy may send a request upon a connection that it
// holds in the very moment in which this is closed here. It cannot know whether the request was carried out, so it does
// not ask another instance, and somebody's write has failed. So no connection is closed that did not hear of it first.
import { Server } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * When `app` closes, new connections are refused at once, and what comes upon held ones is answered, each with
 * `Connection: close` (RFC 9112, 9.6), which Fastify adds by itself from then on. What still idles after `drainMs`
 * milliseconds, or after the last connection, is closed: no proxy had a use for it in all that time.
 */
export function drainConnections(app: FastifyInstance, drainMs: number): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    await letWaitingIn(app.server)
    // Not the HTTP server's own `close`, which closes the idle connections, too.
    const drained = new Promise<void>((resolve) => {
      Server.prototype.close.call(app.server, () => resolve())
    })
    await Promise.race([drained, sleep(drainMs, undefined, { ref: false })])
  })
}

/** More than may wait at once. */
const mostRounds = 5_000

/**
 * Whoever waits for being accepted is connected already, may have sent something, and would be reset with it. A round of
 * the event loop accepts one of them; the door is closed right after a round in which nobody came.
 */
async function letWaitingIn(server: Server): Promise<void> {
  let accepted = 0
  const count = () => void accepted++
  server.on('connection', count)
  // The rest of the round in which the stop was heard.
  await setImmediate()
  for (let rounds = 0, before = -1; accepted !== before && rounds < mostRounds; rounds++) {
    before = accepted
    await setImmediate()
  }
  server.off('connection', count)
}
