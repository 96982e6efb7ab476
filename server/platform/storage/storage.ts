// Storage for audio and pictures, with one interface for disk and object stores. An object is written atomically and
// never changes under its key. The database records which row owns a key.
import { Readable } from 'node:stream'
import { OperatorError } from '../config/operator-error.ts'

/** Metadata of an object, available without reading it. */
export interface ObjectStat {
  byteSize: number
  /** A strong ETag in quotes, as in the header. */
  etag: string
  lastModified: Date
}

/**
 * An object that is open for reads at any position. After its key is deleted, it stays readable on disk, while in an
 * object store its reads fail. It never returns bytes of another object.
 */
export interface OpenObject extends ObjectStat {
  /** The minimum efficient size of a read. A smaller read takes as long. */
  readonly minReadBytes: number
  /**
   * Fills `target` with the bytes from `position`. Returns the number of bytes read, which is smaller than `target`
   * only at the end of the object.
   */
  read(target: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

/** An upload in parts that is not complete yet. */
export interface PartialObject {
  key: string
  /** The storage's id of this upload. */
  uploadId: string
}

/** One part: its number, counting from 1, and its exact size in bytes. */
export interface ObjectPart {
  number: number
  byteSize: number
}

export interface StoredPart extends ObjectPart {
  etag: string
}

/**
 * Uploads in parts by clients, which may take days. All parts but the last have the same size, at least 5 MiB. They
 * may arrive in any order, concurrently and repeatedly; the part stored last counts. The object is not readable
 * before the upload is complete. After an abort, `put`, `list` and `complete` throw `not_found`. After completion,
 * some stores throw it as well. All methods throw `invalid_key` and `unavailable` like those of the storage.
 */
export interface StorageParts {
  /** Whether parts are stored on a disk of this server. During completion, they temporarily take twice the space. */
  readonly onDisk: boolean
  /** Begins an upload and returns its `uploadId`. */
  begin(key: string): Promise<string>
  /**
   * Returns a URL to which anyone may PUT this part with exactly its length for `lifetimeSeconds`. Null if parts can
   * be sent only through this server.
   */
  signedUrl(
    object: PartialObject,
    part: ObjectPart,
    lifetimeSeconds: number,
  ): Promise<string | null>
  /** Stores a part, which is durable when the promise resolves. Throws `wrong_size` and then stores nothing. */
  put(object: PartialObject, part: ObjectPart, body: Readable): Promise<void>
  /** Returns the stored parts, sorted by number. */
  list(object: PartialObject): Promise<StoredPart[]>
  /** Creates the object from these parts. Throws `wrong_parts` if they differ from those in the storage. */
  complete(object: PartialObject, parts: readonly StoredPart[]): Promise<void>
}

/**
 * Every method throws a StorageError: `invalid_key` for a key that storageKey() refuses, `unavailable` while the store
 * does not respond.
 */
export interface Storage {
  /**
   * Writes a new object, which is durable when the promise resolves. Before that or after a failure, nothing is
   * readable under the key. Throws `wrong_size` if the body is not exactly `byteSize` bytes long.
   */
  put(
    key: string,
    body: Readable | Uint8Array,
    options?: { byteSize?: number },
  ): Promise<ObjectStat>
  /** Like `put`, for a complete local file. The file is renamed if possible, otherwise copied and removed. */
  putFile(key: string, path: string, options?: { byteSize?: number }): Promise<ObjectStat>
  /** Opens an object for reading. Throws `not_found`. */
  open(key: string): Promise<OpenObject>
  /** Reads a whole object. Only for objects known to be small. Throws `not_found`. */
  read(key: string): Promise<Buffer>
  stat(key: string): Promise<ObjectStat | null>
  /**
   * Deletes an object and its uploaded parts. Succeeds if there is nothing to delete. `signal` aborts a slow request
   * with `unavailable`, after which the object may or may not be deleted.
   */
  delete(key: string, options?: { signal?: AbortSignal }): Promise<void>
  /** Returns all keys that start with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<string>
  /** Calls `use` with the object as a local file. `use` must not change it, nor read it later. Throws `not_found`. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>
  /**
   * Calls `use` with an empty local folder and removes it afterwards. putFile() can rename files from this folder.
   */
  withScratchFolder<T>(use: (folder: string) => Promise<T>): Promise<T>
  /**
   * Returns a URL from which anyone may read the object, or ranges of it, for `lifetimeSeconds`, with these response
   * headers. Null if only this server can send it. Does not check that the object exists.
   */
  signedUrl(
    key: string,
    options: { mime: string; cacheControl: string; lifetimeSeconds: number },
  ): Promise<string | null>
  parts: StorageParts
  /**
   * Returns the id of the installation to which the storage belongs. Null if it has none, or is partly unavailable.
   */
  readInstallationId(): Promise<string | null>
  /** The id is stored outside the objects, so `list` does not return it. */
  writeInstallationId(id: string): Promise<void>
}

/** Name of the file or object that contains the installation id. Too short to be a storage key. */
export const installationFile = 'installation'

export class StorageError extends OperatorError {
  readonly problem: 'invalid_key' | 'not_found' | 'wrong_size' | 'wrong_parts' | 'unavailable'

  constructor(problem: StorageError['problem'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageError'
    this.problem = problem
  }
}

export function isStorageError(error: unknown, problem: StorageError['problem']): boolean {
  return error instanceof StorageError && error.problem === problem
}

const keyMaxLength = 512
// Only lower case, because some file systems ignore case. No segment may start with a dot, which excludes `..`.
const keyPattern = /^[a-z0-9][a-z0-9._-]{0,199}(?:\/[a-z0-9][a-z0-9._-]{0,199}){1,7}$/

/** Returns the key if it is valid: 2 to 8 segments of `a-z 0-9 . _ -`. Throws `invalid_key`. */
export function storageKey(key: string): string {
  if (key.length > keyMaxLength || !keyPattern.test(key)) {
    throw new StorageError('invalid_key', `Not a storage key: ${JSON.stringify(key.slice(0, 80))}`)
  }
  return key
}

/** Returns the prefix if a valid key can start with it. Throws `invalid_key`. */
export function storagePrefix(prefix: string): string {
  // The last segment is not checked, because it may be incomplete.
  const folders = prefix.split('/').slice(0, -1)
  if (folders.length > 0) storageKey([...folders, 'x'].join('/'))
  return prefix
}

export function createWrongSizeError(byteSize: number): StorageError {
  return new StorageError('wrong_size', `The body is not ${byteSize} bytes long`)
}

/**
 * Passes the bytes through. Fails with `wrong_size` as soon as there are too many, or at the end if there are too
 * few.
 */
export function enforceSize(body: Readable, byteSize: number | undefined): Readable {
  if (byteSize === undefined) return body
  return Readable.from(
    (async function* count() {
      let passed = 0
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        passed += chunk.byteLength
        if (passed > byteSize) throw createWrongSizeError(byteSize)
        yield chunk
      }
      if (passed < byteSize) throw createWrongSizeError(byteSize)
    })(),
    { objectMode: false },
  )
}
