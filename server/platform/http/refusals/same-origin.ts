// Refuses changes that another site's page sends with our visitor's cookie (CSRF). SameSite cookies stop most of them;
// this stops the rest, such as those from sibling subdomains.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../operations/app-error.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Stripe's calls are recognized by their signature header, which no page can send along with a cookie. */
function isSignedByStripe({ url, headers }: FastifyRequest): boolean {
  return url.split('?')[0] === '/api/billing-webhook' && headers['stripe-signature'] !== undefined
}

/** Subsonic apps that run in a browser call from their own origin, with a device key. */
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

/** Programs send no Origin; browsers always send it for anything but plain reads. */
function isSameOrigin(request: FastifyRequest, ownOrigin: string): boolean {
  const origin = request.headers.origin
  if (origin === undefined) return request.headers['sec-fetch-site'] !== 'cross-site'
  if (origin === ownOrigin) return true
  // The same service under another of its names, such as localhost for 127.0.0.1.
  if (!URL.canParse(origin) || new URL(origin).host !== request.headers.host) return false
  // Without https in PUBLIC_URL a proxy may terminate TLS without announcing it.
  if (!ownOrigin.startsWith('https:')) return true
  const { protocol, hostname } = new URL(origin)
  return protocol === `${request.protocol}:` && hostname !== new URL(ownOrigin).hostname
}
