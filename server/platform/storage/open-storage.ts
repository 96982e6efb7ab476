// Opens the configured storage.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import { openDiskStorage } from './disk-storage.ts'
import { claimWorkFolder } from './own-work-folder.ts'
import type { Storage } from './storage.ts'

export type OpenStorage = Storage & { close: () => Promise<void> }

/** Several processes may share one data folder. None touches the unfinished files of another. */
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

/** Makes sure that browsers may upload parts to the store where this is enabled. Logs a warning if they cannot. */
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
