// Background jobs, stored in PostgreSQL. A job enqueued in a committed transaction survives crashes of the server.
// Two jobs with the same key never run concurrently.
import type { FastifyBaseLogger } from 'fastify'
import { PgBoss, fromKysely } from 'pg-boss'
import * as z from 'zod/mini'
import { connectionConfig } from '../db/connection-config.ts'
import type { Transaction } from '../db/database.ts'
import type { Tracer } from '../tracing/tracer.ts'
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
/** Much shorter than the heartbeat timeout, so that one late refresh does not hand the job to another worker. */
const heartbeatRefreshSeconds = 2
/** How long a job is deferred while the disk is full. */
const waitForRoomSeconds = 30

/** Monotonic clock: with the wall clock pg-boss stalls after the clock is set back. */
const steadyClock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (run: () => void, ms: number) => setInterval(run, ms),
  clearInterval: (timer: unknown) => clearInterval(timer as NodeJS.Timeout),
}

export interface JobCount {
  job: string
  /** `deferred` jobs wait for their start time, such as the next retry. */
  state: 'ready' | 'deferred' | 'active' | 'failed'
  count: number
}

export interface JobQueue {
  /**
   * Enqueues in the caller's transaction. A second job for the same track waits for the first; a third is dropped.
   * The waiting job must still see the change behind the dropped one. So the caller holds a lock on the row it changed,
   * and a job starts by waiting for that lock.
   */
  enqueue: <N extends JobName>(
    trx: Transaction,
    name: N,
    payload: JobPayload<N>,
    options?: { priority?: number },
  ) => Promise<void>
  /** Enqueues the same kind of job for many tracks. */
  enqueueTracks: (
    trx: Transaction,
    name: Extract<JobName, 'process-track' | 'cut-preview' | 'retag-track'>,
    trackIds: readonly string[],
    options?: { priority?: number },
  ) => Promise<void>
  /** Enqueues a stored payload again. Throws for a kind of job that this version does not have. */
  enqueueAgain: (
    trx: Transaction,
    name: string,
    payload: unknown,
    priority: number,
  ) => Promise<void>
  /**
   * Starts processing jobs, up to `concurrency` of each kind at a time. While `mustWait` returns true, jobs that write
   * files are deferred without using up a retry.
   */
  work: (
    handlers: JobHandlers,
    concurrency: number,
    mustWait: () => Promise<boolean>,
  ) => Promise<void>
  /** Job counts, a few seconds old. */
  count: () => Promise<JobCount[]>
  /**
   * Aborts the jobs of this process, returns them to the queue and starts no more. Enqueueing still works. Call it on
   * the first shutdown signal: a signal to the process group may end ffmpeg before the server.
   */
  interrupt: () => void
  /** Aborts the jobs, waits until they have ended and closes the connections. */
  stop: () => Promise<void>
}

/** Query timeout for dead connections. Passed straight to pg; pg-boss's types don't list it. */
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
    // The database owner creates the schema. pg-boss manages the tables in it.
    schema: 'jobs',
    createSchema: false,
    // How soon the jobs of a killed server are retried.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 10,
    schedule: false,
    clock: steadyClock,
    reindex: false,
    // Start a job when its transaction commits, not at the next poll.
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
      /** Sends a delayed copy; the current job then completes. A job already waiting for the track serves as well. */
      const defer = async (job: WaitingJob) => {
        const startAfter = waitForRoomSeconds
        const { name, data, priority } = job
        await boss.send(name, data as object, { ...keyOf(name, data), priority, startAfter })
        options.log.warn({ job: name, job_id: job.id }, 'job waits for room on the disk')
      }
      /** Shutdown uses up no retry: a new job runs in another process or after the next start. */
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
            // Delayed jobs send no NOTIFY, so poll for them.
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
                // If the disk is full now, assume that it caused the failure.
                if (!mayWait || !(await mustWait())) throw error
                await defer(job)
              }
              // Delete the mail now: even encrypted, its link gives access to an account.
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
