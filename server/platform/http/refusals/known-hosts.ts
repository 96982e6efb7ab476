// Refuses requests with an unknown Host. A web page can point its own name at this machine (DNS rebinding) and would
// then share an origin with the service. A literal IP address cannot be rebound, so it is accepted.
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isLoopback, type Config } from '../../config/config.ts'
import { AppError } from '../../operations/app-error.ts'
import { parseHostname } from './local-request.ts'

/** Health checks and metrics collectors use other host names. None of these paths reads a cookie. */
const pathsForAnyHost = new Set(['/healthz', '/readyz', '/metrics'])

export function refuseUnknownHosts(
  app: FastifyInstance,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): void {
  const ownName = normalize(new URL(publicUrl).hostname)
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const name = normalize(parseHostname(raw.headers.host ?? ''))
    const isKnown =
      name === '' ||
      name === ownName ||
      isLoopback(name) ||
      isIP(name.replace(/^\[|\]$/g, '')) !== 0 ||
      pathsForAnyHost.has(raw.url?.split('?', 1)[0] ?? '')
    done(isKnown ? undefined : new AppError('misdirected_request'))
  })
}

/** A trailing dot names the same host. */
function normalize(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}
