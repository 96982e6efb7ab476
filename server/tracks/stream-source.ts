// Which stored object a listener gets for a track: looked up in one query, decided by the plan.
import { sql } from 'kysely'
import { mayStreamFull, qualityFor } from '../billing/entitlements.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../http/app-error.ts'
import type { Actor } from '../http/context.ts'

interface TrackFiles {
  is_published: boolean
  standard: string | null
  high: string | null
  preview: string | null
}

/**
 * Storage key of the whole track in the quality of the plan. Admins also hear what is not published.
 * Throws `track_not_found` and, before anything of the file is touched, `premium_required`.
 */
export async function findFullStream(db: Database, actor: Actor, trackId: string): Promise<string> {
  const files = await findFiles(db, trackId)
  if (!files.is_published && actor.role !== 'admin') throw new AppError('track_not_found')
  if (!mayStreamFull(actor, files.preview !== null)) throw new AppError('premium_required')
  const key = files[qualityFor(actor)]
  if (!key) throw new AppError('track_not_found')
  return key
}

/** Storage key of the preview. Visitors hear those of the showcase; throws `unauthenticated` for others. */
export async function findPreviewStream(
  db: Database,
  actor: Actor | null,
  trackId: string,
  isInShowcase: (trackId: string) => Promise<boolean>,
): Promise<string> {
  if (!actor && !(await isInShowcase(trackId))) throw new AppError('unauthenticated')
  const files = await findFiles(db, trackId)
  if (!files.is_published && actor?.role !== 'admin') throw new AppError('track_not_found')
  if (!files.preview) throw new AppError('track_not_found')
  return files.preview
}

async function findFiles(db: Database, trackId: string): Promise<TrackFiles> {
  const { rows } = await sql<TrackFiles>`
    select t.is_published,
           max(r.storage_key) filter (where r.kind = 'standard') as standard,
           max(r.storage_key) filter (where r.kind = 'high') as high,
           max(r.storage_key) filter (where r.kind = 'preview') as preview
      from tracks t left join renditions r on r.track_id = t.id
     where t.id = ${trackId}
     group by t.id`.execute(db.query)
  const files = rows[0]
  if (!files) throw new AppError('track_not_found')
  return files
}
