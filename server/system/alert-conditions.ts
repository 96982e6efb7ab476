// What the owner is told of. A new condition is one more line in the list.
import { sql } from 'kysely'
import { backupMaxAgeDays } from '#contract/admin-overview.ts'
import type { Services } from '../services.ts'
import { findFullestDisk, isStorageReachable } from './system-operations.ts'

export type AlertServices = Pick<
  Services,
  'config' | 'db' | 'disk' | 'heartbeat' | 'jobs' | 'log' | 'now' | 'secretBox' | 'storage'
>

export interface AlertCondition {
  /** In the subject of the mail, with spaces, and in the webhook. */
  name: string
  /** A sentence with what to do while it holds; null: it does not. Throws where that cannot be known. */
  check: (services: AlertServices) => Promise<string | null>
}

export const alertConditions: readonly AlertCondition[] = [
  { name: 'disk_low', check: checkDisk },
  { name: 'storage_away', check: checkStorage },
  { name: 'jobs_failed', check: checkFailedJobs },
  { name: 'backup_old', check: checkBackup },
]

async function checkDisk(services: AlertServices): Promise<string | null> {
  const { host, folder, free_bytes, total_bytes, level } = await findFullestDisk(services)
  if (level === 'ok') return null
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1)
  const disk = `The disk of ${host}${folder && ` (folder ${folder})`} has ${gigabytes(free_bytes)} of ${gigabytes(total_bytes)} GB free`
  return level === 'full'
    ? `${disk}: uploads are refused and new tracks wait. Make room.`
    : `${disk}. Make room before uploads are refused.`
}

async function checkStorage({ config, storage, log }: AlertServices): Promise<string | null> {
  if (await isStorageReachable(storage, log)) return null
  return config.s3
    ? `The bucket ${config.s3.bucket} does not answer, refuses the key, or is not that of this service. Run npm run doctor.`
    : 'The storage folder is away, or is not that of this service. Is its volume mounted? Run npm run doctor.'
}

async function checkFailedJobs({ jobs }: AlertServices): Promise<string | null> {
  const failed = (await jobs.count()).filter(({ state, count }) => state === 'failed' && count > 0)
  const count = failed.reduce((sum, job) => sum + job.count, 0)
  if (count === 0) return null
  const kinds = failed.map((job) => job.job).join(', ')
  return `${count} background ${count === 1 ? 'job has' : 'jobs have'} failed (${kinds}). Admin → System lists them with the reason.`
}

/** The same rule as on the overview: the demo alone needs no backup. */
async function checkBackup({ db }: AlertServices): Promise<string | null> {
  const { rows } = await sql<{ age_days: number | null; has_old_tracks: boolean }>`
    select floor(extract(epoch from now() - max(created_at)) / 86400)::float8 as age_days,
           exists (select from tracks t
                    where t.deleted_at is null and t.created_at < now() - make_interval(days => ${backupMaxAgeDays})
                      and not exists (select from demo_steps d where d.track_id = t.id)) as has_old_tracks
      from backups where missing_count = 0`.execute(db.query)
  const { age_days, has_old_tracks } = rows[0]!
  if (age_days === null) {
    return has_old_tracks ? 'There is no complete backup. Run npm run backup on the server.' : null
  }
  if (age_days < backupMaxAgeDays) return null
  return `The last complete backup is ${age_days} days old. Run npm run backup on the server.`
}
