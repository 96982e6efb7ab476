// Checks the storage: it belongs to this installation, is readable and writable, and allows uploads from browsers.
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openStorage } from '../../platform/storage/open-storage.ts'
import { checkStorageMatch } from '../../platform/storage/storage-match.ts'
import { note, ok, problem, type CheckContext, type Finding } from './finding.ts'

const probeBytes = 4096

export async function checkStore(context: CheckContext): Promise<Finding> {
  const { config } = context
  const { s3, dataDir } = config
  if (!s3 && !existsSync(join(dataDir, 'storage', 'objects'))) {
    if (context.db && context.hasInstallation) {
      await checkStorageMatch({ db: context.db, storage: emptyStorage }, config)
    }
    return note(`There is no storage in ${dataDir} yet; the first start makes it.`)
  }
  // The service could not replace files that belong to root.
  if (!s3 && process.getuid?.() === 0 && statSync(dataDir).uid !== 0) {
    return note('not checked: run this command as the user of the service, see above.')
  }
  const storage = await openStorage(config)
  try {
    if (context.db && context.hasInstallation && !config.acceptNewStorage) {
      await checkStorageMatch({ db: context.db, storage }, config)
    }
    const startedAt = performance.now()
    const isSame = await makeRoundTrip(storage)
    const what = s3 ? `The bucket "${s3.bucket}"` : `The folder ${join(dataDir, 'storage')}`
    if (!isSame) {
      return problem(
        `${what} gives back other bytes than were written: check ${s3 ? 'what stands between it and Velour' : 'that disk'}.`,
      )
    }
    const ms = Math.round(performance.now() - startedAt)
    const works = `${what} writes, reads and deletes a file in ${ms} ms`
    if (config.acceptNewStorage) {
      return note(`${works}: unset ACCEPT_NEW_STORAGE after the next start.`)
    }
    return ok(context.hasInstallation ? `${works} and belongs to this installation` : works)
  } finally {
    await storage.close()
  }
}

async function makeRoundTrip(storage: Awaited<ReturnType<typeof openStorage>>): Promise<boolean> {
  const key = `doctor/${randomUUID()}`
  const bytes = randomBytes(probeBytes)
  try {
    await storage.put(key, bytes, { byteSize: bytes.length })
    return bytes.equals(await storage.read(key))
  } finally {
    await storage.delete(key)
  }
}

const emptyStorage = {
  readInstallationId: async () => null,
  stat: async () => null,
  async *list() {},
}

/** Null: browsers don't upload directly to the store. */
export async function checkCors({ config }: CheckContext): Promise<Finding | null> {
  const { s3, s3Upload, publicUrl } = config
  if (!s3 || s3Upload === 'proxy') return null
  const { origin } = new URL(publicUrl)
  const { checkBrowsers } = await import('../../platform/storage/s3-cors.ts')
  const state = await checkBrowsers(s3, origin)
  if (state === 'allowed') return ok(`The bucket lets pages of ${origin} bring files`)
  if (state === 'missing') {
    return note(`The bucket has no CORS rule for ${origin} yet; the next start writes it.`)
  }
  return note(
    `The store lets no page of ${origin} bring files and takes no CORS rule from this key, so uploads pass through ` +
      'the server: add the rule of docs/object-store.md to the bucket, or set S3_UPLOAD=proxy.',
  )
}
