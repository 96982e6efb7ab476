// Tells requests of this machine itself from those that came from outside, directly or through a proxy or tunnel.
import type { FastifyRequest } from 'fastify'
import { isLoopback } from '../config.ts'

const proxyHeader = /^(?:forwarded|x-forwarded(?:-.+)?|x-real-ip|via)$/

/** Whether the sender is on this machine, named it by a loopback name, and no proxy stands in between. */
export function isLocalRequest({ raw }: Pick<FastifyRequest, 'raw'>): boolean {
  return (
    isLoopback((raw.socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
    isLoopback(hostnameOf(raw.headers.host ?? '')) &&
    !Object.keys(raw.headers).some((name) => proxyHeader.test(name))
  )
}

/** Of a Host header, without its port. */
export function hostnameOf(host: string): string {
  return host.replace(/:\d*$/, '')
}
