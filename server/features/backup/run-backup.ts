// Runs one backup into a target: takes the lock, writes the backup and prunes old ones. The table `backup_runs` stores
// its progress and result.
import type pg from 'pg'
import { buildConnectionConfig } from '../../platform/db/connection-config.ts'
import { sessionLocks } from '../../platform/db/advisory-locks.ts'
import { withClient } from '../../platform/db/with-client.ts'
import { BackupError } from './backup-format.ts'
import { nameBackup, type BackupTarget } from './backup-target.ts'
import { pruneTarget } from './prune-target.ts'
import { explainTargetError } from './target-error.ts'
import { createTargetWriter, readKnownFiles } from './target-writer.ts'
import { writeBackup, type BackupResult, type BackupSource } from './write-backup.ts'

const progressEveryMs = 2000

export interface TargetBackupResult extends BackupResult {
  name: string
  /** Number and size of the files that were copied, because the target did not contain them before. */
  copied: { count: number; bytes: number }
  removed: { backups: number; files: number }
}

interface RunOptions {
  openTarget: () => Promise<BackupTarget>
  keep: number
  /** Returns the message that the System page shows for an error. */
  explain: (error: unknown) => string
}

/** Throws a BackupError if another backup is running. If this process is killed, the next run records it as failed. */
export async function runBackup(
  source: BackupSource,
  options: RunOptions,
): Promise<TargetBackupResult> {
  return withClient(buildConnectionConfig(source.connectionString), async (client) => {
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock($1) as mine',
      [sessionLocks.backupTarget],
    )
    if (!rows[0]!.mine) throw new BackupError('Another backup is running: wait until it is done.')
    const run = await beginRun(client)
    try {
      const result = await backUp(client, source, options, run.update)
      await run.end(result.missingObjects.length > 0 ? 'incomplete' : 'complete', null)
      return result
    } catch (error) {
      // If the database is down, this update fails too. The next run then records this one as failed.
      await run.end('failed', options.explain(error).slice(0, 2000)).catch(() => {})
      throw error
    }
  })
}

async function backUp(
  client: pg.Client,
  source: BackupSource,
  { openTarget, keep }: RunOptions,
  onProgress: (done: number, total: number) => void,
): Promise<TargetBackupResult> {
  const target = await openTarget()
  try {
    const known = await claimTarget(client, target)
      .then(() => readKnownFiles(target))
      .catch((error: unknown) => {
        throw explainTargetError(error, target.place)
      })
    const name = nameBackup(source.now())
    const written = await target.storage.withScratchFolder(async (folder) => {
      const writer = createTargetWriter(target, { name, folder, known })
      const result = await writeBackup({ ...source, onProgress }, writer)
      return { ...result, copied: writer.copied }
    })
    return { ...written, name, removed: await pruneTarget(target, keep) }
  } finally {
    await target.close()
  }
}

/** Binds a target to this installation. If two installations used it, pruning by one would remove the other's files. */
async function claimTarget(client: pg.Client, { name, storage }: BackupTarget): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select id from installation')
  const own = rows[0]!.id
  const found = await storage.readInstallationId()
  if (found === null) return storage.writeInstallationId(own)
  if (found.trim() === own) return
  throw new BackupError(
    `BACKUP_TO=${name} contains the backups of another installation: choose another folder or prefix.`,
  )
}

async function beginRun(client: pg.Client) {
  await client.query(
    `update backup_runs set finished_at = now(), result = 'failed', error = 'It was interrupted.'
      where finished_at is null`,
  )
  const { rows } = await client.query<{ id: string }>(
    'insert into backup_runs default values returning id',
  )
  const { id } = rows[0]!
  let done = 0
  let total: number | null = null
  const save = () =>
    client.query(
      'update backup_runs set seen_at = now(), files_done = $2, files_total = $3 where id = $1',
      [id, done, total],
    )
  let saving: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    // Ignore errors here: if this connection is lost, the backup itself fails with its own error.
    saving = save().catch(() => {})
  }, progressEveryMs)
  return {
    update(nowDone: number, nowTotal: number) {
      done = nowDone
      total = nowTotal
    },
    async end(result: 'complete' | 'incomplete' | 'failed', error: string | null) {
      clearInterval(timer)
      await saving
      await save()
      await client.query(
        'update backup_runs set finished_at = now(), result = $2, error = $3 where id = $1',
        [id, result, error],
      )
      await client.query(
        `delete from backup_runs where started_at < now() - interval '90 days' and id <> $1`,
        [id],
      )
    },
  }
}
