// The jobs that this process is running. If a job's heartbeats do not reach the database for a while, the queue
// assigns the job again, perhaps to the process that is still running it. The earlier run is then ended before the
// new one starts.

export interface RunningJobs {
  /**
   * Runs `work` after all earlier runs of this job have ended. If the job is started again, the signal is aborted.
   */
  alone: <T>(jobId: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>
}

interface Run {
  superseded: AbortController
  ended: Promise<void>
}

export function createRunningJobs(): RunningJobs {
  const runs = new Map<string, Run>()
  return {
    async alone(jobId, work) {
      for (let earlier = runs.get(jobId); earlier; earlier = runs.get(jobId)) {
        earlier.superseded.abort(new Error('this job was dispatched again'))
        await earlier.ended
      }
      const superseded = new AbortController()
      const { promise: ended, resolve } = Promise.withResolvers<void>()
      const run = { superseded, ended }
      runs.set(jobId, run)
      try {
        return await work(superseded.signal)
      } finally {
        runs.delete(jobId)
        resolve()
      }
    },
  }
}
