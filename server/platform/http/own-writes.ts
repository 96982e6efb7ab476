// Read-your-writes consistency: after a client's write, all of its requests return the change, whichever instance or
// standby serves them. A cookie carries the WAL position of the client's last write.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { keepPlaying } from '#contract/playing.ts'
import { formatPosition, parsePosition, type Position, type Replica } from '../replica/replica.ts'

const cookieName = 'velour.written'
/** The cookie expires after this time, because every standby in use has then replayed the position. */
const cookieLifetimeSeconds = 60
const maxPosition: Position = 2n ** 64n - 1n
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Sets the cookie after writes. Call it before the routes are registered. */
export function trackOwnWrites(
  app: FastifyInstance,
  options: { replica: Pick<Replica, 'position'>; isHttps: boolean },
): void {
  const attributes = `Max-Age=${cookieLifetimeSeconds}; Path=/api; HttpOnly; SameSite=Lax${options.isHttps ? '; Secure' : ''}`
  app.addHook('onSend', async (request, reply) => {
    if (safeMethods.has(request.method) || reply.statusCode >= 400) return
    // Every playing client sends a heartbeat every ten seconds. No list contains heartbeats, so they need no cookie.
    if (request.routeOptions.url === keepPlaying.path) return
    const position = await options.replica.position().catch((error: unknown) => {
      // The write is committed, so the response must succeed. With the maximum position, reads use the primary until
      // the cookie expires.
      request.log.warn({ err: error }, 'the WAL position could not be read')
      return maxPosition
    })
    // A slash is allowed in a cookie value, but some clients reject it.
    const value = formatPosition(position).replace('/', '-')
    reply.header('set-cookie', `${cookieName}=${value}; ${attributes}`)
  })
}

export function findOwnWrites({ headers }: FastifyRequest): Position | null {
  const [, value] =
    /(?:^|;\s*)velour\.written=([0-9A-F]+-[0-9A-F]+)/.exec(headers.cookie ?? '') ?? []
  return value === undefined ? null : parsePosition(value.replace('-', '/'))
}
