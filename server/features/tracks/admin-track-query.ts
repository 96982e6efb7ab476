// The SELECT for a track with the fields that only admins see.
import { sql } from 'kysely'
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { pictureSizes } from '#contract/fields/pictures.ts'
import type { Handle } from '../../platform/db/database.ts'
import { allCredits } from '../credits/credit-query.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { selectTrackColumns } from './track-query.ts'

/**
 * The problem found by the last check of a track's recording, renditions and cover. Looked up by the track's storage
 * keys, because there may be many damaged files.
 */
const fileProblem = sql<AdminTrack['file_problem']>`(
  select min(s.problem) from (
    select t.source_key as key
    union all select r.storage_key from renditions r where r.track_id = t.id
    union all select 'covers/' || t.cover_id || '/' || size || '.' || format
      from unnest(${sql.lit(`{${pictureSizes.join(',')}}`)}::int[]) size, unnest('{avif,webp}'::text[]) format
  ) file join stored_files s on s.storage_key = file.key and s.problem is not null)`

const releasesOfTrack = sql<AdminTrack['releases']>`coalesce((
  select json_agg(json_build_object('id', r.id, 'title', r.title, 'slug', r.slug, 'kind', r.kind,
                                    'is_published', r.is_published) order by r.released_on, r.id)
    from release_tracks e join releases r on r.id = e.release_id
   where e.track_id = t.id and r.deleted_at is null), '[]')`

/** Whether any file of the track is damaged. */
export const isDamaged = sql<boolean>`(
  t.source_key in (select storage_key from stored_files where problem is not null)
  or t.id in (select r.track_id from renditions r
                join stored_files s on s.storage_key = r.storage_key and s.problem is not null)
  or coalesce(t.cover_id::text in (
       select split_part(storage_key, '/', 2) from stored_files
        where problem is not null and storage_key like 'covers/%'), false)
  )`

export function selectAdminTracks(db: Handle) {
  return selectTrackColumns(db, allCredits('t.id')).select([
    't.lyrics',
    't.credits',
    't.is_published',
    't.publish_when_ready',
    't.release_at',
    't.release_zone',
    't.early_access_days',
    't.audience',
    't.processing_status',
    't.processing_progress',
    't.processing_error',
    fileProblem.as('file_problem'),
    releasesOfTrack.as('releases'),
    't.created_at',
    't.updated_at',
    't.version',
  ])
}

/** Reads one track with the fields that admins see. Throws `track_not_found`. */
export async function findAdminTrack(db: Handle, id: string): Promise<AdminTrack> {
  const track = await selectAdminTracks(db).where('t.id', '=', id).executeTakeFirst()
  if (!track) throw new AppError('track_not_found')
  return track
}
