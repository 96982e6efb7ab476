// For whoever watches the server: is the process alive, and can it serve?
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'

export function healthRoutes(
  app: FastifyInstance,
  services: Pick<Services, 'db' | 'isStopping'>,
): void {
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (services.isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      await sql`select 1`.execute(services.db.query)
      return reply.send({ status: 'ready' })
    } catch (error) {
      request.log.warn({ err: error }, 'not ready: the database does not answer')
      return reply.code(503).send({ status: 'database unavailable' })
    }
  })
}
