import { expect, test, vi } from 'vitest'
import type { JobHandler } from './job-kinds.ts'
import { runWaitingJob, type RunContext, type WaitingJob } from './run-waiting-job.ts'
import { createRunningJobs } from './running-jobs.ts'

const job: WaitingJob = {
  id: 'job-1',
  name: 'process-track',
  data: { track_id: '6c1f6a9e-3f0b-4b7e-9a2f-0d5f3c1b2a11' },
  priority: 3,
  retryCount: 0,
  signal: new AbortController().signal,
}
const mail: WaitingJob = {
  ...job,
  name: 'send-mail',
  data: { sealed_mail: 'v1.x', expires_at: '2026-11-23T12:00:00Z' },
}

/** Creates a queue that records its calls, and handlers for every kind of job. */
function prepare(
  handle: (tries: {
    isLastAttempt: boolean
    signal: AbortSignal
  }) => Promise<void> = async () => {},
  { isFull = () => false }: { isFull?: () => boolean } = {},
) {
  const sent: unknown[] = []
  const deleted: string[] = []
  const lines: string[] = []
  const stop = new AbortController()
  const line = (level: string) => (_fields: unknown, text?: string) =>
    void lines.push(`${level}: ${text}`)
  const run = vi.fn<JobHandler<unknown>>((_payload, options) => handle(options))
  const context = {
    boss: {
      send: async (...given: unknown[]) => (sent.push(given), 'new'),
      deleteJob: async (_name: string, id: string) => void deleted.push(id),
    },
    log: { info: line('info'), warn: line('warn'), error: line('error') },
    tracer: null,
    running: createRunningJobs(),
    handlers: new Proxy({}, { get: () => run }),
    mustWait: async () => isFull(),
    stopping: stop.signal,
  } as unknown as RunContext
  return { context, sent, deleted, lines, stop, run }
}
const copy = { singletonKey: '6c1f6a9e-3f0b-4b7e-9a2f-0d5f3c1b2a11', priority: 3 }

test('runs the handler with the payload and logs the job', async () => {
  const { context, run, sent, lines } = prepare()
  await runWaitingJob(context, job)
  expect(run.mock.calls[0]?.[0]).toEqual(job.data)
  expect(sent).toEqual([])
  expect(lines).toEqual(['info: job done'])
})

test('throws the error, so that the queue retries the job', async () => {
  const { context, lines } = prepare(() => Promise.reject(new Error('no such codec')))
  await expect(runWaitingJob(context, job)).rejects.toThrow('no such codec')
  expect(lines).toEqual(['warn: job failed'])
})

test('logs the failure of the last attempt as an error', async () => {
  const seen: boolean[] = []
  const { context, lines } = prepare(({ isLastAttempt }) => {
    seen.push(isLastAttempt)
    return Promise.reject(new Error('still no such codec'))
  })
  await expect(runWaitingJob(context, { ...job, retryCount: 12 })).rejects.toThrow('still')
  expect(seen).toEqual([true])
  expect(lines).toEqual(['error: job failed'])
})

test('refuses a payload that is invalid for the kind of job', async () => {
  const { context, run } = prepare()
  await expect(runWaitingJob(context, { ...job, data: { track_id: 7 } })).rejects.toThrow()
  expect(run).not.toHaveBeenCalled()
})

test('defers a job that writes files while the disk is full', async () => {
  const { context, run, sent, lines } = prepare(undefined, { isFull: () => true })
  await runWaitingJob(context, job)
  expect(run).not.toHaveBeenCalled()
  expect(sent).toEqual([['process-track', job.data, { ...copy, startAfter: 30 }]])
  expect(lines).toEqual(['warn: job waits for disk space'])
})

test('sends emails while the disk is full', async () => {
  const { context, run, sent } = prepare(undefined, { isFull: () => true })
  await runWaitingJob(context, mail)
  expect(run).toHaveBeenCalledOnce()
  expect(sent).toEqual([])
})

test('defers a job that failed if the disk is full now', async () => {
  let isFull = false
  const { context, sent } = prepare(
    async () => {
      isFull = true
      throw new Error('ENOSPC')
    },
    { isFull: () => isFull },
  )
  await runWaitingJob(context, job)
  expect(sent).toEqual([['process-track', job.data, { ...copy, startAfter: 30 }]])
})

test('when the server stops, returns a job to the queue with all its retries', async () => {
  const { context, run, sent, stop, lines } = prepare(({ signal }) => {
    stop.abort(new Error('the server is stopping'))
    return Promise.reject(signal.aborted ? signal.reason : new Error('not aborted'))
  })
  await runWaitingJob(context, job)
  await runWaitingJob(context, job)
  expect(run).toHaveBeenCalledOnce()
  expect(sent).toEqual([
    ['process-track', job.data, copy],
    ['process-track', job.data, copy],
  ])
  expect(lines).toEqual([
    'info: job returned to the queue at shutdown',
    'info: job returned to the queue at shutdown',
  ])
})

test('deletes a job with an email once it is sent or returned to the queue, but not when it fails', async () => {
  const done = prepare()
  await runWaitingJob(done.context, mail)
  expect(done.deleted).toEqual(['job-1'])
  const failed = prepare(() => Promise.reject(new Error('refused')))
  await expect(runWaitingJob(failed.context, mail)).rejects.toThrow('refused')
  expect(failed.deleted).toEqual([])
  const stopped = prepare()
  stopped.stop.abort()
  await runWaitingJob(stopped.context, mail)
  expect(stopped.deleted).toEqual(['job-1'])
  expect(stopped.sent).toEqual([['send-mail', mail.data, { priority: 3 }]])
})
