// Writes one backup into a target. Files that an earlier backup copied are referenced, not copied again.
import { createHash, type Hash } from 'node:crypto'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { OpenObject } from '../../platform/storage/storage.ts'
import { createArchive, fileOutput, type BackupWriter } from './archive-writer.ts'
import {
  BackupError,
  backupStart,
  objectPrefix,
  startEntry,
  type BackupEnd,
  type BackupStart,
} from './backup-format.ts'
import {
  fileKey,
  readBackups,
  manifestKey,
  readManifest,
  rowsKey,
  type BackupManifest,
  type BackupTarget,
} from './backup-target.ts'
import { parse } from './read-archive.ts'
import { readObjectStream } from '../../platform/storage/read-object.ts'
import { explainTargetError } from './target-error.ts'

type Entry = BackupEnd['entries'][number]

/** The files that the target already contains. */
export interface KnownFiles {
  stored: Set<string>
  /** The entries of earlier backups by their path in the target, as in the manifests. */
  entries: Map<string, Entry>
}

export async function readKnownFiles(target: BackupTarget): Promise<KnownFiles> {
  const known: KnownFiles = { stored: new Set(), entries: new Map() }
  for await (const key of target.storage.list('files/')) known.stored.add(key)
  for (const backup of await readBackups(target)) {
    // Ignore a damaged manifest: the hashes of its files are computed again.
    const manifest = await readManifest(target, backup).catch((error: unknown) => {
      if (error instanceof BackupError) return null
      throw error
    })
    for (const entry of manifest?.end.entries ?? []) {
      if (!entry.name.startsWith(objectPrefix)) continue
      const key = entry.name.slice(objectPrefix.length)
      known.entries.set(fileKey(key, backup.isEncrypted), entry)
    }
  }
  return known
}

/** `folder` is a local folder that contains the rows until they are complete. */
export function createTargetWriter(
  target: BackupTarget,
  options: { name: string; folder: string; known: KnownFiles },
): BackupWriter & { copied: { count: number; bytes: number } } {
  const { storage, encryption } = target
  const isEncrypted = encryption !== null
  const backup = { name: options.name, isEncrypted }
  const rowsFile = join(options.folder, 'rows.tar')
  const rows = createArchive(fileOutput(rowsFile), encryption)
  const files: Entry[] = []
  const copied = { count: 0, bytes: 0 }
  let start: BackupStart | null = null

  async function isStored(stored: string, byteSize: number): Promise<boolean> {
    if (!options.known.stored.has(stored)) return false
    return isEncrypted || (await storage.stat(stored))?.byteSize === byteSize
  }

  async function storeObject(key: string, object: OpenObject): Promise<Entry> {
    const stored = fileKey(key, isEncrypted)
    const { byteSize } = object
    const hash = createHash('sha256')
    const describe = () => ({
      name: objectPrefix + key,
      byte_size: byteSize,
      sha256: hash.digest('hex'),
    })
    if (await isStored(stored, byteSize)) {
      const entry = options.known.entries.get(stored)
      if (entry?.byte_size === byteSize) return entry
      // An interrupted backup copied this file. It is complete, but its hash is unknown and must be computed.
      for await (const chunk of readObjectStream(object) as AsyncIterable<Buffer>)
        hash.update(chunk)
      return describe()
    }
    const body = hashStream(readObjectStream(object), hash)
    if (encryption) await storage.put(stored, await encryption.encrypt(body))
    else await storage.put(stored, body, { byteSize })
    copied.count++
    copied.bytes += byteSize
    return describe()
  }

  return {
    copied,
    addText: (name, content) =>
      withTargetErrors(async () => {
        if (name === startEntry) start = parse(target.name, backupStart, content)
        await rows.addText(name, content)
      }),
    addFile: (name, path) => withTargetErrors(() => rows.addFile(name, path)),
    addObject: (key, object) =>
      withTargetErrors(async () => void files.push(await storeObject(key, object))),
    finish: (end) => withTargetErrors(() => complete(end)),
    abort: rows.abort,
  }

  async function complete(end: Omit<BackupEnd, 'entries'>): Promise<number> {
    const rowEntries = [...rows.entries]
    await rows.finish(end)
    await storage.putFile(rowsKey(backup), rowsFile)
    const entries = [...rowEntries, ...files]
    const manifest: BackupManifest = { start: start!, end: { ...end, entries } }
    const content = Buffer.from(JSON.stringify(manifest))
    // Write the manifest last. With the manifest, the backup counts as complete.
    const key = manifestKey(backup)
    if (encryption) await storage.put(key, await encryption.encrypt(Readable.from([content])))
    else await storage.put(key, content)
    return entries.reduce((sum, { byte_size }) => sum + byte_size, 0)
  }

  async function withTargetErrors<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw explainTargetError(error, target.place)
    }
  }
}

function hashStream(body: Readable, hash: Hash): Readable {
  return Readable.from(
    (async function* measure() {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        hash.update(chunk)
        yield chunk
      }
    })(),
    { objectMode: false },
  )
}
