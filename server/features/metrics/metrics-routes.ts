// The route GET /metrics. Requires the metrics token.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../platform/operations/app-error.ts'
import type { Metrics } from './metrics.ts'

export function metricsRoutes(
  app: FastifyInstance,
  { metrics, token }: { metrics: Metrics; token: string },
): void {
  const wanted = digest(`Bearer ${token}`)
  app.get('/metrics', async (request, reply) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), wanted)) {
      throw new AppError('unauthenticated', { headers: { 'www-authenticate': 'Bearer' } })
    }
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.read())
  })
}

/** Hashes a token. Both hashes have the same length, so they can be compared in constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
