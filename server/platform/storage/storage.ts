// Storage for audio and pictures: one interface for disk and object stores. An object is written atomically once and
// never changes under its key. The database records who owns a key.
import { Readable } from 'node:stream'
import { OperatorError } from '../config/operator-error.ts'

/** Metadata of an object, available without reading it. */
export interface ObjectStat {
  byteSize: number
  /** Quoted and strong, as in the ETag header. */
  etag: string
  lastModified: Date
}

/**
 * An object held open for reads at any position. After its key is deleted it stays readable on disk, while in an object
 * store its reads fail. It never returns bytes of another object.
 */
export interface OpenObject extends ObjectStat {
  /** The minimum efficient size of a read. A smaller one costs as much. */
  readonly minReadBytes: number
  /** Fills `target` from byte `position` on. Returns the number of bytes read, which is smaller only at the end. */
  read(target: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

/** An upload in parts that is not complete yet. */
export interface PartialObject {
  key: string
  /** The storage's id of this upload. */
  uploadId: string
}

/** One part: its number, starting at 1, and its exact size in bytes. */
export interface ObjectPart {
  number: number
  byteSize: number
}

export interface StoredPart extends ObjectPart {
  etag: string
}

/**
 * Uploads in parts by clients, over days. All parts but the last have the same size, at least 5 MiB. They may arrive in
 * any order, concurrently and repeatedly: the last one stored counts. Nothing is readable before the upload is
 * complete. After an abort, `put`, `list` and `complete` throw `not_found`. After completion some stores throw it as
 * well, others do not. All throw `invalid_key` and `unavailable` as the storage does.
 */
export interface StorageParts {
  /** Whether parts take space on a disk of this server: until completion, then twice as much for a moment. */
  readonly onDisk: boolean
  /** Returns the `uploadId`. */
  begin(key: string): Promise<string>
  /**
   * A URL that accepts a PUT of this part with exactly its length, from anyone for `lifetimeSeconds`. Null if parts can
   * be sent only through this server.
   */
  signedUrl(
    object: PartialObject,
    part: ObjectPart,
    lifetimeSeconds: number,
  ): Promise<string | null>
  /** Stores the part, durable when the promise resolves. Throws `wrong_size`, and then stores nothing. */
  put(object: PartialObject, part: ObjectPart, body: Readable): Promise<void>
  /** The stored parts, sorted by number. */
  list(object: PartialObject): Promise<StoredPart[]>
  /** Assembles the object from these parts. Throws `wrong_parts` if they differ from those in the storage. */
  complete(object: PartialObject, parts: readonly StoredPart[]): Promise<void>
}

/**
 * Every method throws a StorageError: `invalid_key` for a key that storageKey() refuses, `unavailable` while the store
 * does not respond.
 */
export interface Storage {
  /**
   * Writes a new object, durable when the promise resolves. Nothing is visible under the key before that or after a
   * failure. Throws `wrong_size` when the body is not exactly `byteSize` bytes long.
   */
  put(
    key: string,
    body: Readable | Uint8Array,
    options?: { byteSize?: number },
  ): Promise<ObjectStat>
  /** Like `put`, for a finished local file, which is removed: renamed where possible, otherwise copied. */
  putFile(key: string, path: string, options?: { byteSize?: number }): Promise<ObjectStat>
  /** Throws `not_found`. */
  open(key: string): Promise<OpenObject>
  /** The whole object; only for objects known to be small. Throws `not_found`. */
  read(key: string): Promise<Buffer>
  stat(key: string): Promise<ObjectStat | null>
  /**
   * Also removes uploaded parts. Succeeds if nothing is there. `signal` aborts a slow request with `unavailable`; the
   * store may have deleted the object nevertheless.
   */
  delete(key: string, options?: { signal?: AbortSignal }): Promise<void>
  /** All keys that start with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<string>
  /** Calls `use` with the object as a local file, which it must neither change nor keep. Throws `not_found`. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>
  /** Calls `use` with an empty local folder and removes it afterwards. putFile() from there is cheap. */
  withScratchFolder<T>(use: (folder: string) => Promise<T>): Promise<T>
  /**
   * A URL from which anyone may read the object for `lifetimeSeconds`, ranges included, with these response headers.
   * Null if only this server can serve it. Does not check that the object exists.
   */
  signedUrl(
    key: string,
    options: { mime: string; cacheControl: string; lifetimeSeconds: number },
  ): Promise<string | null>
  parts: StorageParts
  /** The id of the installation that the storage belongs to. Null if it has none, or is partly unavailable. */
  readInstallationId(): Promise<string | null>
  /** Stored beside the objects: `list` does not return it. */
  writeInstallationId(id: string): Promise<void>
}

/** Name of the file or object with that id; too short to be a storage key. */
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
// Lower case only, since some file systems ignore case. No segment starts with a dot, which excludes `..`.
const keyPattern = /^[a-z0-9][a-z0-9._-]{0,199}(?:\/[a-z0-9][a-z0-9._-]{0,199}){1,7}$/

/** Returns the key if it is well-formed: 2 to 8 segments of `a-z 0-9 . _ -`. Throws `invalid_key`. */
export function storageKey(key: string): string {
  if (key.length > keyMaxLength || !keyPattern.test(key)) {
    throw new StorageError('invalid_key', `Not a storage key: ${JSON.stringify(key.slice(0, 80))}`)
  }
  return key
}

/** Returns the prefix if keys can start with it. Throws `invalid_key`. */
export function storagePrefix(prefix: string): string {
  // The last segment may be incomplete.
  const folders = prefix.split('/').slice(0, -1)
  if (folders.length > 0) storageKey([...folders, 'x'].join('/'))
  return prefix
}

export function createWrongSizeError(byteSize: number): StorageError {
  return new StorageError('wrong_size', `The body is not ${byteSize} bytes long`)
}

/** The same bytes. Fails with `wrong_size` as soon as there are too many, or at the end if there are too few. */
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
