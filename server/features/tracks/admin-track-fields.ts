// Shared by the track operations: the stored fields, and the locked row.
import type { createTrackBody, updateTrackBody } from '#contract/admin/admin-tracks.ts'
import type * as z from 'zod/mini'
import { constraintOf } from '../../platform/db/database-error.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { TrackRow } from '../../platform/db/tables.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { taggedFields, type TaggedField } from '../../platform/ffmpeg/rendition-tags.ts'

type Fields = Omit<
  Partial<z.output<typeof createTrackBody> & z.output<typeof updateTrackBody>>,
  'action'
>

/** Locks the row until the transaction ends. Throws `track_not_found`. */
export async function lockTrack(trx: Transaction, id: string): Promise<TrackRow> {
  const row = await trx.query
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('track_not_found')
  return row
}

/** A track that is still being processed is published once it is ready. */
export function publication(track: TrackRow, isPublished: boolean) {
  const isReady = track.processing_status === 'ready'
  return { is_published: isPublished && isReady, publish_when_ready: isPublished && !isReady }
}

/** Whether a field that is written into the files' tags has changed. */
export function tagsChanged(
  before: Pick<TrackRow, TaggedField>,
  body: Partial<Pick<Fields, TaggedField>>,
): boolean {
  return taggedFields.some((field) => body[field] !== undefined && body[field] !== before[field])
}

/** The given fields that are stored unchanged. */
export function editableFields(body: Fields) {
  const {
    category,
    genre,
    description,
    lyrics,
    tags,
    explicit,
    duration,
    ai_disclosure,
    ai_tool,
    credits,
  } = body
  const given = {
    category: emptyToNull(category),
    genre: emptyToNull(genre),
    description: emptyToNull(description),
    lyrics: emptyToNull(lyrics),
    tags,
    explicit,
    duration,
    ai_disclosure,
    ai_tool: emptyToNull(ai_tool),
    credits: emptyToNull(credits),
  }
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<typeof given>
}

function emptyToNull(value: string | null | undefined): string | null | undefined {
  return value === '' ? null : value
}

/** The fields of a track that its audit entries record. */
export function auditedTrack(
  track: Pick<
    TrackRow,
    | 'title'
    | 'artist'
    | 'category'
    | 'genre'
    | 'tags'
    | 'explicit'
    | 'is_published'
    | 'ai_disclosure'
  >,
) {
  const { title, artist, category, genre, tags, explicit, is_published, ai_disclosure } = track
  return { title, artist, category, genre, tags, explicit, is_published, ai_disclosure }
}

/** Runs a change and maps violated category and genre constraints to error codes. */
export async function translateTrackConstraints<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const constraint = constraintOf(error)
    if (constraint === 'tracks_category_fkey')
      throw new AppError('category_not_found', { cause: error })
    if (constraint === 'tracks_genre_fkey') throw new AppError('genre_not_found', { cause: error })
    throw error
  }
}
