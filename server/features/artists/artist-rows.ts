// Helpers shared by the admin operations on artists: locks, audited fields, track credits and error codes.
import { sql } from 'kysely'
import { getViolatedConstraint } from '../../platform/db/database-error.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { CreditRole } from '#contract/fields/artist-credits.ts'
import type { AdminArtist } from '#contract/admin/admin-artists.ts'
import { notify } from '../../platform/events/event-bus.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import { restoreRows } from '../deletions/restore-rows.ts'

export interface CreditRow {
  track_id: string
  position: number
  artist_id: string
  role: CreditRole
  credited_as: string | null
  joiner: string
}

/**
 * Locks the tracks of these artists, then the artists. Tracks are always locked first, because renaming an artist
 * changes its tracks.
 */
export async function lockWithTracks(trx: Transaction, ids: readonly string[]): Promise<void> {
  await sql`
    select from tracks t
     where t.id in (select c.track_id from track_credits c where c.artist_id = any(${[...ids]}::uuid[]))
     order by t.id for no key update`.execute(trx.query)
  const rows = await trx.query
    .selectFrom('artists')
    .select('id')
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute()
  if (rows.length < new Set(ids).size) throw new AppError('artist_not_found')
}

/** All credits of the tracks that credit at least one of these artists. */
export async function findCreditsByArtists(
  trx: Transaction,
  artistIds: readonly string[],
  trackIds: readonly string[] | null = null,
): Promise<CreditRow[]> {
  const named = trx.query
    .selectFrom('track_credits')
    .select('track_id')
    .where('artist_id', 'in', [...artistIds])
    .$if(trackIds !== null, (credits) => credits.where('track_id', 'in', [...(trackIds ?? [])]))
  return selectCredits(trx).where('track_id', 'in', named).execute()
}

export function selectCredits(trx: Transaction) {
  return trx.query
    .selectFrom('track_credits')
    .select(['track_id', 'position', 'artist_id', 'role', 'credited_as', 'joiner'])
    .orderBy('track_id')
    .orderBy('position')
}

/** Replaces all credits of the tracks in `credits`, and enqueues jobs that update the tags in their files. */
export async function replaceCredits(
  { jobs }: { jobs: JobQueue },
  trx: Transaction,
  credits: readonly CreditRow[],
): Promise<void> {
  const ids = [...new Set(credits.map(({ track_id }) => track_id))]
  if (ids.length === 0) return
  await sql`delete from track_credits where track_id = any(${ids}::uuid[])`.execute(trx.query)
  await restoreRows(trx, 'track_credits', credits)
  await retag({ jobs }, trx, ids)
}

export async function retag(
  { jobs }: { jobs: JobQueue },
  trx: Transaction,
  trackIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from tracks where id = any(${[...trackIds]}::uuid[]) and source_key is not null`.execute(
    trx.query,
  )
  const ids = rows.map(({ id }) => id)
  // Lower priority than single edits, because nobody is waiting for it.
  if (ids.length > 0) await jobs.enqueueTracks(trx, 'retag-track', ids, { priority: -1 })
}

/**
 * Notifies all instances of changed artists. Members' pages show artists together with tracks, so one event covers
 * both.
 */
export async function notifyOfArtists(trx: Transaction): Promise<void> {
  await notify(trx, 'tracks')
}

export function toAuditedArtist(artist: AdminArtist) {
  const { name, slug, sort_name, biography, links, has_page, cover_url } = artist
  return { name, slug, sort_name, biography, links, has_page, has_picture: cover_url !== null }
}

/** Runs a database change. If it violates an artist constraint, throws the matching error code. */
export async function translateArtistConstraints<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const code = codes[getViolatedConstraint(error) ?? '']
    if (code) throw new AppError(code, { cause: error })
    throw error
  }
}

const codes: Partial<
  Record<string, 'artist_exists' | 'artist_slug_taken' | 'artist_in_use' | 'artist_line_too_long'>
> = {
  artists_name_key: 'artist_exists',
  artists_slug_key: 'artist_slug_taken',
  track_credits_artist_id_fkey: 'artist_in_use',
  release_credits_artist_id_fkey: 'artist_in_use',
  tracks_artist_check: 'artist_line_too_long',
}
