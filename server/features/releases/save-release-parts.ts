// Saves the tracks or the artists of a release. Each list is replaced as a whole. The caller must have locked the
// release.
import { sql } from 'kysely'
import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

export interface ReleaseTrackInput {
  track_id: string
  disc: number
}

export interface ReleaseArtistInput {
  name: string
  joiner?: string | undefined
}

/**
 * Saves a release's tracks. Returns the added ones, or null if nothing changed. Deleted tracks, which editors don't
 * see, move to the end of their disc, so that their deletion can still be undone. Throws `track_not_found`.
 */
export async function saveReleaseTracks(
  trx: Transaction,
  releaseId: string,
  wanted: readonly ReleaseTrackInput[],
): Promise<string[] | null> {
  const ids = wanted.map(({ track_id }) => track_id)
  if (ids.length > 0) {
    const found = await trx.query
      .selectFrom('tracks')
      .select('id')
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .forKeyShare()
      .execute()
    if (found.length < ids.length) throw new AppError('track_not_found')
  }
  const before = await trx.query
    .selectFrom('release_tracks as e')
    .innerJoin('tracks as t', 't.id', 'e.track_id')
    .select([
      'e.track_id',
      'e.disc',
      'e.position',
      sql<boolean>`t.deleted_at is not null`.as('is_deleted'),
    ])
    .where('e.release_id', '=', releaseId)
    .orderBy('e.disc')
    .orderBy('e.position')
    .execute()
  const after = numberTracks([...wanted, ...before.filter(({ is_deleted }) => is_deleted)])
  const isSame =
    after.length === before.length &&
    after.every(({ track_id, disc, position }, at) => {
      const row = before[at]
      return row?.track_id === track_id && row.disc === disc && row.position === position
    })
  if (isSame) return null
  await trx.query.deleteFrom('release_tracks').where('release_id', '=', releaseId).execute()
  if (after.length > 0) {
    await trx.query
      .insertInto('release_tracks')
      .values(after.map((track) => ({ release_id: releaseId, ...track })))
      .execute()
  }
  const known = new Set(before.map(({ track_id }) => track_id))
  return ids.filter((id) => !known.has(id))
}

/** Sorts tracks by disc, and numbers them from 1 on each disc. */
function numberTracks(tracks: readonly ReleaseTrackInput[]) {
  const counts = new Map<number, number>()
  return tracks
    .toSorted((one, other) => one.disc - other.disc)
    .map(({ track_id, disc }) => {
      const position = (counts.get(disc) ?? 0) + 1
      counts.set(disc, position)
      return { track_id, disc, position }
    })
}

/** Saves a release's artists. Finds them by name or creates them. Two names of the same artist count once. */
export async function saveReleaseArtists(
  trx: Transaction,
  releaseId: string,
  wanted: readonly ReleaseArtistInput[],
): Promise<void> {
  const credits = new Map<string, string>()
  for (const { name, joiner = '' } of wanted) {
    const { rows } = await sql<{ id: string }>`select artist_of_name(${name}) as id`.execute(
      trx.query,
    )
    const { id } = rows[0]!
    if (!credits.has(id)) credits.set(id, joiner)
  }
  await trx.query.deleteFrom('release_credits').where('release_id', '=', releaseId).execute()
  if (credits.size === 0) {
    await trx.query
      .updateTable('releases')
      .set({ artist: '' })
      .where('id', '=', releaseId)
      .execute()
    return
  }
  await trx.query
    .insertInto('release_credits')
    .values(
      [...credits].map(([artist_id, joiner], at) => ({
        release_id: releaseId,
        position: at + 1,
        artist_id,
        joiner,
      })),
    )
    .execute()
}

/** Returns the main artists that all tracks of the release share. If there are none, returns "Various Artists". */
export async function findSharedArtists(
  trx: Transaction,
  trackIds: readonly string[],
): Promise<ReleaseArtistInput[]> {
  if (trackIds.length === 0) return []
  const { rows } = await sql<ReleaseArtistInput>`
    select a.name, min(c.joiner) as joiner
      from track_credits c join artists a on a.id = c.artist_id
     where c.track_id = any (${trackIds}) and c.role = 'main'
     group by a.id, a.name
    having count(distinct c.track_id) = ${trackIds.length}
     order by min(c.position), a.name`.execute(trx.query)
  if (rows.length === 0) return [{ name: 'Various Artists' }]
  // Drop the joiner after the last artist: it may belong to a guest on a single track.
  return rows.map(({ name, joiner }, at) => (at < rows.length - 1 ? { name, joiner } : { name }))
}
