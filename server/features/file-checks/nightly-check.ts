// Enqueues and runs the nightly check of all stored files, which reads them slowly.
import { sql } from 'kysely'
import { transaction, type Database } from '../../platform/db/database.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { checkFiles, type FileCheckOptions } from './check-files.ts'
import type { Storage } from '../../platform/storage/storage.ts'

/** Slow enough for a disk from which streams are also read. */
const bytesPerSecond = 20 * 1024 * 1024
/** Shorter than the maximum duration of a job. The check in the next night continues with the remaining files. */
const limitMs = 5 * 3600_000
/** The hours in which the check starts, in the server's local time. */
const nightHours = { from: 2, to: 5 }

/** Runs the nightly check. The alert `files_damaged` reports the result. */
export async function checkFilesSlowly(
  services: { db: Database; storage: Storage },
  { signal }: Pick<FileCheckOptions, 'signal'>,
): Promise<void> {
  await checkFiles(services, { signal, bytesPerSecond, limitMs, resume: true })
}

/** Enqueues the check at night, or at any hour if two nights were missed. */
export async function enqueueNightlyCheck(
  { db, jobs }: { db: Database; jobs: Pick<JobQueue, 'enqueue'> },
  now: Date,
): Promise<void> {
  const hour = now.getHours()
  const isNight = hour >= nightHours.from && hour < nightHours.to
  await transaction(db, async (trx) => {
    const { rows } = await sql<{ is_due: boolean }>`
      select coalesce(
        (select max(started_at) from file_checks),
        (select min(created_at) from profiles), now())
        < ${now.toISOString()}::timestamptz - make_interval(hours => ${isNight ? 20 : 48}) as is_due
    `.execute(trx.query)
    if (rows[0]!.is_due) await jobs.enqueue(trx, 'check-files', {}, { priority: -2 })
  })
}
