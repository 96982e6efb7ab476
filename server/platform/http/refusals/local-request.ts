// Distinguishes requests from this machine from those of other machines, which arrive directly or through a proxy or
// tunnel.
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../../config/config.ts'

const proxyHeader = /^(?:forwarded|x-forwarded(?:-.+)?|x-real-ip|via)$/

/** Whether the request comes from this machine, with a loopback host name and without a proxy. */
export function isLocalRequest({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return (
    isLoopback((raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
    isLoopback(parseHostname(raw.headers.host ?? '')) &&
    !Object.keys(raw.headers).some((name) => proxyHeader.test(name))
  )
}

/** The host name of a Host header, without the port. */
export function parseHostname(host: string): string {
  return host.replace(/:\d*$/, '')
}
