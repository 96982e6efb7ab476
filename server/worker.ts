// What this process does in the background: jobs from the queue, and sweeping up what nobody owns.
import { availableParallelism } from 'node:os'
import { cutPreview, cutStalePreviews } from './tracks/cut-preview.ts'
import { processTrack } from './tracks/process-track.ts'
import { retagTrack } from './tracks/retag-track.ts'
import type { Services } from './services.ts'
import { sweepStorageGarbage } from './storage/storage-garbage.ts'

const sweepIntervalMs = 60_000

/** Starts working. `stop` ends it; unfinished jobs are taken up by the next start. */
export async function startWorker(services: Services): Promise<{ stop: () => Promise<void> }> {
  const concurrency = Math.max(1, availableParallelism() - 1)
  await services.jobs.work(
    {
      'process-track': ({ track_id }, job) => processTrack(services, track_id, job),
      'cut-preview': ({ track_id }, job) => cutPreview(services, track_id, job),
      'cut-stale-previews': (_, job) => cutStalePreviews(services, job),
      'retag-track': ({ track_id }, job) => retagTrack(services, track_id, job),
    },
    concurrency,
  )
  let sweeping: Promise<unknown> = Promise.resolve()
  const sweep = () => {
    sweeping = sweeping
      .then(() => sweepStorageGarbage(services.db, services.storage, services.now()))
      .catch((error: unknown) => services.log.warn({ err: error }, 'sweeping failed'))
  }
  sweep()
  const timer = setInterval(sweep, sweepIntervalMs)
  return {
    async stop() {
      clearInterval(timer)
      await sweeping
    },
  }
}
