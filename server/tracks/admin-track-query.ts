// The SELECT that yields a track as admins see it.
import { sql } from 'kysely'
import type { AdminTrack } from '#contract/admin-tracks.ts'
import type { Handle } from '../db/database.ts'
import { AppError } from '../http/app-error.ts'
import { coverUrl } from './track-query.ts'

export function adminTrackQuery(db: Handle) {
  return db.query
    .selectFrom('tracks as t')
    .leftJoin('images as cover', 'cover.id', 't.cover_id')
    .leftJoin('renditions as preview', (join) =>
      join.onRef('preview.track_id', '=', 't.id').on('preview.kind', '=', 'preview'),
    )
    .select([
      't.id',
      't.title',
      't.artist',
      't.category',
      't.genre',
      't.description',
      't.lyrics',
      't.tags',
      't.explicit',
      't.duration',
      coverUrl('t.cover_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
      sql<string>`'/api/tracks/' || t.id || '/stream'`.as('audio_url'),
      sql<
        string | null
      >`case when preview.id is not null then '/api/tracks/' || t.id || '/preview' end`.as(
        'preview_url',
      ),
      sql<number | null>`floor(preview.duration_seconds)::int`.as('preview_seconds'),
      't.loudness_lufs',
      't.true_peak_dbtp',
      't.ai_disclosure',
      't.ai_tool',
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
