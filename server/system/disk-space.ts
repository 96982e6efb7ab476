// How much room is left where this instance keeps its files. Warns the log when it becomes little, and keeps files
// out before the database, which often shares the disk, has none.
import { statfs as statfsOfSystem } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { SpaceLevel } from '#contract/admin-system.ts'
import { AppError } from '../http/app-error.ts'

export interface DiskSpace {
  free_bytes: number
  /** Without what the system keeps for itself, as `df` counts. */
  total_bytes: number
}

/** What `statfs` tells, in blocks of `bsize` bytes. */
export type Statfs = (folder: string) => Promise<{
  bsize: number
  blocks: number
  bfree: number
  bavail: number
}>

export interface DiskWatch {
  /** As of a second ago at most. */
  read: () => Promise<DiskSpace & { level: SpaceLevel }>
  isFull: () => Promise<boolean>
  /** Throws `storage_full` when the disk is full, or would be with so many bytes more. */
  refuseWhenFull: (byteSize?: number) => Promise<void>
  stop: () => void
}

const megabyte = 1000 ** 2
const limits = {
  low: { share: 0.1, bytes: 2000 * megabyte },
  full: { share: 0.02, bytes: 500 * megabyte },
} as const
const keptMs = 1000
const lookAgainMs = 30_000

export function levelOf({ free_bytes, total_bytes }: DiskSpace): SpaceLevel {
  const isBelow = ({ share, bytes }: { share: number; bytes: number }) =>
    free_bytes < bytes || free_bytes < total_bytes * share
  return isBelow(limits.full) ? 'full' : isBelow(limits.low) ? 'low' : 'ok'
}

/** Watches the disk that `folder` is on. */
export function watchDisk(options: {
  folder: string
  log: FastifyBaseLogger
  statfs?: Statfs | undefined
}): DiskWatch {
  const { folder, log, statfs = statfsOfSystem } = options
  let known: { at: number; space: Promise<DiskSpace> } | null = null
  let told: SpaceLevel = 'ok'

  function look(): Promise<DiskSpace> {
    if (known && performance.now() - known.at < keptMs) return known.space
    const space = measure(statfs, folder)
    known = { at: performance.now(), space }
    return space
  }

  async function read() {
    const space = await look()
    const level = levelOf(space)
    if (level !== told) tell(log, folder, space, level)
    told = level
    return { ...space, level }
  }

  const timer = setInterval(() => {
    read().catch((error: unknown) => log.warn({ err: error }, 'the disk could not be measured'))
  }, lookAgainMs)
  timer.unref()

  return {
    read,
    isFull: async () => (await read()).level === 'full',
    async refuseWhenFull(byteSize = 0) {
      const { free_bytes, total_bytes } = await read()
      if (levelOf({ free_bytes: free_bytes - byteSize, total_bytes }) !== 'full') return
      throw new AppError('storage_full')
    },
    stop: () => clearInterval(timer),
  }
}

async function measure(statfs: Statfs, folder: string): Promise<DiskSpace> {
  const { bsize, blocks, bfree, bavail } = await statfs(folder)
  return { free_bytes: bavail * bsize, total_bytes: (blocks - bfree + bavail) * bsize }
}

function tell(log: FastifyBaseLogger, folder: string, space: DiskSpace, level: SpaceLevel): void {
  const facts = { folder, ...space }
  if (level === 'ok') log.info(facts, 'the disk has room again')
  else if (level === 'low') log.warn(facts, 'the disk is getting full')
  else log.error(facts, 'the disk is full: uploads are refused and the processing of tracks waits')
}
