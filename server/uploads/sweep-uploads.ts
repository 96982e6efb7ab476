// Forgets uploads that came to nothing, with the bytes that wait for them, and those long used.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../db/database.ts'
import { partialFolder, type UploadServices } from './upload-operations.ts'

const hourMs = 3_600_000
/** As long as a finished, unused file stays in storage. */
const completeLifetimeMs = 24 * hourMs

/** Safe at any time, on any instance. */
export async function sweepUploads(services: UploadServices): Promise<void> {
  const now = services.now().getTime()
  await forgetRows(services.db, now)
  await removePartials(services, now)
}

async function forgetRows(db: Database, now: number): Promise<void> {
  await db.query
    .deleteFrom('uploads')
    .where((eb) =>
      eb.or([
        // An hour more than the token lives, so that a last answer still finds its row.
        eb.and([
          eb('status', '=', 'open'),
          eb('expires_at', '<', new Date(now - hourMs).toISOString()),
        ]),
        eb.and([
          eb('status', '!=', 'open'),
          eb('expires_at', '<', new Date(now - completeLifetimeMs).toISOString()),
        ]),
      ]),
    )
    .execute()
}

/** Files that nothing has been written to for a day belong to nobody any more. */
async function removePartials(services: UploadServices, now: number): Promise<void> {
  const folder = partialFolder(services)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (mtimeMs < now - completeLifetimeMs) await rm(path, { force: true })
  }
}
