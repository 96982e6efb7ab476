// A target that holds several backups: a folder or a prefix of an S3 bucket. Each file of the storage is stored once,
// for all backups that refer to it. A backup exists as soon as its manifest is written:
//    files/KEY                    audio and pictures, whose content never changes
//    backups/NAME/rows.tar        everything else, in the form of a backup file without objects
//    backups/NAME/manifest.json   size and SHA-256 of every entry and file
//    key/key.age                  the key of all encrypted files, itself encrypted with BACKUP_PASSPHRASE
// Names of encrypted files end in .age.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as z from 'zod/mini'
import { openDiskStorage } from '../../platform/storage/disk-storage.ts'
import { claimWorkFolder } from '../../platform/storage/own-work-folder.ts'
import { isStorageError, type Storage } from '../../platform/storage/storage.ts'
import {
  encryptWithKey,
  encryptWithPassphrase,
  makeEncryptionKey,
  noPassphrase,
  type BackupEncryption,
} from './backup-encryption.ts'
import { BackupError, backupEnd, backupStart } from './backup-format.ts'
import { namePlace, type BackupPlace } from '../../platform/config/backup-place.ts'
import { parse } from './read-archive.ts'
import { readObjectStream } from '../../platform/storage/read-object.ts'
import { explainTargetError } from './target-error.ts'

const manifest = z.object({ start: backupStart, end: backupEnd })
export type BackupManifest = z.infer<typeof manifest>

export interface BackupTarget {
  /** The location of the target as written in BACKUP_TO. */
  name: string
  place: BackupPlace
  storage: Storage
  /** Encrypts and decrypts files of the target. Null if the target is not encrypted. */
  encryption: BackupEncryption | null
  close: () => Promise<void>
}

/** A backup that is stored in the target. */
export interface StoredBackup {
  name: string
  isEncrypted: boolean
}

const keyObject = 'key/key.age'
const manifestPattern = /^backups\/([^/]+)\/manifest\.json(\.age)?$/

const suffix = (isEncrypted: boolean) => (isEncrypted ? '.age' : '')
export const fileKey = (key: string, isEncrypted: boolean) => `files/${key}${suffix(isEncrypted)}`
export const rowsKey = (backup: StoredBackup) =>
  `backups/${backup.name}/rows.tar${suffix(backup.isEncrypted)}`
export const manifestKey = (backup: StoredBackup) =>
  `backups/${backup.name}/manifest.json${suffix(backup.isEncrypted)}`

export function nameBackup(now: Date): string {
  return now.toISOString().toLowerCase().replaceAll(/[:.]/g, '-')
}

/**
 * Opens a target. `forWriting` creates the encryption key if there is none yet. Throws a BackupError for a wrong
 * passphrase.
 */
export async function openBackupTarget(
  place: BackupPlace,
  options: { dataDir: string; passphrase: string | null; forWriting: boolean },
): Promise<BackupTarget> {
  const name = namePlace(place)
  try {
    const { storage, close } = await openPlace(place, options.dataDir)
    try {
      const encryption = await openEncryption(storage, name, options)
      return { name, place, storage, encryption, close }
    } catch (error) {
      await close()
      throw error
    }
  } catch (error) {
    throw explainTargetError(error, place)
  }
}

async function openPlace(place: BackupPlace, dataDir: string) {
  if (place.kind === 'folder') {
    const { folder } = place
    // A missing folder usually means that a disk is not mounted.
    if (!existsSync(folder)) {
      throw new BackupError(
        `BACKUP_TO=${folder}: there is no such folder. Create it, or mount its disk.`,
      )
    }
    const work = join('tmp', await claimWorkFolder(join(folder, 'tmp')))
    const storage = await openDiskStorage(folder, work)
    return { storage, close: () => rm(join(folder, work), { recursive: true, force: true }) }
  }
  const { openS3Storage } = await import('../../platform/storage/s3-storage.ts')
  const shared = join(dataDir, 'backup-scratch')
  const scratchFolder = join(shared, await claimWorkFolder(shared))
  const storage = await openS3Storage({ ...place.s3, scratchFolder })
  const close = async () => {
    storage.close()
    await rm(scratchFolder, { recursive: true, force: true })
  }
  return { storage, close }
}

async function openEncryption(
  storage: Storage,
  name: string,
  { passphrase, forWriting }: { passphrase: string | null; forWriting: boolean },
): Promise<BackupEncryption | null> {
  const sealed = await storage.read(keyObject).catch((error: unknown) => {
    if (isStorageError(error, 'not_found')) return null
    throw error
  })
  if (sealed !== null) {
    if (passphrase === null) throw noPassphrase(name)
    const opened = await encryptWithPassphrase(passphrase, name).decrypt(Readable.from([sealed]))
    return encryptWithKey(await text(opened), name)
  }
  if (passphrase === null || !forWriting) return null
  const identity = await makeEncryptionKey()
  const encrypted = await encryptWithPassphrase(passphrase, name).encrypt(
    Readable.from([Buffer.from(identity)]),
  )
  await storage.put(keyObject, encrypted)
  return encryptWithKey(identity, name)
}

/** Returns the backups in a target, oldest first. */
export async function readBackups({ storage }: BackupTarget): Promise<StoredBackup[]> {
  const found: StoredBackup[] = []
  for await (const key of storage.list('backups/')) {
    const [, name, age] = manifestPattern.exec(key) ?? []
    if (name) found.push({ name, isEncrypted: age !== undefined })
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export async function readManifest(
  target: BackupTarget,
  backup: StoredBackup,
): Promise<BackupManifest> {
  const key = manifestKey(backup)
  const content = await withObject(target, key, backup.isEncrypted, text)
  return parse(`${target.name}, backup ${backup.name}`, manifest, content)
}

/** Calls `use` with the decrypted content of an object in the target. Throws a BackupError if the object is missing. */
export async function withObject<T>(
  target: BackupTarget,
  key: string,
  isEncrypted: boolean,
  use: (body: Readable) => Promise<T>,
): Promise<T> {
  const { body, close } = await openObject(target, key, isEncrypted)
  try {
    return await use(body)
  } finally {
    await close()
  }
}

export async function openObject(
  { storage, encryption, name }: BackupTarget,
  key: string,
  isEncrypted: boolean,
): Promise<{ body: Readable; close: () => Promise<void> }> {
  if (isEncrypted && !encryption) throw noPassphrase(name)
  const object = await storage.open(key).catch((error: unknown) => {
    if (!isStorageError(error, 'not_found')) throw error
    throw new BackupError(`${name} lacks ${key}: the file is gone. Use another backup.`, {
      cause: error,
    })
  })
  const close = () => object.close()
  try {
    const stored = readObjectStream(object)
    return { body: isEncrypted ? await encryption!.decrypt(stored) : stored, close }
  } catch (error) {
    await close()
    throw error
  }
}
