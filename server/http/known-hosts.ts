// Refuses requests under a name that is not ours. A web page can point its own name at this machine (DNS rebinding) and
// would then share an origin with the service. An address in figures cannot be pointed elsewhere, so it stays welcome.
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isLoopback, type Config } from '../config.ts'
import { AppError } from './app-error.ts'
import { hostnameOf } from './local-request.ts'

/** Asked by probes and collectors under names of their own; none of them goes by a cookie. */
const openToAnyName = new Set(['/healthz', '/readyz', '/metrics'])

export function refuseUnknownHosts(
  app: FastifyInstance,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): void {
  const ownName = normalize(new URL(publicUrl).hostname)
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const name = normalize(hostnameOf(raw.headers.host ?? ''))
    const isKnown =
      name === '' ||
      name === ownName ||
      isLoopback(name) ||
      isIP(name.replace(/^\[|\]$/g, '')) !== 0 ||
      openToAnyName.has(raw.url?.split('?', 1)[0] ?? '')
    done(isKnown ? undefined : new AppError('misdirected_request'))
  })
}

/** A dot at the end names the same host. */
function normalize(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}
