// Health checks: whether the process is alive, and whether it can serve requests.
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { answerProbe, probeHeader } from './installation-probe.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'

/** Polling has no rate limit, because the database is queried at most once in this time. */
const answerLifetimeMs = 1000
/** Time limit of the query. A probe gets a response even if the database accepts connections but does not respond. */
const patienceMs = 1500

export function healthRoutes(
  app: FastifyInstance,
  services: Pick<PlatformServices, 'db' | 'isStopping' | 'build' | 'secretBox'>,
  options: { patienceMs?: number } = {},
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
  const alive = { status: 'ok', ...services.build }
  app.get('/healthz', async (request, reply) => {
    const answer = answerProbe(services.secretBox, request)
    if (answer !== null) reply.header(probeHeader, answer)
    return reply.header('cache-control', 'no-store').send(alive)
  })
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (services.isStopping()) return reply.code(503).send({ status: 'stopping' })
    if (await answerWithin(options.patienceMs ?? patienceMs, hasDatabase()))
      return reply.send({ status: 'ready' })
    return reply.code(503).send({ status: 'database unavailable' })
  })
}

/** Returns false on timeout. The query continues, and later probes use its result. */
async function answerWithin(timeoutMs: number, answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Runs one query at a time and shares its result with all callers for one second. */
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
