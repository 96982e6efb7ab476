// The storage that the configuration asks for.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openDiskStorage } from './disk-storage.ts'
import type { Storage } from './storage.ts'

export type OpenStorage = Storage & { close: () => Promise<void> }

/** A tool works beside a server that may be running: it leaves what that one has on its way alone. */
export async function openStorage(
  { s3, dataDir }: Pick<Config, 's3' | 'dataDir'>,
  { isTool = false }: { isTool?: boolean } = {},
): Promise<OpenStorage> {
  const work = isTool ? `tool-${randomUUID()}` : s3 ? 'scratch' : 'tmp'
  const folder = s3 ? dataDir : join(dataDir, 'storage')
  const removeWork = async () => {
    if (isTool) await rm(join(folder, work), { recursive: true, force: true })
  }
  if (!s3) {
    const storage = await openDiskStorage(folder, work)
    return { ...storage, close: removeWork }
  }
  // Its client takes memory and time to load that most installations need not spend.
  const { openS3Storage } = await import('./s3-storage.ts')
  const storage = await openS3Storage({ ...s3, scratchFolder: join(folder, work) })
  return {
    ...storage,
    async close() {
      storage.close()
      await removeWork()
    },
  }
}
