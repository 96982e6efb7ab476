// Whoever changed something sees it in every list from then on, whichever instance and database answers: the position
// of their last write travels with them in a cookie.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { keepPlaying } from '#contract/playing.ts'
import { formatPosition, parsePosition, type Position, type Replica } from '../db/replica.ts'

const cookieName = 'velour.written'
/** Every standby that is asked at all has come past it by then. */
const keptSeconds = 60
const beyondAll: Position = 2n ** 64n - 1n
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Call it before the routes are registered. */
export function rememberOwnWrites(
  app: FastifyInstance,
  options: { replica: Pick<Replica, 'position'>; isHttps: boolean },
): void {
  const attributes = `Max-Age=${keptSeconds}; Path=/api; HttpOnly; SameSite=Lax${options.isHttps ? '; Secure' : ''}`
  app.addHook('onSend', async (request, reply) => {
    if (safeMethods.has(request.method) || reply.statusCode >= 400) return
    // Said every ten seconds by everybody who listens, and seen in no list.
    if (request.routeOptions.url === keepPlaying.path) return
    // A cookie's value may hold a slash, but not every client thinks so.
    const position = await options.replica.position().catch((error: unknown) => {
      // What was done is done: the answer says so, and the primary is read until this cookie ends.
      request.log.warn({ err: error }, 'no position was found')
      return beyondAll
    })
    const value = formatPosition(position).replace('/', '-')
    reply.header('set-cookie', `${cookieName}=${value}; ${attributes}`)
  })
}

export function findOwnWrites({ headers }: FastifyRequest): Position | null {
  const [, value] =
    /(?:^|;\s*)velour\.written=([0-9A-F]+-[0-9A-F]+)/.exec(headers.cookie ?? '') ?? []
  return value === undefined ? null : parsePosition(value.replace('-', '/'))
}
