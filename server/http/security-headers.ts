// What every answer tells the browser about whom to trust. The same for all, so it is put together once: doing that
// for each answer was a tenth of the time of a kept list.
import type { FastifyInstance } from 'fastify'

interface PolicyOptions {
  isHttps: boolean
  /** Origins of an object store that uploads go straight to. */
  bringsTo: readonly string[]
  /** Origins, of it or of a CDN, that audio comes straight from. */
  loadsFrom: readonly string[]
}

/**
 * What no page of ours asks for, and so no script that got into one. Not among them is the picture of one's own tab,
 * which browsers give to nobody without asking: our tests hear through it what a listener hears.
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

export type SecurityHeaders = ReturnType<typeof securityHeaders>

export function sendSecurityHeaders(app: FastifyInstance, headers: SecurityHeaders): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

export function securityHeaders(options: PolicyOptions) {
  return {
    'content-security-policy': contentPolicy(options),
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

/** Scripts and styles only from here; style attributes stay allowed, which the components need. */
function contentPolicy(options: PolicyOptions): string {
  const { isHttps, bringsTo, loadsFrom } = options
  const listed = (origins: Iterable<string>) => [...origins].map((origin) => ` ${origin}`).join('')
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `media-src 'self' blob:${listed(loadsFrom)}`,
    "font-src 'self'",
    `connect-src 'self'${listed(new Set([...loadsFrom, ...bringsTo]))}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join(';')
}
