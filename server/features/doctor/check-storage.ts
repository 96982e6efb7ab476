// Checks of `npm run doctor` for the storage: that it belongs to this installation, is readable and writable, and
// allows uploads from browsers.
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
    return note(`There is no storage in ${dataDir} yet; the first start creates it.`)
  }
  // As root, this command would create files that the service could not replace.
  if (!s3 && process.getuid?.() === 0 && statSync(dataDir).uid !== 0) {
    return note('not checked: run this command as the user of the service (see Data folder).')
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
        `${what} returns different bytes than were written: check ${s3 ? 'what is between it and Velour' : 'that disk'}.`,
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

/** Checks the CORS rule of the object store. Null if browsers do not upload directly to the store. */
export async function checkCors({ config }: CheckContext): Promise<Finding | null> {
  const { s3, s3Upload, publicUrl } = config
  if (!s3 || s3Upload === 'proxy') return null
  const { origin } = new URL(publicUrl)
  const { checkBrowsers } = await import('../../platform/storage/s3-cors.ts')
  const state = await checkBrowsers(s3, origin)
  if (state === 'allowed') return ok(`The bucket accepts uploads from pages of ${origin}`)
  if (state === 'missing') {
    return note(`The bucket has no CORS rule for ${origin} yet; the next start adds it.`)
  }
  return note(
    `The store accepts no uploads from pages of ${origin}, and this key cannot set a CORS rule, so uploads go through ` +
      'the server: add the rule from docs/object-store.md to the bucket, or set S3_UPLOAD=proxy.',
  )
}
