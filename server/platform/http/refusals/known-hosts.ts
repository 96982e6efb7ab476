// Refuses requests with an unknown Host header. A malicious page can point its own host name at this machine (DNS
// rebinding), which would give it the same origin as the service. IP addresses can't be used for that, so they are
// accepted.
import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isLoopback, type Config } from '../../config/config.ts'
import { AppError } from '../../operations/app-error.ts'
import { parseHostname } from './local-request.ts'

/** Health checks and metrics collectors may use other host names. None of these paths reads a cookie. */
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

/** A name with a trailing dot is the same host. */
function normalize(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}
