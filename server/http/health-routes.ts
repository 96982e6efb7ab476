// For whoever watches the server: is the process alive, and can it serve?
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'

/** Anybody may ask, as often as they like: the database is asked once in this time. */
const answerLifetimeMs = 1000

export function healthRoutes(
  app: FastifyInstance,
  services: Pick<Services, 'db' | 'isStopping'>,
): void {
  const hasDatabase = shareAnswers(async () => {
    try {
      await sql`select 1`.execute(services.db.query)
      return true
    } catch (error) {
      app.log.warn({ err: error }, 'not ready: the database does not answer')
      return false
    }
  })
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  )
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (services.isStopping()) return reply.code(503).send({ status: 'stopping' })
    if (await hasDatabase()) return reply.send({ status: 'ready' })
    return reply.code(503).send({ status: 'database unavailable' })
  })
}

/** One question at a time, and its answer for all who come until it is a second old. */
function shareAnswers(ask: () => Promise<boolean>): () => Promise<boolean> {
  let answer: Promise<boolean> | null = null
  let isAsking = false
  let askedAtMs = 0
  return () => {
    if (answer && (isAsking || performance.now() - askedAtMs < answerLifetimeMs)) return answer
    isAsking = true
    askedAtMs = performance.now()
    answer = ask().finally(() => {
      isAsking = false
    })
    return answer
  }
}
