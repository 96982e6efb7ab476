// Measures the free space of every disk that this instance uses. Logs a warning when it becomes low, and refuses
// files while there is still space for the database, which is often on the same disk.
import { statfs as statfsOfSystem } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { SpaceLevel } from '#contract/admin/admin-system.ts'
import { AppError } from '../operations/app-error.ts'
import { hasCode } from './disk-files.ts'

/** Folders below the data folder, including those for unfinished work. Each may be a separate mount. */
export const watchedFolders = [
  '',
  'postgres',
  'storage',
  'storage/objects',
  'storage/parts',
  'storage/tmp',
  'scratch',
]

export interface DiskSpace {
  free_bytes: number
  /** Excludes the space that the system reserves, like the output of `df`. */
  total_bytes: number
}

export interface FolderSpace extends DiskSpace {
  /** Path below the data folder. Empty for the data folder itself. */
  folder: string
}

/** The result of `statfs`, in blocks of `bsize` bytes. */
export type Statfs = (folder: string) => Promise<{
  bsize: number
  blocks: number
  bfree: number
  bavail: number
}>

export interface DiskWatch {
  /** Returns the space of the fullest disk, measured at most a second ago. */
  read: () => Promise<FolderSpace & { level: SpaceLevel }>
  /** Returns the space of each folder in use. */
  readAll: () => Promise<FolderSpace[]>
  isFull: () => Promise<boolean>
  /** Throws `storage_full` if the disk is full, or would be after `byteSize` more bytes. */
  refuseWhenFull: (byteSize?: number) => Promise<void>
  stop: () => void
}

const megabyte = 1000 ** 2
const limits = {
  low: { share: 0.1, bytes: 2000 * megabyte },
  full: { share: 0.02, bytes: 500 * megabyte },
} as const
const cacheMs = 1000
const remeasureAfterMs = 30_000

export function getSpaceLevel({ free_bytes, total_bytes }: DiskSpace): SpaceLevel {
  const isBelow = ({ share, bytes }: { share: number; bytes: number }) =>
    free_bytes < bytes || free_bytes < total_bytes * share
  return isBelow(limits.full) ? 'full' : isBelow(limits.low) ? 'low' : 'ok'
}

/** Sorts by free space, least first. Of folders on the same disk, the outermost comes first. */
function fullestFirst(a: FolderSpace, b: FolderSpace): number {
  const urgency = (space: FolderSpace) =>
    levelOrder[getSpaceLevel(space)] + space.free_bytes / (space.total_bytes + 1)
  return urgency(a) - urgency(b)
}

const levelOrder = { full: 0, low: 2, ok: 4 } as const

/** Measures the disks of `folder` and of the folders in it. */
export function watchDisk(options: {
  folder: string
  log: FastifyBaseLogger
  statfs?: Statfs | undefined
}): DiskWatch {
  const { folder, log, statfs = statfsOfSystem } = options
  let known: { at: number; spaces: Promise<FolderSpace[]> } | null = null
  let loggedLevel: SpaceLevel = 'ok'

  function readSpaces(): Promise<FolderSpace[]> {
    if (known && performance.now() - known.at < cacheMs) return known.spaces
    const spaces = measureAll(statfs, folder)
    known = { at: performance.now(), spaces }
    return spaces
  }

  async function read() {
    const space = (await readSpaces()).toSorted(fullestFirst)[0]!
    const level = getSpaceLevel(space)
    if (level !== loggedLevel) logLevel(log, folder, space, level)
    loggedLevel = level
    return { ...space, level }
  }

  const timer = setInterval(() => {
    read().catch((error: unknown) => log.warn({ err: error }, 'the disk could not be measured'))
  }, remeasureAfterMs)
  timer.unref()

  return {
    read,
    readAll: readSpaces,
    isFull: async () => (await read()).level === 'full',
    async refuseWhenFull(byteSize = 0) {
      const wouldBeFull = ({ free_bytes, total_bytes }: DiskSpace) =>
        getSpaceLevel({ free_bytes: free_bytes - byteSize, total_bytes }) === 'full'
      await read()
      if ((await readSpaces()).some(wouldBeFull)) throw new AppError('storage_full')
    },
    stop: () => clearInterval(timer),
  }
}

/** Skips missing folders, because they will be on the disk of their parent folder. */
async function measureAll(statfs: Statfs, dataDir: string): Promise<FolderSpace[]> {
  const spaces = await Promise.all(
    watchedFolders.map(async (folder) => {
      try {
        return [{ folder, ...(await measure(statfs, join(dataDir, folder))) }]
      } catch (error) {
        if (folder !== '' && hasCode(error, 'ENOENT')) return []
        throw error
      }
    }),
  )
  return spaces.flat().filter((space, index, all) => !all.slice(0, index).some(isSameDisk(space)))
}

/** Allows a small difference, because data may be written between two measurements. */
const isSameDisk = (one: DiskSpace) => (other: DiskSpace) =>
  one.total_bytes === other.total_bytes &&
  Math.abs(one.free_bytes - other.free_bytes) < 16 * megabyte

async function measure(statfs: Statfs, folder: string): Promise<DiskSpace> {
  const { bsize, blocks, bfree, bavail } = await statfs(folder)
  return { free_bytes: bavail * bsize, total_bytes: (blocks - bfree + bavail) * bsize }
}

function logLevel(
  log: FastifyBaseLogger,
  dataDir: string,
  space: FolderSpace,
  level: SpaceLevel,
): void {
  const facts = { ...space, folder: join(dataDir, space.folder) }
  if (level === 'ok') log.info(facts, 'the disk has free space again')
  else if (level === 'low') log.warn(facts, 'the disk is getting full')
  else log.error(facts, 'the disk is full: uploads are refused and track processing is paused')
}
