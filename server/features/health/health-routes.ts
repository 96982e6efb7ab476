// Health checks: whether the process is alive, and whether it can serve requests.
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { createProbeResponse, probeHeader } from './installation-probe.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'

/**
 * How long a result is reused. The health check needs no rate limit, because it queries the database at most once in
 * this time.
 */
const resultLifetimeMs = 1000
/**
 * Time limit of the query, so that a health check gets a response even if the database accepts connections but does not
 * respond.
 */
const queryTimeoutMs = 1500

export function healthRoutes(
  app: FastifyInstance,
  services: Pick<PlatformServices, 'db' | 'isStopping' | 'build' | 'secretBox'>,
  options: { queryTimeoutMs?: number } = {},
): void {
  const hasDatabase = shareQuery(async () => {
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
    const response = createProbeResponse(services.secretBox, request)
    if (response !== null) reply.header(probeHeader, response)
    return reply.header('cache-control', 'no-store').send(alive)
  })
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (services.isStopping()) return reply.code(503).send({ status: 'stopping' })
    if (await resolveWithin(options.queryTimeoutMs ?? queryTimeoutMs, hasDatabase()))
      return reply.send({ status: 'ready' })
    return reply.code(503).send({ status: 'database unavailable' })
  })
}

/** Returns false on timeout. The query continues, and later health checks use its result. */
async function resolveWithin(timeoutMs: number, query: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  return Promise.race([query, late]).finally(() => clearTimeout(timer))
}

/** Runs one query at a time and shares its result with all callers for one second. */
function shareQuery(run: () => Promise<boolean>): () => Promise<boolean> {
  let result: Promise<boolean> | null = null
  let isRunning = false
  let startedAtMs = 0
  return () => {
    if (result && (isRunning || performance.now() - startedAtMs < resultLifetimeMs)) return result
    isRunning = true
    startedAtMs = performance.now()
    result = run().finally(() => {
      isRunning = false
    })
    return result
  }
}
