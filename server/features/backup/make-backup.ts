// Scheduled backups: enqueues a backup when it is due, and handles the backup job.
import { transaction } from '../../platform/db/database.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { explainStartError } from '../../platform/start/start-error.ts'
import { findLastTimes } from '../../platform/config/backup-schedule.ts'
import { openBackupTarget } from './backup-target.ts'
import { runBackup } from './run-backup.ts'
import { findSecretFile } from './write-backup.ts'

export async function makeBackup(
  services: Pick<
    PlatformServices,
    'build' | 'config' | 'connectionString' | 'log' | 'now' | 'storage'
  >,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const { build, config, connectionString, log, now, storage } = services
  const { backup, backupPassphrase, dataDir } = config
  if (!backup) {
    log.warn({}, 'a backup was requested, but BACKUP_TO is not set')
    return
  }
  const source = {
    connectionString,
    storage,
    secretFile: findSecretFile(config),
    build,
    now,
    stopSignal: signal,
  }
  const result = await runBackup(source, {
    openTarget: () =>
      openBackupTarget(backup.place, { dataDir, passphrase: backupPassphrase, forWriting: true }),
    keep: backup.keep,
    explain: (error) =>
      signal.aborted ? 'It was interrupted.' : (explainStartError(error, config) ?? String(error)),
  })
  log.info(
    {
      backup: result.name,
      files: result.objectCount,
      copied_files: result.copied.count,
      copied_bytes: result.copied.bytes,
      missing_files: result.missingObjects.length,
      removed_backups: result.removed.backups,
    },
    'backup created',
  )
}

/** Enqueues one job for each scheduled time. If no server ran at that time, the backup is created at the next start. */
export async function enqueueDueBackup({
  config,
  db,
  jobs,
  now,
}: Pick<PlatformServices, 'config' | 'db' | 'jobs' | 'now'>): Promise<void> {
  const schedule = config.backup?.schedule
  if (!schedule) return
  const { last } = findLastTimes(schedule, now())
  const newest = await db.query
    .selectFrom('backup_runs')
    .select('started_at')
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest && Date.parse(newest.started_at) >= last.getTime()) return
  await transaction(db, (trx) => jobs.enqueue(trx, 'make-backup', {}))
}
