// Background work, kept in Postgres: what was enqueued in a committed transaction is done, however
// often the server dies meanwhile; one job per key is never run twice at once.
import type { FastifyBaseLogger } from 'fastify'
import { PgBoss, fromKysely } from 'pg-boss'
import * as z from 'zod/mini'
import { connectionConfig } from '../db/connection-config.ts'
import type { Transaction } from '../db/database.ts'
import type { Tracer } from '../metrics/tracer.ts'
import {
  jobNames,
  keyOf,
  patienceOf,
  payloads,
  writesFiles,
  type JobHandler,
  type JobHandlers,
  type JobName,
  type JobPayload,
} from './job-kinds.ts'
import { createRunningJobs } from './running-jobs.ts'

const heartbeatSeconds = 10
const lookEverySeconds = 2
/** Often, so that one that comes late is no reason to give the job to another. */
const heartbeatRefreshSeconds = 2
/** How long a job is deferred that finds no room for its files. */
const waitForRoomSeconds = 30

/** Runs on when the system's clock is set: the queue would sleep for as long as that was set back. */
const steadyClock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (run: () => void, ms: number) => setInterval(run, ms),
  clearInterval: (timer: unknown) => clearInterval(timer as NodeJS.Timeout),
}

export interface JobCount {
  job: string
  /** `deferred` ones wait for their next try. */
  state: 'ready' | 'deferred' | 'active' | 'failed'
  count: number
}

export interface JobQueue {
  /**
   * Enqueues in the caller's transaction. A second job for the same track waits for the first, a third one is left out: so
   * that the second sees what made the third necessary, the caller holds the row that it changed, and a job begins by
   * waiting for that row.
   */
  enqueue: <N extends JobName>(
    trx: Transaction,
    name: N,
    payload: JobPayload<N>,
    options?: { priority?: number },
  ) => Promise<void>
  /** Enqueues the same kind of job for many tracks at once. */
  enqueueTracks: (
    trx: Transaction,
    name: Extract<JobName, 'process-track' | 'cut-preview' | 'retag-track'>,
    trackIds: readonly string[],
    options?: { priority?: number },
  ) => Promise<void>
  /** Enqueues what was enqueued before, as it was kept. Throws for what this version does not know. */
  enqueueAgain: (
    trx: Transaction,
    name: string,
    payload: unknown,
    priority: number,
  ) => Promise<void>
  /**
   * Starts working off jobs, `concurrency` of each kind at once. Those that write files are deferred, without using up
   * a try, for as long as `mustWait`.
   */
  work: (
    handlers: JobHandlers,
    concurrency: number,
    mustWait: () => Promise<boolean>,
  ) => Promise<void>
  /** How many jobs there are, as of a few seconds ago. */
  count: () => Promise<JobCount[]>
  /**
   * Interrupts the jobs of this process, which return to the queue, and starts no more. Enqueueing goes on. Call it at the
   * first sign of a shutdown: a signal to the process group ends ffmpeg before the server.
   */
  interrupt: () => void
  /** Interrupts the jobs, waits for their end and closes the connections. */
  stop: () => Promise<void>
}

/** A line that swallows everything is given up: for the driver, of which the queue's types know less. */
const silenceLimits = { query_timeout: 60_000 }

