// Parses the location of backups, from BACKUP_TO or the argument of a restore.
import { resolve } from 'node:path'
import type { S3Options } from './s3-options.ts'

export type BackupPlace =
  | { kind: 'folder'; folder: string }
  | { kind: 's3'; s3: S3Options & { prefix: string } }

/** Endpoint and keys of the object store. The buckets for music and for backups share them. */
export type S3Account = Omit<S3Options, 'bucket' | 'prefix'>

const bucketPattern = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/

/** Parses a folder, or `s3://BUCKET/PREFIX`, which uses the keys of `account`. */
export function parseBackupPlace(
  text: string,
  account: S3Account | null,
): BackupPlace | 'no_account' | 'wrong_address' {
  if (!text.startsWith('s3:')) return { kind: 'folder', folder: resolve(text) }
  const [, bucket, path = ''] = bucketPattern.exec(text) ?? []
  if (!bucket) return 'wrong_address'
  if (!account) return 'no_account'
  const trimmed = path.replaceAll(/^\/+|\/+$/g, '')
  return { kind: 's3', s3: { ...account, bucket, prefix: trimmed && `${trimmed}/` } }
}

export function namePlace(place: BackupPlace): string {
  if (place.kind === 'folder') return place.folder
  const { bucket, prefix } = place.s3
  return `s3://${bucket}${prefix && `/${prefix.replace(/\/$/, '')}`}`
}
