// Writes the credits of a track. The caller must have locked the track: tracks are always locked before artists.
import { sql } from 'kysely'
import {
  artistLine,
  artistMaxLength,
  getDefaultJoiner,
  lineRoles,
  type CreditInput,
  type CreditRole,
} from '#contract/fields/artist-credits.ts'
import { changedBy } from '../../platform/audit/changed-meanwhile.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'

export interface ResolvedCredit {
  artist_id: string
  name: string
  role: CreditRole
  credited_as: string | null
  joiner: string
}

/**
 * Finds or creates the artists of the given credits. Returns the credits, with those of the artist line first. Throws
 * `artist_not_found` and `artist_line_too_long`.
 */
export async function resolveCredits(
  trx: Transaction,
  inputs: readonly CreditInput[],
): Promise<ResolvedCredit[]> {
  const isOfLine = ({ role }: CreditInput) => lineRoles.includes(role)
  const ordered = [...inputs.filter(isOfLine), ...inputs.filter((credit) => !isOfLine(credit))]
  const lineLength = inputs.filter(isOfLine).length
  const credits: ResolvedCredit[] = []
  for (const [index, input] of ordered.entries()) {
    const next = index + 1 < lineLength ? ordered[index + 1] : undefined
    const artist = await findArtist(trx, input)
    credits.push({
      ...artist,
      role: input.role,
      credited_as: input.credited_as === artist.name ? null : (input.credited_as ?? null),
      joiner: next ? input.joiner || getDefaultJoiner(input.role, next.role) : '',
    })
  }
  if (artistLine(credits).length > artistMaxLength) throw new AppError('artist_line_too_long')
  return credits
}

async function findArtist(
  trx: Transaction,
  credit: CreditInput,
): Promise<{ artist_id: string; name: string }> {
  const id = 'artist_id' in credit ? credit.artist_id : await findOrCreateArtist(trx, credit.name)
  const artist = await trx.query
    .selectFrom('artists')
    .select(['id as artist_id', 'name'])
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  if (!artist) throw new AppError('artist_not_found')
  return artist
}

/** Finds the artist who has or had this name. If there is none, creates one. */
export async function findOrCreateArtist(trx: Transaction, name: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select artist_of_name(${name}) as id`.execute(
    trx.query,
  )
  return rows[0]!.id
}

/**
 * Replaces the credits of a track. The caller has already written the matching artist line to the column `artist`.
 * Returns whether the credits changed. Credits outside the artist line are stored in no column of the track, so this
 * increments the track's version.
 */
export async function writeCredits(
  ctx: MemberContext,
  trx: Transaction,
  trackId: string,
  credits: readonly ResolvedCredit[],
): Promise<boolean> {
  const rows = credits.map(({ artist_id, role, credited_as, joiner }, position) => ({
    track_id: trackId,
    position,
    artist_id,
    role,
    credited_as,
    joiner,
  }))
  const present = await trx.query
    .selectFrom('track_credits')
    .select(['track_id', 'position', 'artist_id', 'role', 'credited_as', 'joiner'])
    .where('track_id', '=', trackId)
    .orderBy('position')
    .execute()
  if (JSON.stringify(present) === JSON.stringify(rows)) return false
  await trx.query.deleteFrom('track_credits').where('track_id', '=', trackId).execute()
  await trx.query.insertInto('track_credits').values(rows).execute()
  if (present.length > 0) {
    const { changed_by, changed_at } = changedBy(ctx)
    await sql`update tracks set version = version + 1, changed_by = ${changed_by}, changed_at = ${changed_at}
               where id = ${trackId}`.execute(trx.query)
  }
  return true
}

/**
 * Creates a credit for a track whose column `artist` was written without credits. A trigger does the same at commit.
 */
export async function creditArtistText(trx: Transaction, trackId: string): Promise<void> {
  await sql`select credit_artist_text(${trackId})`.execute(trx.query)
}
