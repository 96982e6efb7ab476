// Reads and checks the settings of scheduled backups.
import type { S3Options } from './s3-options.ts'
import { parseBackupPlace, type BackupPlace, type S3Account } from './backup-place.ts'
import { parseSchedule } from './backup-schedule.ts'

export interface BackupOptions {
  place: BackupPlace
  /** When backups are made, as a cron expression. Null if backups are made only on request. */
  schedule: string | null
  /** How many complete backups are kept. */
  keep: number
}

const passphraseMinLength = 12

/** Returns the options, or a message that describes the mistake. */
export function readBackupOptions({
  to,
  schedule,
  keep,
  passphrase,
  ...facts
}: {
  to: string | null
  schedule: string | null
  keep: number
  passphrase: string | null
  account: S3Account | null
  s3: S3Options | null
  dataDir: string
}): { backup: BackupOptions | null; backupPassphrase: string | null } | string {
  if (passphrase !== null && passphrase.length < passphraseMinLength) {
    return `BACKUP_PASSPHRASE needs at least ${passphraseMinLength} characters.`
  }
  const expression = schedule === 'off' ? null : parseSchedule(schedule ?? 'daily')
  if (expression === null && schedule !== 'off') {
    return `BACKUP_SCHEDULE must be daily, hourly, off, or a cron expression of five fields such as "30 2 * * *", not "${schedule}".`
  }
  if (to === null) return { backup: null, backupPassphrase: passphrase }
  const place = readPlace(to, facts)
  if (typeof place === 'string') return place
  return { backup: { place, schedule: expression, keep }, backupPassphrase: passphrase }
}

function readPlace(
  to: string,
  facts: { account: S3Account | null; s3: S3Options | null; dataDir: string },
): BackupPlace | string {
  const place = parseBackupPlace(to, facts.account)
  if (place === 'wrong_address')
    return 'BACKUP_TO must be a folder, or look like s3://bucket/prefix.'
  if (place === 'no_account') {
    return `BACKUP_TO=${to} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and S3_ENDPOINT for a store that is not Amazon's.`
  }
  const loses = 'one failure would destroy both.'
  if (place.kind === 's3' && place.s3.bucket === facts.s3?.bucket) {
    return `BACKUP_TO=${to} is the bucket that holds the music: ${loses} Choose another bucket.`
  }
  if (place.kind === 'folder' && `${place.folder}/`.startsWith(`${facts.dataDir}/`)) {
    return `BACKUP_TO=${to} is inside DATA_DIR: ${loses} Choose a folder on another disk.`
  }
  return place
}
