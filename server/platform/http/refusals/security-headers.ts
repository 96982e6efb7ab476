// Security headers of every response. They are the same for all, so they are built once: building them for each
// response took a tenth of the time of a cached list.
import type { FastifyInstance } from 'fastify'

interface PolicyOptions {
  isHttps: boolean
  /** Origins of an object store to which browsers upload directly. */
  uploadsTo: readonly string[]
  /** Origins of the object store or CDN from which browsers load audio directly. */
  loadsFrom: readonly string[]
}

/**
 * Browser features that none of our pages uses. They are disabled, so that an injected script can't use them either.
 * Capturing the page's own tab stays enabled: browsers ask the user first, and our tests record audio with it.
 */
const unusedFeatures = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
]

export type SecurityHeaders = ReturnType<typeof buildSecurityHeaders>

export function sendSecurityHeaders(app: FastifyInstance, headers: SecurityHeaders): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

export function buildSecurityHeaders(options: PolicyOptions) {
  return {
    'content-security-policy': buildContentPolicy(options),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': unusedFeatures.map((feature) => `${feature}=()`).join(', '),
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    ...(options.isHttps && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

/**
 * Allows scripts and styles only from this origin. Style attributes stay allowed, because the components need them.
 */
function buildContentPolicy(options: PolicyOptions): string {
  const { isHttps, uploadsTo, loadsFrom } = options
  const listed = (origins: Iterable<string>) => [...origins].map((origin) => ` ${origin}`).join('')
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `media-src 'self' blob:${listed(loadsFrom)}`,
    "font-src 'self'",
    `connect-src 'self'${listed(new Set([...loadsFrom, ...uploadsTo]))}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join(';')
}
