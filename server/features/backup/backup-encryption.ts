// Encrypts backups in the age format (age-encryption.org/v1), so that the program `age` can decrypt them without
// Velour.
import { Readable } from 'node:stream'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import type { Decrypter, Encrypter } from 'age-encryption'
import { BackupError } from './backup-format.ts'

export interface BackupEncryption {
  encrypt: (plain: Readable) => Promise<Readable>
  /**
   * Throws a BackupError for a wrong passphrase. If a byte was modified, the returned stream fails at that position.
   */
  decrypt: (encrypted: Readable) => Promise<Readable>
}

/** The first bytes of every age file. */
export const ageHeader = 'age-encryption.org/v1'

/**
 * The scrypt work factor, which uses 32 MiB. The library derives the key on the main thread, which blocks the event
 * loop for a tenth of a second.
 */
const workFactor = 15

/** Loads the age library on first use, because most services have no encrypted backups. */
const loadAge = () => import('age-encryption')

/** Encrypts with a passphrase. Derives a new key for each file, so use it for single files only. */
export function encryptWithPassphrase(passphrase: string, name: string): BackupEncryption {
  return createEncryption(name, async () => {
    const age = await loadAge()
    const encrypter = new age.Encrypter()
    encrypter.setScryptWorkFactor(workFactor)
    encrypter.setPassphrase(passphrase)
    const decrypter = new age.Decrypter()
    decrypter.addPassphrase(passphrase)
    return { encrypter, decrypter }
  })
}

/**
 * Encrypts with a generated key, because deriving a key from a passphrase would take a fifth of a second for each file.
 */
export async function encryptWithKey(identity: string, name: string): Promise<BackupEncryption> {
  const age = await loadAge()
  const encrypter = new age.Encrypter()
  encrypter.addRecipient(await age.identityToRecipient(identity))
  const decrypter = new age.Decrypter()
  decrypter.addIdentity(identity)
  return createEncryption(name, async () => ({ encrypter, decrypter }))
}

export async function makeEncryptionKey(): Promise<string> {
  const age = await loadAge()
  return age.generateX25519Identity()
}

function createEncryption(
  name: string,
  open: () => Promise<{ encrypter: Encrypter; decrypter: Decrypter }>,
): BackupEncryption {
  return {
    async encrypt(plain) {
      const { encrypter } = await open()
      return fromWeb(await encrypter.encrypt(toWeb(plain)))
    },
    async decrypt(encrypted) {
      const { decrypter } = await open()
      try {
        return fromWeb(await decrypter.decrypt(toWeb(encrypted)))
      } catch (error) {
        throw isOtherKey(error) ? otherPassphrase(name, error) : error
      }
    },
  }
}

const isOtherKey = (error: unknown) =>
  error instanceof Error && error.message.startsWith('no identity matched')

const otherPassphrase = (name: string, cause: unknown) =>
  new BackupError(
    `BACKUP_PASSPHRASE is not the one that ${name} was encrypted with: set it to the original passphrase.`,
    { cause },
  )

export const noPassphrase = (name: string) =>
  new BackupError(
    `${name} is encrypted: set BACKUP_PASSPHRASE to the passphrase it was created with.`,
  )

const toWeb = (stream: Readable) => Readable.toWeb(stream) as ReadableStream<Uint8Array>

const fromWeb = (stream: ReadableStream<Uint8Array>) =>
  Readable.fromWeb(stream as NodeWebStream, { objectMode: false })
