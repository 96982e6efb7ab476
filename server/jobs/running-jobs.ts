// What this process works on. A job whose signs of life did not reach the database for a while is given out again,
// perhaps to the process in which it still runs: then the earlier run ends before the later one begins.

export interface RunningJobs {
  /** Runs `work` once no earlier run of this job is under way. Its signal ends it when a later one comes. */
  alone: <T>(jobId: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>
}

interface Run {
  giveWay: AbortController
  ended: Promise<void>
}

export function createRunningJobs(): RunningJobs {
  const runs = new Map<string, Run>()
  return {
    async alone(jobId, work) {
      for (let earlier = runs.get(jobId); earlier; earlier = runs.get(jobId)) {
        earlier.giveWay.abort(new Error('this job was given out again'))
        await earlier.ended
      }
      const giveWay = new AbortController()
      const { promise: ended, resolve } = Promise.withResolvers<void>()
      const run = { giveWay, ended }
      runs.set(jobId, run)
      try {
        return await work(giveWay.signal)
      } finally {
        runs.delete(jobId)
        resolve()
      }
    },
  }
}
