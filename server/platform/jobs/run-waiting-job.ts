// Runs one job from the queue and decides its outcome: done, failed, deferred or returned to the queue.
import type { FastifyBaseLogger } from 'fastify'
import type { PgBoss } from 'pg-boss'
import * as z from 'zod/mini'
import type { Tracer } from '../tracing/tracer.ts'
import {
  getSingletonKey,
  getRetryPolicy,
  payloads,
  writesFiles,
  type JobHandler,
  type JobHandlers,
  type JobName,
} from './job-kinds.ts'
import type { RunningJobs } from './running-jobs.ts'

/** How long a job is deferred while the disk is full. */
const diskFullDelaySeconds = 30

export interface WaitingJob {
  id: string
  name: JobName
  data: unknown
  priority: number
  /** Number of earlier attempts. */
  retryCount: number
  /** Aborted when the queue reassigns the job. */
  signal: AbortSignal
}

export interface RunContext {
  boss: Pick<PgBoss, 'send' | 'deleteJob'>
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  tracer: Pick<Tracer, 'record'> | null
  running: Pick<RunningJobs, 'alone'>
  handlers: JobHandlers
  /** Whether the disk is full. */
  mustWait: () => Promise<boolean>
  /** Aborted when the server stops. */
  stopping: AbortSignal
}

/** Runs a job. Throws if it failed, so that the queue retries it. */
export async function runWaitingJob(context: RunContext, job: WaitingJob): Promise<void> {
  const { boss, mustWait, stopping } = context
  const mayWait = writesFiles(job.name)
  if (stopping.aborted) return requeue(context, job)
  if (mayWait && (await mustWait())) return defer(context, job)
  try {
    await callHandler(context, job)
  } catch (error) {
    if (stopping.aborted) return requeue(context, job)
    // If the disk is full now, assume that this caused the failure.
    if (mayWait && (await mustWait())) return defer(context, job)
    throw error
  }
  // Deleted now, because the link in an email gives access to an account, even though it is encrypted.
  if (job.name === 'send-mail') await boss.deleteJob(job.name, job.id)
}

/**
 * Enqueues a delayed copy of the job, so that the current one can complete. If a job for the track is already
 * waiting, no copy is needed.
 */
async function defer({ boss, log }: RunContext, job: WaitingJob): Promise<void> {
  const { id, name, data, priority } = job
  const startAfter = diskFullDelaySeconds
  await boss.send(name, data as object, { ...getSingletonKey(name, data), priority, startAfter })
  log.warn({ job: name, job_id: id }, 'job waits for disk space')
}

/**
 * Enqueues a new job when the server stops, so that no retry is used up. It runs in another process or after the next
 * start.
 */
async function requeue({ boss, log }: RunContext, job: WaitingJob): Promise<void> {
  const { id, name, data, priority } = job
  await boss.send(name, data as object, { ...getSingletonKey(name, data), priority })
  if (name === 'send-mail') await boss.deleteJob(name, id)
  log.info({ job: name, job_id: id }, 'job returned to the queue at shutdown')
}

async function callHandler(context: RunContext, job: WaitingJob): Promise<void> {
  const { running, handlers, stopping } = context
  const payload = z.parse(payloads[job.name], job.data)
  const isLastAttempt = job.retryCount >= getRetryPolicy(job.name).retryLimit
  // The handler belongs to the name of the job, but TypeScript cannot infer that.
  const handler = handlers[job.name] as JobHandler<unknown>
  await running.alone(job.id, (superseded) =>
    logRun(context, { ...job, isLastAttempt }, () =>
      handler(payload, {
        signal: AbortSignal.any([job.signal, stopping, superseded]),
        isLastAttempt,
      }),
    ),
  )
}

async function logRun(
  { log, tracer, stopping }: RunContext,
  job: { id: string; name: string; isLastAttempt: boolean },
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
      const level = job.isLastAttempt ? 'error' : 'warn'
      log[level]({ job: job.name, job_id: job.id, ms, err: error }, 'job failed')
    }
    throw error
  }
}