/** Opens the queue, creating its tables on first use. */
export async function openJobQueue(options: {
  connectionString: string
  log: FastifyBaseLogger
  tracer?: Pick<Tracer, 'record'> | null
}): Promise<JobQueue> {
  const boss = new PgBoss({
    ...connectionConfig(options.connectionString),
    application_name: 'velour-jobs',
    max: 3,
    ...silenceLimits,
    // Made by the owner of the database; what is inside is the queue's own.
    schema: 'jobs',
    createSchema: false,
    // How soon the work of a killed server is taken up again.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 10,
    schedule: false,
    clock: steadyClock,
    reindex: false,
    // A job is begun when its transaction is over, not with the next look.
    useListenNotify: true,
  })
  const stopping = new AbortController()
  const running = createRunningJobs()
  boss.on('error', (error) => options.log.error({ err: error }, 'job queue'))
  await boss.start()
  for (const name of jobNames) {
    await boss.createQueue(name, {
      policy: name === 'send-mail' ? 'standard' : 'stately',
      ...patienceOf(name),
      retryBackoff: true,
      heartbeatSeconds,
      expireInSeconds: 6 * 3600,
      notify: true,
    })
  }

  const interrupt = () => {
    if (stopping.signal.aborted) return
    stopping.abort(new Error('the server is stopping'))
    for (const name of jobNames) {
      boss.offWork(name, { wait: false }).catch((error: unknown) => {
        options.log.warn(
          { err: error, job: name },
          'a worker of the job queue could not be stopped',
        )
      })
    }
  }

  return {
    async enqueue(trx, name, payload, { priority = 0 } = {}) {
      await boss.send(name, payload, {
        db: fromKysely(trx.query),
        ...keyOf(name, payload),
        priority,
      })
    },
    async enqueueTracks(trx, name, trackIds, { priority = 0 } = {}) {
      const jobs = trackIds.map((track_id) => ({
        data: { track_id },
        singletonKey: track_id,
        priority,
      }))
      await boss.insert(name, jobs, { db: fromKysely(trx.query) })
    },
    async enqueueAgain(trx, name, payload, priority) {
      const known = jobNames.find((own) => own === name)
      if (!known) throw new TypeError(`There is no job ${name}`)
      await boss.send(known, z.parse(payloads[known], payload), {
        db: fromKysely(trx.query),
        ...keyOf(known, payload),
        priority,
      })
    },
    async work(handlers, concurrency, mustWait) {
      /** A new one takes its place; the one that waits already for the same track will do, too. */
      const defer = async (job: WaitingJob) => {
        const startAfter = waitForRoomSeconds
        const { name, data, priority } = job
        await boss.send(name, data as object, { ...keyOf(name, data), priority, startAfter })
        options.log.warn({ job: name, job_id: job.id }, 'job waits for room on the disk')
      }
      /** A stop uses up no try. The new job runs in another process, or at the next start. */
      const requeue = async (job: WaitingJob) => {
        const { name, data, priority } = job
        await boss.send(name, data as object, { ...keyOf(name, data), priority })
        if (name === 'send-mail') await boss.deleteJob(name, job.id)
        options.log.info({ job: name, job_id: job.id }, 'job returned to the queue by a stop')
      }
      for (const name of jobNames) {
        await boss.work(
          name,
          {
            localConcurrency: concurrency,
            includeMetadata: true,
            pollingIntervalSeconds: lookEverySeconds,
            // Nothing tells of those whose time comes.
            notifyPollingIntervalSeconds: lookEverySeconds,
            heartbeatRefreshSeconds,
          },
          async (jobs) => {
            for (const job of jobs) {
              if (stopping.signal.aborted) {
                await requeue(job)
                continue
              }
              const mayWait = writesFiles(name)
              if (mayWait && (await mustWait())) {
                await defer(job)
                continue
              }
              const payload = z.parse(payloads[name], job.data)
              const isLastTry = job.retryCount >= patienceOf(name).retryLimit
              const work = (givesWay: AbortSignal) =>
                // The names match by construction; the compiler cannot follow the union.
                (handlers[name] as JobHandler<unknown>)(payload, {
                  signal: AbortSignal.any([job.signal, stopping.signal, givesWay]),
                  isLastTry,
                })
              try {
                await running.alone(job.id, (givesWay) =>
                  runJob(options, { ...job, isLastTry }, stopping.signal, () => work(givesWay)),
                )
              } catch (error) {
                if (stopping.signal.aborted) {
                  await requeue(job)
                  continue
                }
                // It was the disk that filled up meanwhile, as far as anybody can tell.
                if (!mayWait || !(await mustWait())) throw error
                await defer(job)
              }
              // Even sealed, a key to an account stays no longer than it is needed.
              if (name === 'send-mail') await boss.deleteJob(name, job.id)
            }
          },
        )
      }
    },
    async count() {
      const queues = await boss.getQueues(jobNames)
      return queues.flatMap((queue): JobCount[] => [
        { job: queue.name, state: 'ready', count: queue.readyCount },
        { job: queue.name, state: 'deferred', count: queue.deferredCount },
        { job: queue.name, state: 'active', count: queue.activeCount },
        { job: queue.name, state: 'failed', count: queue.failedCount },
      ])
    },
    interrupt,
    async stop() {
      interrupt()
      await boss.stop({ graceful: true, timeout: 5000, close: true })
    },
  }
}

interface WaitingJob {
  id: string
  name: string
  data: unknown
  priority: number
}

async function runJob(
  { log, tracer }: { log: FastifyBaseLogger; tracer?: Pick<Tracer, 'record'> | null },
  job: { id: string; name: string; isLastTry: boolean },
  stopping: AbortSignal,
  run: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now()
  const end = (isError: boolean) => {
    const durationMs = performance.now() - startedAt
    const attributes = { 'velour.job_id': job.id }
    tracer?.record({ name: `job ${job.name}`, kind: 'consumer', durationMs, isError, attributes })
    return Math.round(durationMs)
  }
  try {
    await run()
    log.info({ job: job.name, job_id: job.id, ms: end(false) }, 'job done')
  } catch (error) {
    const ms = end(!stopping.aborted)
    if (!stopping.aborted) {
      const level = job.isLastTry ? 'error' : 'warn'
      log[level]({ job: job.name, job_id: job.id, ms, err: error }, 'job failed')
    }
    throw error
  }
}
