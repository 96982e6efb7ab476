// Encrypts backups in the age format (age-encryption.org/v1), so that `age` can decrypt them without Velour.
import { Readable } from 'node:stream'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import type { Decrypter, Encrypter } from 'age-encryption'
import { BackupError } from './backup-format.ts'

export interface BackupEncryption {
  encrypt: (plain: Readable) => Promise<Readable>
  /** Throws a BackupError for a wrong passphrase. The stream fails where a byte was changed. */
  decrypt: (encrypted: Readable) => Promise<Readable>
}

/** How every age file begins. */
export const ageHeader = 'age-encryption.org/v1'

/**
 * scrypt with 32 MiB. The library derives the key in the event loop, which blocks the server for a tenth of a second.
 */
const workFactor = 15

/** Loaded when first used: most services keep no encrypted backups. */
const loadAge = () => import('age-encryption')

/** Derives the key for each file, so it is for single files. */
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

/** Uses a generated key, because deriving one per file would take a fifth of a second each. */
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
    `BACKUP_PASSPHRASE is not the one that ${name} was encrypted with: set it to that one.`,
    { cause },
  )

export const noPassphrase = (name: string) =>
  new BackupError(`${name} is encrypted: set BACKUP_PASSPHRASE to the one that it was made with.`)

const toWeb = (stream: Readable) => Readable.toWeb(stream) as ReadableStream<Uint8Array>

const fromWeb = (stream: ReadableStream<Uint8Array>) =>
  Readable.fromWeb(stream as NodeWebStream, { objectMode: false })
