// Runs updates of the lists of similar tracks. Triggers mark changed tracks, and the worker's periodic task enqueues an
// update for them at most once a minute.
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { transaction } from '../../platform/db/database.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { staleAfterDays } from './update-all-neighbors.ts'

const threadMemoryMebibytes = 512

export async function updateNeighbors(
  { connectionString, log }: Pick<PlatformServices, 'connectionString' | 'log'>,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted()
  const startMs = performance.now()
  const thread = new Worker(new URL('./neighbor-thread.ts', import.meta.url), {
    workerData: { connectionString },
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMebibytes },
  })
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  thread.once('message', resolve).once('error', reject)
  thread.once('exit', () =>
    reject(new Error('the thread exited before the comparison of tracks was complete')),
  )
  // The thread is terminated on abort. PostgreSQL then rolls back its uncommitted changes.
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const tracks = await promise
    const elapsedMs = Math.round(performance.now() - startMs)
    log.debug({ tracks, elapsed_ms: elapsedMs }, 'similar tracks updated')
  } finally {
    signal.removeEventListener('abort', stop)
    await thread.terminate()
  }
}

export async function enqueueNeighborUpdates({
  db,
  jobs,
}: Pick<PlatformServices, 'db' | 'jobs'>): Promise<void> {
  const { rows } = await sql<{ is_due: boolean }>`
    select exists (select from neighbour_updates)
        or exists (select from track_neighbours
                    where computed_at < now() - make_interval(days => ${staleAfterDays + 1})) as is_due
  `.execute(db.query)
  if (!rows[0]!.is_due) return
  await transaction(db, (trx) => jobs.enqueue(trx, 'update-neighbours', {}, { priority: -1 }))
}
