// Refuses changes that a page of another site sends with the cookie of our visitor (CSRF). SameSite cookies prevent
// most of them. This check prevents the others, such as those from sibling subdomains.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../operations/app-error.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Requests from Stripe are recognized by their signature header. No page can send this header together with a cookie.
 */
function isSignedByStripe({ url, headers }: FastifyRequest): boolean {
  return url.split('?')[0] === '/api/billing-webhook' && headers['stripe-signature'] !== undefined
}

/**
 * Subsonic apps in a browser send requests from their own origin. They authenticate with a device key instead of a
 * cookie.
 */
function readsNoCookie({ url }: FastifyRequest): boolean {
  return url.startsWith('/rest/')
}

export function refuseForeignOrigins(
  app: FastifyInstance,
  config: Pick<Config, 'publicUrl'>,
): void {
  const ownOrigin = new URL(config.publicUrl).origin
  app.addHook('onRequest', (request, _reply, done) => {
    const isOwn =
      safeMethods.has(request.method) ||
      isSignedByStripe(request) ||
      readsNoCookie(request) ||
      isSameOrigin(request, ownOrigin)
    done(isOwn ? undefined : new AppError('foreign_origin'))
  })
}

/**
 * Whether the request comes from a page of this service, or from a program, which sends no Origin. Browsers always
 * send the header, except for plain reads.
 */
function isSameOrigin(request: FastifyRequest, ownOrigin: string): boolean {
  const origin = request.headers.origin
  if (origin === undefined) return request.headers['sec-fetch-site'] !== 'cross-site'
  if (origin === ownOrigin) return true
  // The service may be opened under another of its names, such as localhost instead of 127.0.0.1.
  if (!URL.canParse(origin) || new URL(origin).host !== request.headers.host) return false
  // If PUBLIC_URL has no https, a proxy may terminate TLS without telling the server.
  if (!ownOrigin.startsWith('https:')) return true
  const { protocol, hostname } = new URL(origin)
  return protocol === `${request.protocol}:` && hostname !== new URL(ownOrigin).hostname
}
