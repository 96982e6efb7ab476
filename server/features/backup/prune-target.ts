// Removes old backups from a target, and the files that no remaining backup refers to.
import { BackupError, objectPrefix } from './backup-format.ts'
import {
  fileKey,
  readBackups,
  manifestKey,
  readManifest,
  rowsKey,
  type BackupTarget,
  type StoredBackup,
} from './backup-target.ts'

interface ReadBackup extends StoredBackup {
  isComplete: boolean
  files: string[]
}

/**
 * Keeps the newest `keep` complete backups, and at most as many incomplete ones that are newer than the newest complete
 * one. Nothing else may write to the target at the same time. If a manifest cannot be read, the files it refers to are
 * unknown: throws a BackupError and removes nothing.
 */
export async function pruneTarget(
  target: BackupTarget,
  keep: number,
): Promise<{ backups: number; files: number }> {
  const { storage } = target
  const backups: ReadBackup[] = []
  for (const backup of await readBackups(target)) backups.push(await readBackup(target, backup))
  const kept = selectBackupsToKeep(backups, keep)
  const removed = backups.filter((backup) => !kept.includes(backup))
  // Delete manifests before files, so that no remaining manifest refers to deleted files.
  for (const backup of removed) await storage.delete(manifestKey(backup))
  const rowsToKeep = new Set(kept.flatMap((backup) => [rowsKey(backup), manifestKey(backup)]))
  await deleteOthers(target, 'backups/', rowsToKeep)
  const files = await deleteOthers(target, 'files/', new Set(kept.flatMap((one) => one.files)))
  return { backups: removed.length, files }
}

async function readBackup(target: BackupTarget, backup: StoredBackup): Promise<ReadBackup> {
  const { end } = await readManifest(target, backup).catch((error: unknown) => {
    if (!(error instanceof BackupError)) throw error
    throw new BackupError(
      `Old backups were not removed, because ${manifestKey(backup)} in ${target.name} cannot be read. Delete that file to continue.`,
      { cause: error },
    )
  })
  const files = end.entries.flatMap(({ name }) =>
    name.startsWith(objectPrefix)
      ? [fileKey(name.slice(objectPrefix.length), backup.isEncrypted)]
      : [],
  )
  return { ...backup, isComplete: end.missing_objects.length === 0, files }
}

/** Returns the backups to keep. Input and result are sorted oldest first. */
export function selectBackupsToKeep<T extends { isComplete: boolean }>(
  backups: readonly T[],
  keep: number,
): T[] {
  const complete = backups.filter(({ isComplete }) => isComplete).slice(-keep)
  const newest = complete.at(-1)
  const later = newest ? backups.slice(backups.indexOf(newest) + 1) : backups
  return [...complete, ...later.slice(-keep)]
}

async function deleteOthers(
  { storage }: BackupTarget,
  prefix: string,
  kept: Set<string>,
): Promise<number> {
  const others: string[] = []
  for await (const key of storage.list(prefix)) if (!kept.has(key)) others.push(key)
  for (const key of others) await storage.delete(key)
  return others.length
}
