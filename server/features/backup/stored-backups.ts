// Lists the backups in BACKUP_TO for admins.
import type { StoredBackups } from '#contract/admin/admin-system.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { BackupError } from './backup-format.ts'
import {
  readBackups,
  openBackupTarget,
  readManifest,
  type BackupTarget,
  type StoredBackup,
} from './backup-target.ts'
import { explainTargetError } from './target-error.ts'

type ListedBackup = StoredBackups['data'][number]

export async function listBackups(
  services: Pick<PlatformServices, 'config' | 'log'>,
): Promise<StoredBackups> {
  try {
    return { data: await readStoredBackups(services), problem: null }
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    services.log.warn({ err: error }, 'the stored backups could not be listed')
    return { data: [], problem: error.message }
  }
}

async function readStoredBackups({
  config,
}: Pick<PlatformServices, 'config'>): Promise<ListedBackup[]> {
  const target = await openConfiguredTarget(config)
  if (!target) return []
  try {
    return await describeBackups(target)
  } catch (error) {
    throw explainTargetError(error, target.place)
  } finally {
    await target.close()
  }
}

/**
 * Opens the target in BACKUP_TO. Null if that is not set. Throws a BackupError for an error that the operator can fix.
 */
export async function openConfiguredTarget({
  backup,
  backupPassphrase,
  dataDir,
}: PlatformServices['config']): Promise<BackupTarget | null> {
  if (!backup) return null
  return openBackupTarget(backup.place, {
    dataDir,
    passphrase: backupPassphrase,
    forWriting: false,
  })
}

/** Caches backups by name. A manifest never changes, so it is read only once. */
const described = new Map<string, ListedBackup>()

/** Returns the backups in a target, newest first. */
async function describeBackups(target: BackupTarget): Promise<ListedBackup[]> {
  const stored = (await readBackups(target)).toReversed()
  const keys = new Set(stored.map((backup) => makeCacheKey(target, backup)))
  for (const key of described.keys()) {
    if (key.startsWith(`${target.name}\n`) && !keys.has(key)) described.delete(key)
  }
  const listed: ListedBackup[] = []
  for (const backup of stored) listed.push(await describeBackup(target, backup))
  return listed
}

const makeCacheKey = ({ name }: BackupTarget, backup: StoredBackup) => `${name}\n${backup.name}`

async function describeBackup(target: BackupTarget, backup: StoredBackup): Promise<ListedBackup> {
  const key = makeCacheKey(target, backup)
  const known = described.get(key)
  if (known) return known
  const facts = { name: backup.name, is_encrypted: backup.isEncrypted }
  const manifest = await readManifest(target, backup).catch((error: unknown) => {
    // The whole target is unreachable, so this is not a single damaged manifest.
    if (explainTargetError(error, target.place) !== error) throw error
    return null
  })
  // Do not cache this result, because someone may replace the damaged manifest.
  if (!manifest) return { ...facts, created_at: null, byte_size: null, state: 'unreadable' }
  const { start, end } = manifest
  const listed: ListedBackup = {
    ...facts,
    created_at: start.created_at,
    byte_size: end.entries.reduce((sum, { byte_size }) => sum + byte_size, 0),
    state: end.missing_objects.length === 0 ? 'complete' : 'incomplete',
  }
  described.set(key, listed)
  return listed
}
