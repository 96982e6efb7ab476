// Writes the progress of a track's processing to the database: at most twice a second, never after processing has
// ended, and without blocking the work.
import { sql } from 'kysely'
import type { Database } from '../../../platform/db/database.ts'
import { notify } from '../../../platform/events/event-bus.ts'

const intervalMs = 500

export function createProgressReport(db: Database, trackId: string) {
  let writing: Promise<unknown> = Promise.resolve()
  let lastAt = 0

  const write = async (share: number) => {
    await db.query
      .updateTable('tracks')
      .set({
        // A published track stays `ready` while it is reprocessed, so that members can keep playing it.
        processing_status: sql<
          'ready' | 'processing'
        >`case when is_published then 'ready' else 'processing' end`,
        processing_progress: Math.min(1, Math.max(0, share)),
      })
      .where('id', '=', trackId)
      .execute()
    await notify(db, 'processing', trackId)
  }

  return {
    start: () => write(0),
    share(share: number): void {
      const now = performance.now()
      if (now - lastAt < intervalMs) return
      lastAt = now
      writing = writing
        .then(() => write(share * 0.99))
        .catch((error: unknown) => db.log.warn({ err: error }, 'progress was not written'))
    },
    /** Resolves when no write of the progress is pending. */
    settle: () => writing,
  }
}
