// Opens the configured storage: a folder on disk or an S3-compatible store.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import { openDiskStorage } from './disk-storage.ts'
import { claimWorkFolder } from './own-work-folder.ts'
import type { Storage } from './storage.ts'

export type OpenStorage = Storage & { close: () => Promise<void> }

/**
 * Each process has its own work folder, so that processes sharing a data folder don't delete each other's unfinished
 * files.
 */
export async function openStorage({
  s3,
  dataDir,
}: Pick<Config, 's3' | 'dataDir'>): Promise<OpenStorage> {
  const folder = s3 ? dataDir : join(dataDir, 'storage')
  const shared = s3 ? 'scratch' : 'tmp'
  const work = join(shared, await claimWorkFolder(join(folder, shared)))
  const removeWork = () => rm(join(folder, work), { recursive: true, force: true })
  if (!s3) {
    const storage = await openDiskStorage(folder, work)
    return { ...storage, close: removeWork }
  }
  // Loaded on demand, because the S3 client takes memory and time that most installations don't need to spend.
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

/** If browsers upload directly to the store, makes sure that it allows them to. Logs a warning if it does not. */
export async function allowUploads(
  { s3, s3Upload, publicUrl }: Pick<Config, 's3' | 's3Upload' | 'publicUrl'>,
  log: FastifyBaseLogger,
): Promise<void> {
  if (!s3 || s3Upload === 'proxy') return
  const origin = new URL(publicUrl).origin
  const { allowBrowsers } = await import('./s3-cors.ts')
  const isAllowed = await allowBrowsers(s3, origin).catch((error: unknown) => {
    log.warn({ err: error }, 'the CORS rules of the bucket could not be read')
    return true
  })
  if (isAllowed) return
  log.warn(
    { bucket: s3.bucket, origin },
    'the store does not accept our CORS rule: until it allows PUT from this origin, uploads pass through the server (docs/object-store.md)',
  )
}
