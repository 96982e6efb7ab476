// Reads a backup from a target. The entries have the same order as in a backup file.
import { Readable } from 'node:stream'
import { BackupError, endEntry, objectPrefix } from './backup-format.ts'
import {
  fileKey,
  readBackups,
  openObject,
  readManifest,
  rowsKey,
  type BackupTarget,
} from './backup-target.ts'
import { readTar, type ArchiveEntry, type BackupReader } from './read-archive.ts'

/** Opens the newest backup, or the one with the given name. Throws a BackupError if it does not exist. */
export async function openStoredBackup(
  target: BackupTarget,
  wanted: string | undefined,
): Promise<BackupReader> {
  const backups = await readBackups(target)
  const backup = wanted ? backups.find(({ name }) => name === wanted) : backups.at(-1)
  if (!backup) throw missingBackupError(target.name, wanted, backups)
  const name = `${target.name}, backup ${backup.name}`
  return {
    name,
    async *entries(stopSignal) {
      const { end } = await readManifest(target, backup)
      const rows = await openObject(target, rowsKey(backup), backup.isEncrypted)
      try {
        for await (const entry of readTar(rows.body, name, stopSignal)) {
          // Skip the end record in the archive of rows, because it covers only the rows.
          if (entry.name === endEntry) entry.body.resume()
          else yield entry
        }
      } finally {
        rows.body.destroy()
        await rows.close()
      }
      for (const { name: entry, byte_size } of end.entries) {
        if (!entry.startsWith(objectPrefix)) continue
        stopSignal?.throwIfAborted()
        const key = fileKey(entry.slice(objectPrefix.length), backup.isEncrypted)
        const object = await openObject(target, key, backup.isEncrypted)
        try {
          yield { name: entry, byteSize: byte_size, body: object.body }
        } finally {
          object.body.destroy()
          await object.close()
        }
      }
      yield textEntry(endEntry, JSON.stringify(end))
    },
  }
}

function textEntry(name: string, content: string): ArchiveEntry {
  const bytes = Buffer.from(content)
  return { name, byteSize: bytes.length, body: Readable.from([bytes]) }
}

function missingBackupError(name: string, wanted: string | undefined, backups: { name: string }[]) {
  if (backups.length === 0) return new BackupError(`There is no complete backup in ${name}.`)
  const names = backups.map((backup) => backup.name).join(', ')
  return new BackupError(`${name} has no backup ${wanted}. It has: ${names}.`)
}
