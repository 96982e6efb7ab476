// For whoever watches the server: is the process alive, and can it serve?
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { answerInstallationQuestion, questionHeader } from '../doctor/installation-question.ts'
import type { Services } from '../services.ts'

/** Anybody may ask, as often as they like: the database is asked once in this time. */
const answerLifetimeMs = 1000
/** A probe is answered within 2 s, even while the database accepts connections without answering. */
const patienceMs = 1500

export function healthRoutes(
  app: FastifyInstance,
  services: Pick<Services, 'db' | 'isStopping' | 'build' | 'secretBox'>,
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
    const answer = answerInstallationQuestion(services.secretBox, request)
    if (answer !== null) reply.header(questionHeader, answer)
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

/** False when there is no answer in time; the question goes on, and its answer serves later probes. */
async function answerWithin(timeoutMs: number, answer: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
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
