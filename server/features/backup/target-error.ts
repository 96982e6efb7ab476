// Converts errors of the backup target that the operator can fix to messages with instructions.
import { type BackupPlace, namePlace } from '../../platform/config/backup-place.ts'
import { BackupError } from './backup-format.ts'
import { StorageError } from '../../platform/storage/storage.ts'

/** Returns a BackupError for a known error, and any other error unchanged. */
export function explainTargetError(error: unknown, place: BackupPlace): unknown {
  if (error instanceof BackupError || !(error instanceof Error)) return error
  const message =
    place.kind === 'folder' ? explainFolder(error, place.folder) : explainStore(error, place.s3)
  if (message === null) return error
  return new BackupError(`BACKUP_TO=${namePlace(place)}: ${message}`, { cause: error })
}

function explainFolder(error: Error, folder: string): string | null {
  const own = process.getuid?.() ?? 'unknown'
  const code: unknown = Reflect.get(error, 'code')
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return `this process (user id ${own}) may not write there. Make it the owner of the folder (chown -R ${own} ${folder}), or choose another one.`
    case 'EROFS':
      return 'the file system is read-only. Mount it for writing, or choose another folder.'
    case 'ENOSPC':
    case 'EDQUOT':
      return 'that disk is full. Free up space, or lower BACKUP_KEEP.'
    case 'ENOENT':
    case 'EIO':
    case 'ESTALE':
      return 'the folder is no longer available. Mount its disk again.'
    case 'ENOTDIR':
    case 'EEXIST':
      return 'that is a file, not a folder. Choose another path.'
    default:
      return null
  }
}

function explainStore(
  error: Error,
  { bucket, endpoint }: { bucket: string; endpoint: string | null },
): string | null {
  if (error instanceof StorageError && error.problem === 'unavailable') {
    return `the store does not answer. Start it, or check S3_ENDPOINT=${endpoint ?? "Amazon's own"}.`
  }
  const metadata: unknown = Reflect.get(error, '$metadata')
  const status: unknown = metadata && Reflect.get(metadata as object, 'httpStatusCode')
  if (status === 401 || status === 403) {
    return 'the store refuses the key. Check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and the permissions of the key.'
  }
  if (error instanceof StorageError && error.problem === 'not_found') {
    return `the store has no bucket "${bucket}". Create a private one, or check the name, S3_ENDPOINT and S3_REGION.`
  }
  return null
}
