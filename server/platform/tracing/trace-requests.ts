// Records a span for each request. Its name is the route, because URLs contain ids, and queries may contain tokens.
import type { FastifyInstance } from 'fastify'
import { readTraceparent, type Tracer } from './tracer.ts'

export function traceRequests(app: FastifyInstance, tracer: Tracer | null): void {
  if (!tracer) return
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const header = request.headers['traceparent']
    const context = readTraceparent(typeof header === 'string' ? header : undefined)
    if (context === 'unsampled') return
    const { method } = request
    const route = request.routeOptions.url ?? 'unknown'
    tracer.record({
      name: `${method} ${route}`,
      kind: 'server',
      durationMs: reply.elapsedTime,
      isError: reply.statusCode >= 500,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': reply.statusCode,
        'velour.request_id': request.id,
      },
      ...(context && { context }),
    })
  })
}
