// Helpers shared by the admin track operations: converting request fields to columns, and locking a track's row.
import type { createTrackBody, updateTrackBody } from '#contract/admin/admin-tracks.ts'
import type { availabilityInput } from '#contract/availability-input.ts'
import type * as z from 'zod/mini'
import { getViolatedConstraint } from '../../platform/db/database-error.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { TrackRow } from '../../platform/db/tables.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import {
  computeAvailabilityChanges,
  getPublishedColumns,
} from '../availability/change-availability.ts'
import { taggedFields, type TaggedField } from '../../platform/ffmpeg/rendition-tags.ts'

type Fields = Omit<
  Partial<z.output<typeof createTrackBody> & z.output<typeof updateTrackBody>>,
  'action'
>

/** Reads a track and locks its row until the transaction ends. Throws `track_not_found`. */
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

/**
 * The columns to set when a track becomes visible to members at the time `from`. All code that publishes a track uses
 * these.
 */
export function getPublishedTrackColumns(
  track: Parameters<typeof getPublishedColumns>[0],
  from: Date,
): ReturnType<typeof getPublishedColumns> & { is_published: true; publish_when_ready: false } {
  return { ...getPublishedColumns(track, from), is_published: true, publish_when_ready: false }
}

/**
 * The publication columns to update for a request. A track that is still being processed is published once it is ready.
 * Throws `release_in_past`, `release_published`, `invalid_input`.
 */
export function computePublicationChanges(
  track: TrackRow,
  body: Pick<Fields, 'is_published' | keyof typeof availabilityInput>,
  now: Date,
  details?: { id: string },
) {
  const wasPublished = track.is_published
  const isPublished = body.is_published ?? (wasPublished || track.publish_when_ready)
  const changes = computeAvailabilityChanges(track, body, {
    wasPublished,
    isPublished,
    now,
    details,
  })
  if (body.is_published === undefined) return changes
  if (!isPublished) return { ...changes, is_published: false, publish_when_ready: false }
  return track.processing_status === 'ready'
    ? { ...changes, ...getPublishedTrackColumns({ ...track, ...changes }, now) }
    : { ...changes, release_at: null, is_published: false, publish_when_ready: true }
}

/** Whether a request changed a field that is also written into the tags of the track's audio files. */
export function hasChangedTags(
  before: Pick<TrackRow, TaggedField>,
  body: Partial<Pick<Fields, TaggedField>>,
): boolean {
  return taggedFields.some((field) => body[field] !== undefined && body[field] !== before[field])
}

/** The fields of a request that are stored without conversion. */
export function pickEditableFields(body: Fields) {
  const {
    category,
    categories,
    moods,
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
    category: categories ? (categories[0] ?? null) : emptyToNull(category),
    more_categories: categories?.slice(1),
    moods: moods && removeDuplicates(moods),
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

/** Removes duplicate moods, ignoring case. The first spelling is kept. */
function removeDuplicates(moods: readonly string[]): string[] {
  const seen = new Set<string>()
  return moods.filter((mood) => {
    const key = mood.toLowerCase()
    const isNew = !seen.has(key)
    seen.add(key)
    return isNew
  })
}

function emptyToNull(value: string | null | undefined): string | null | undefined {
  return value === '' ? null : value
}

/** The fields of a track that are recorded in audit entries about it. */
export function toAuditedTrack(
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
    | 'release_at'
    | 'early_access_days'
    | 'audience'
    | 'moods'
  > &
    ({ categories: string[] } | Pick<TrackRow, 'more_categories'>),
) {
  const { title, artist, category, genre, tags, explicit, is_published, ai_disclosure } = track
  const { release_at, early_access_days, audience, moods } = track
  const categories =
    'categories' in track
      ? track.categories
      : category === null
        ? []
        : [category, ...track.more_categories]
  const availability = { release_at, early_access_days, audience }
  return {
    title,
    artist,
    category,
    categories,
    moods,
    genre,
    tags,
    explicit,
    is_published,
    ai_disclosure,
    ...availability,
  }
}

/** Runs a database change. If it violates a category or genre constraint, throws the matching error code. */
export async function translateTrackConstraints<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const constraint = getViolatedConstraint(error)
    if (constraint === 'tracks_category_fkey' || constraint === 'track_categories_category_fkey')
      throw new AppError('category_not_found', { cause: error })
    if (constraint === 'tracks_genre_fkey') throw new AppError('genre_not_found', { cause: error })
    throw error
  }
}
