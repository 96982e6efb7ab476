// The status of backups: the current run, the result of the last run, and whether a complete backup is overdue.
import { sql } from 'kysely'
import { backupMaxAgeDays } from '#contract/admin/admin-overview.ts'
import type { BackupStatus } from '#contract/admin/admin-system.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { namePlace } from '../../platform/config/backup-place.ts'
import { findLastTimes, findNextTime } from '../../platform/config/backup-schedule.ts'

/** A run saves its progress every two seconds. After this time without progress, its process counts as killed. */
const runningSeconds = 30

export async function readBackupStatus({
  config,
  db,
  now,
}: Pick<PlatformServices, 'config' | 'db' | 'now'>): Promise<BackupStatus> {
  const { backup, backupPassphrase } = config
  const [running, lastRun, goodAt, hasOldTracks] = await Promise.all([
    findRunningBackup(db),
    findLastRun(db),
    findGoodBackup(db),
    hasOwnTracksBefore(db, lastWeek(now())),
  ])
  const schedule = backup?.schedule ?? null
  return {
    target: backup && namePlace(backup.place),
    schedule,
    next_at: schedule && findNextTime(schedule, now()).toISOString(),
    is_encrypted: backup !== null && backupPassphrase !== null,
    last_good_at: goodAt,
    is_overdue: isOverdue(schedule, now(), { goodAt, hasRun: lastRun !== null, hasOldTracks }),
    running,
    last_run: lastRun,
  }
}

/**
 * Whether a backup is overdue, for the pages, the alert and the metric. It is overdue if the newest complete backup is
 * older than two intervals of the schedule, or older than a week if there is no schedule. If there is no complete
 * backup, it is overdue once a scheduled run has ended or the owner's music is a week old. The demo's music needs no
 * backup.
 */
function isOverdue(
  schedule: string | null,
  now: Date,
  facts: { goodAt: string | null; hasRun: boolean; hasOldTracks: boolean },
): boolean {
  const { goodAt, hasRun, hasOldTracks } = facts
  if (goodAt === null) return (schedule !== null && hasRun) || hasOldTracks
  const limit = schedule === null ? lastWeek(now) : findLastTimes(schedule, now).secondLast
  return Date.parse(goodAt) < limit.getTime()
}

const lastWeek = (now: Date) => new Date(now.getTime() - backupMaxAgeDays * 24 * 3600_000)

async function hasOwnTracksBefore(db: Database, before: Date): Promise<boolean> {
  const { rows } = await sql<{ has_tracks: boolean }>`
    select exists (select from tracks t
                    where t.deleted_at is null and t.created_at < ${before.toISOString()}
                      and not exists (select from demo_steps d where d.track_id = t.id)) as has_tracks`.execute(
    db.query,
  )
  return rows[0]!.has_tracks
}

async function findRunningBackup(db: Database): Promise<BackupStatus['running']> {
  const run = await db.query
    .selectFrom('backup_runs')
    .select(['started_at', 'files_done', 'files_total'])
    .where('finished_at', 'is', null)
    .where(sql<boolean>`seen_at > now() - make_interval(secs => ${runningSeconds})`)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run ?? null
}

async function findLastRun(db: Database): Promise<BackupStatus['last_run']> {
  const run = await db.query
    .selectFrom('backup_runs')
    .select(['finished_at', 'result', 'error'])
    .where('finished_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return run ? { finished_at: run.finished_at!, result: run.result!, error: run.error } : null
}

/** When the newest complete backup was created. Includes those made with `npm run backup`. */
async function findGoodBackup(db: Database): Promise<string | null> {
  const newest = await db.query
    .selectFrom('backups')
    .select('created_at')
    .where('missing_count', '=', 0)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.created_at ?? null
}

export async function startBackup(
  ctx: MemberContext,
  { config, jobs }: Pick<PlatformServices, 'config' | 'jobs'>,
): Promise<void> {
  const { backup } = config
  if (!backup) throw new AppError('backup_not_set_up')
  await transaction(ctx.db, async (trx) => {
    if (await findRunningBackup(ctx.db)) throw new AppError('backup_running')
    await jobs.enqueue(trx, 'make-backup', {})
    await writeAudit(ctx, trx, {
      action: 'create',
      entity: 'job',
      after: { job: 'make-backup', target: namePlace(backup.place) },
    })
  })
}
