// Where audio and pictures are kept: one interface that disk and object stores share. An object is written once,
// whole or not at all, and never changes under its key; who owns a key is the database's business.
import { Readable } from 'node:stream'

/** What is known of an object without reading it. */
export interface ObjectStat {
  byteSize: number
  /** Quoted and strong, as the ETag header wants it. */
  etag: string
  lastModified: Date
}

/**
 * An object held open for reads at any place. After its key is deleted it stays readable on disk; in an object store its
 * reads fail. Either way they never give bytes of another object.
 */
export interface OpenObject extends ObjectStat {
  /** Reading fewer bytes at once costs as much. */
  readonly leastReadBytes: number
  /** Fills `targets` one after the other from byte `position` on; gives the count of bytes, fewer only at the end. */
  read(targets: Uint8Array[], position: number): Promise<number>
  /** The same at once, where the system may have the bytes in its memory; it blocks where it has not. */
  readNow?(targets: Uint8Array[], position: number): number
  close(): Promise<void>
}

/** An object on its way into the store in parts. */
export interface PartialObject {
  key: string
  /** What the store calls this attempt. */
  uploadId: string
}

/** One part: its place, counted from 1, and its exact size in bytes. */
export interface ObjectPart {
  number: number
  byteSize: number
}

export interface StoredPart extends ObjectPart {
  etag: string
}

/**
 * Objects that somebody else brings to the store, in parts and over days. All parts but the last are of one size, at
 * least 5 MiB. Nothing of it can be read before it is complete. `put`, `list` and `complete` throw `not_found` once the
 * object was given up; once it is complete some stores do, and others still know it. All throw `invalid_key` and
 * `unavailable` as the storage itself does.
 */
export interface StorageParts {
  /** Gives the `uploadId`. */
  begin(key: string): Promise<string>
  /** Takes this part, and nothing of another length, by PUT from anyone for `lifetimeSeconds`. */
  signedUrl(object: PartialObject, part: ObjectPart, lifetimeSeconds: number): Promise<string>
  /** Passes the part on as it comes. Throws `wrong_size`; nothing is stored then. */
  put(object: PartialObject, part: ObjectPart, body: Readable): Promise<void>
  /** What has arrived, by number. */
  list(object: PartialObject): Promise<StoredPart[]>
  /** Makes these parts the object. Throws `wrong_parts` when they are not the ones that the store has. */
  complete(object: PartialObject, parts: readonly StoredPart[]): Promise<void>
}

/**
 * Every method throws a StorageError `invalid_key` for a key that storageKey() refuses, and `unavailable` while the store
 * does not answer.
 */
export interface Storage {
  /**
   * Writes a new object, durable when the promise settles. Nothing appears under the key before that,
   * nor after a failure. Throws `wrong_size` when the body is not exactly `byteSize` bytes long.
   */
  put(
    key: string,
    body: Readable | Uint8Array,
    options?: { byteSize?: number },
  ): Promise<ObjectStat>
  /** The same for a finished local file, which is gone afterwards: moved where that is possible. */
  putFile(key: string, path: string, options?: { byteSize?: number }): Promise<ObjectStat>
  /** Throws `not_found`. */
  open(key: string): Promise<OpenObject>
  /** The whole object, for what is known to be small. Throws `not_found`. */
  read(key: string): Promise<Buffer>
  stat(key: string): Promise<ObjectStat | null>
  /**
   * With whatever has arrived of it in parts. Deleting what is not there is fine. A store that takes its time is given up
   * at `signal`, with `unavailable`; it may have deleted the object all the same.
   */
  delete(key: string, options?: { signal?: AbortSignal }): Promise<void>
  /** All keys that start with `prefix`, in no order. */
  list(prefix: string): AsyncIterable<string>
  /** Gives `use` the object as a local file, which it must not change nor keep. Throws `not_found`. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>
  /** Gives `use` an empty local folder, from which putFile() is cheap; it is gone afterwards. */
  withScratchFolder<T>(use: (folder: string) => Promise<T>): Promise<T>
  /**
   * An address from which anyone may read the object for `lifetimeSeconds`, ranges included, sent with these headers.
   * Null where only this server can give it out. Does not say whether the object is there.
   */
  signedUrl(
    key: string,
    options: { mime: string; cacheControl: string; lifetimeSeconds: number },
  ): Promise<string | null>
  /** Null where objects come through this server only. */
  parts: StorageParts | null
  /** The id of the installation that the storage belongs to; null: it carries none, or a part of it is away. */
  readInstallationId(): Promise<string | null>
  /** Stands beside the objects: `list` does not give it. */
  writeInstallationId(id: string): Promise<void>
}

/** The name of the file or object with that id; too short for a storage key. */
export const installationFile = 'installation'

export class StorageError extends Error {
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
// Lower case only, since some file systems fold case; a segment never starts with a dot, so `..` is not one.
const keyPattern = /^[a-z0-9][a-z0-9._-]{0,199}(?:\/[a-z0-9][a-z0-9._-]{0,199}){1,7}$/

/** The key itself when it is well-formed: 2 to 8 segments of `a-z 0-9 . _ -`. Throws `invalid_key`. */
export function storageKey(key: string): string {
  if (key.length > keyMaxLength || !keyPattern.test(key)) {
    throw new StorageError('invalid_key', `Not a storage key: ${JSON.stringify(key.slice(0, 80))}`)
  }
  return key
}

/** The prefix itself when keys can start with it. Throws `invalid_key`. */
export function storagePrefix(prefix: string): string {
  // Its last part may be half a name.
  const folders = prefix.split('/').slice(0, -1)
  if (folders.length > 0) storageKey([...folders, 'x'].join('/'))
  return prefix
}

export function wrongSize(byteSize: number): StorageError {
  return new StorageError('wrong_size', `The body is not ${byteSize} bytes long`)
}

/** The same bytes; fails with `wrong_size` as soon as they are too many, or at the end when they are too few. */
export function exactly(body: Readable, byteSize: number | undefined): Readable {
  if (byteSize === undefined) return body
  return Readable.from(
    (async function* count() {
      let passed = 0
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        passed += chunk.byteLength
        if (passed > byteSize) throw wrongSize(byteSize)
        yield chunk
      }
      if (passed < byteSize) throw wrongSize(byteSize)
    })(),
    { objectMode: false },
  )
}
