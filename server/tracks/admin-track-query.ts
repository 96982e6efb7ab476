// The SELECT that yields a track as admins see it.
import type { AdminTrack } from '#contract/admin-tracks.ts'
import type { Handle } from '../db/database.ts'
import { AppError } from '../http/app-error.ts'
import { trackFacts } from './track-query.ts'

export function adminTrackQuery(db: Handle) {
  return trackFacts(db).select([
    't.lyrics',
    't.credits',
    't.is_published',
    't.publish_when_ready',
    't.processing_status',
    't.processing_progress',
    't.processing_error',
    't.created_at',
    't.updated_at',
  ])
}

/** One track as admins see it. Throws `track_not_found`. */
export async function findAdminTrack(db: Handle, id: string): Promise<AdminTrack> {
  const track = await adminTrackQuery(db).where('t.id', '=', id).executeTakeFirst()
  if (!track) throw new AppError('track_not_found')
  return track
}
