// Connection draining: how a server ends that proxies stand before. A proxy may send a request upon a connection that it
// holds in the very moment in which this is closed here. It cannot know whether the request was carried out, so it does
// not ask another instance, and somebody's write has failed. So no connection is closed that did not hear of it first.
import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * When `app` closes, new connections are refused at once, and what comes upon held ones is answered, each with
 * `Connection: close` (RFC 9112, 9.6), which Fastify adds by itself from then on. What still idles after `drainMs`
 * milliseconds, or after the last connection, is closed: no proxy had a use for it in all that time.
 */
export function drainConnections(app: FastifyInstance, drainMs: number): void {
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    // Not the HTTP server's own `close`, which closes the idle connections, too.
    const drained = new Promise<void>((resolve) => {
      Server.prototype.close.call(app.server, () => resolve())
    })
    await Promise.race([drained, sleep(drainMs, undefined, { ref: false })])
  })
}
