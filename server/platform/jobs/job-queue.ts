// Background jobs, stored in PostgreSQL. A job that was enqueued in a committed transaction survives crashes of the
// server. Two jobs with the same key never run concurrently.
import type { FastifyBaseLogger } from 'fastify'
import { PgBoss, fromKysely } from 'pg-boss'
import * as z from 'zod/mini'
import { buildConnectionConfig } from '../db/connection-config.ts'
import type { Transaction } from '../db/database.ts'
import type { Tracer } from '../tracing/tracer.ts'
import {
  jobNames,
  getSingletonKey,
  getRetryPolicy,
  payloads,
  type JobHandlers,
  type JobName,
  type JobPayload,
} from './job-kinds.ts'
import { runWaitingJob } from './run-waiting-job.ts'
import { createRunningJobs } from './running-jobs.ts'

const heartbeatSeconds = 10
const pollIntervalSeconds = 2
/** Much shorter than the heartbeat timeout, so that one late heartbeat does not assign the job to another worker. */
const heartbeatRefreshSeconds = 2

/** Use a monotonic clock: with wall time, pg-boss stalls after the clock is set back. */
const monotonicClock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (run: () => void, ms: number) => setInterval(run, ms),
  clearInterval: (timer: unknown) => clearInterval(timer as NodeJS.Timeout),
}

export interface JobCount {
  job: string
  /** `deferred` jobs have a start time in the future, such as the next retry. */
  state: 'ready' | 'deferred' | 'active' | 'failed'
  count: number
}

export interface JobQueue {
  /**
   * Enqueues a job in the caller's transaction. If a job for the same track is running, the new one waits for it. If
   * one is already waiting, the new one is dropped, and the waiting job must include its change. So the caller must
   * hold a lock on the row it changed, and a job must first wait for that lock.
   */
  enqueue: <N extends JobName>(
    trx: Transaction,
    name: N,
    payload: JobPayload<N>,
    options?: { priority?: number; delaySeconds?: number },
  ) => Promise<void>
  /** Enqueues a job of the same kind for each of many tracks. */
  enqueueTracks: (
    trx: Transaction,
    name: Extract<JobName, 'process-track' | 'cut-preview' | 'retag-track'>,
    trackIds: readonly string[],
    options?: { priority?: number },
  ) => Promise<void>
  /** Enqueues a stored payload again. Throws if this version has no such kind of job. */
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
  /** Numbers of jobs, up to a few seconds old. */
  count: () => Promise<JobCount[]>
  /**
   * Aborts the jobs of this process, returns them to the queue and starts no more. Enqueueing still works. Call it on
   * the first stop signal, because a signal to the process group may end ffmpeg before the server.
   */
  interrupt: () => void
  /** Aborts the jobs, waits until they have ended and closes the connections. */
  stop: () => Promise<void>
}

/**
 * Timeout of queries, which detects dead connections. Passed through to pg, although pg-boss's types don't list it.
 */
const silenceLimits = { query_timeout: 60_000 }

interface QueueOptions {
  connectionString: string
  log: FastifyBaseLogger
  tracer?: Pick<Tracer, 'record'> | null
}

/** Opens the queue and creates its tables on first use. */
export async function openJobQueue({ tracer = null, ...options }: QueueOptions): Promise<JobQueue> {
  const { log } = options
  const boss = await startBoss(options)
  const stopping = new AbortController()
  const running = createRunningJobs()
  const interrupt = () => {
    if (stopping.signal.aborted) return
    stopping.abort(new Error('the server is stopping'))
    for (const name of jobNames) {
      boss.offWork(name, { wait: false }).catch((error: unknown) => {
        log.warn({ err: error, job: name }, 'a worker of the job queue could not be stopped')
      })
    }
  }
  return {
    ...createEnqueue(boss),
    async work(handlers, concurrency, mustWait) {
      const context = { boss, log, tracer, running, handlers, mustWait, stopping: stopping.signal }
      const options = {
        localConcurrency: concurrency,
        includeMetadata: true,
        pollingIntervalSeconds: pollIntervalSeconds,
        // Delayed jobs send no NOTIFY, so poll for them.
        notifyPollingIntervalSeconds: pollIntervalSeconds,
        heartbeatRefreshSeconds,
      } as const
      for (const name of jobNames) {
        await boss.work(name, options, async (jobs) => {
          for (const job of jobs) await runWaitingJob(context, { ...job, name })
        })
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

async function startBoss({ connectionString, log }: QueueOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    ...buildConnectionConfig(connectionString),
    application_name: 'velour-jobs',
    max: 3,
    ...silenceLimits,
    // The database owner creates the schema, and pg-boss creates the tables in it.
    schema: 'jobs',
    createSchema: false,
    // How often pg-boss looks for the jobs of a killed server, to retry them.
    superviseIntervalSeconds: 5,
    // pg-boss caches which jobs are running, to keep jobs with the same key waiting. By default the cache is up to a
    // minute old, which would delay a job that was returned to the queue.
    queueCacheIntervalSeconds: pollIntervalSeconds,
    monitorIntervalSeconds: 10,
    schedule: false,
    clock: monotonicClock,
    reindex: false,
    // Starts a job when its transaction commits, instead of at the next poll.
    useListenNotify: true,
  })
  boss.on('error', (error) => log.error({ err: error }, 'job queue'))
  await boss.start()
  for (const name of jobNames) {
    await boss.createQueue(name, {
      policy: name === 'send-mail' ? 'standard' : 'stately',
      ...getRetryPolicy(name),
      retryBackoff: true,
      heartbeatSeconds,
      expireInSeconds: 6 * 3600,
      notify: true,
    })
  }
  return boss
}

function createEnqueue(boss: PgBoss): Pick<JobQueue, 'enqueue' | 'enqueueTracks' | 'enqueueAgain'> {
  return {
    async enqueue(trx, name, payload, { priority = 0, delaySeconds = 0 } = {}) {
      const db = fromKysely(trx.query)
      const options = { ...getSingletonKey(name, payload), priority, startAfter: delaySeconds }
      await boss.send(name, payload, { db, ...options })
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
      const db = fromKysely(trx.query)
      const parsed = z.parse(payloads[known], payload)
      await boss.send(known, parsed, { db, ...getSingletonKey(known, payload), priority })
    },
  }
}
