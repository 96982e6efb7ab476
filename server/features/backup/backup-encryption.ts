// Encryption of backups in the age format (age-encryption.org/v1), so that `age` can open them without Velour.
import { Readable } from 'node:stream'
import type { ReadableStream as NodeWebStream } from 'node:stream/web'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { BackupError } from './backup-format.ts'

export interface BackupEncryption {
  encrypt: (plain: Readable) => Promise<Readable>
  /** Throws a BackupError for another passphrase, and the stream fails where a byte was changed. */
  decrypt: (encrypted: Readable) => Promise<Readable>
}

/** How every age file begins. */
export const ageHeader = 'age-encryption.org/v1'

/** scrypt with 32 MiB: the library derives in the event loop, so the server stands still for a tenth of a second. */
const workFactor = 15

/** One derivation of the key per file: for single files. */
export function encryptWithPassphrase(passphrase: string, name: string): BackupEncryption {
  const encrypter = new Encrypter()
  encrypter.setScryptWorkFactor(workFactor)
  encrypter.setPassphrase(passphrase)
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  return createEncryption(encrypter, decrypter, name)
}

/** With a key that was made for it; deriving one per file would take a fifth of a second each. */
export async function encryptWithKey(identity: string, name: string): Promise<BackupEncryption> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(await identityToRecipient(identity))
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  return createEncryption(encrypter, decrypter, name)
}

export const makeEncryptionKey = (): Promise<string> => generateX25519Identity()

function createEncryption(
  encrypter: Encrypter,
  decrypter: Decrypter,
  name: string,
): BackupEncryption {
  return {
    encrypt: async (plain) => fromWeb(await encrypter.encrypt(toWeb(plain))),
    async decrypt(encrypted) {
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
