// Undoes a merge, a split or a deletion of artists.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-artists.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { restoreRows } from '../deletions/restore-rows.ts'
import { undoSeconds } from '../deletions/pending-deletion.ts'
import { deletePicture } from '../pictures/store-picture.ts'
import type { ArtistServices } from './admin-artist-operations.ts'
import { findAdminArtist } from './artist-query.ts'
import {
  notifyOfArtists,
  replaceCredits,
  selectCredits,
  translateArtistConstraints,
  type CreditRow,
} from './artist-rows.ts'

/** Rows of artists before they are deleted, with their aliases, former slugs and earlier merges. */
interface ArtistSnapshot {
  artists: { id: string; name: string; picture_id: string | null }[]
  aliases: { name: string }[]
  slugs: { slug: string }[]
  merges: { id: string }[]
}

export interface ReleaseCreditRow {
  release_id: string
  position: number
  artist_id: string
  joiner: string
}

interface UndoData extends Partial<ArtistSnapshot> {
  /** Credits of the tracks before and after the change. */
  before?: CreditRow[]
  after?: CreditRow[]
  /** Credits of releases before and after a merge. The undo skips releases whose credits have changed since. */
  releases_before?: ReleaseCreditRow[]
  releases_after?: ReleaseCreditRow[]
  /** The artist that a split created. */
  made?: string
}

export async function snapshotArtists(
  trx: Transaction,
  ids: readonly string[],
): Promise<ArtistSnapshot> {
  const list = sql`${[...ids]}::uuid[]`
  const { rows } = await sql<ArtistSnapshot>`
    select
      (select coalesce(jsonb_agg(to_jsonb(a) order by a.id), '[]') from artists a where a.id = any(${list})) as artists,
      (select coalesce(jsonb_agg(to_jsonb(n)), '[]') from artist_aliases n where n.artist_id = any(${list})) as aliases,
      (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from artist_slugs s where s.artist_id = any(${list})) as slugs,
      (select coalesce(jsonb_agg(to_jsonb(m)), '[]') from artist_merges m where m.artist_id = any(${list})) as merges`.execute(
    trx.query,
  )
  return rows[0]!
}

export async function recordUndo(
  trx: Transaction,
  action: 'merge' | 'split' | 'delete',
  artist_id: string,
  kept: UndoData,
): Promise<string> {
  const { id } = await trx.query
    .insertInto('artist_undos')
    .values({
      action,
      artist_id,
      kept: JSON.stringify(kept),
      undo_until: sql<string>`now() + make_interval(secs => ${undoSeconds})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Undoes a change. Throws `undo_expired` after a minute, or if the credits of a track have changed since. */
export async function undoArtistChange(
  services: ArtistServices,
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.undoArtistChange>,
): Promise<Output<typeof contract.undoArtistChange>> {
  return translateArtistConstraints(() =>
    transaction(ctx.db, async (trx) => {
      const taken = await trx.query
        .deleteFrom('artist_undos')
        .where('id', '=', params.id)
        .where('undo_until', '>', sql<string>`now()`)
        .returning(['artist_id', 'action', 'kept'])
        .executeTakeFirst()
      if (!taken) throw new AppError('undo_expired')
      const kept = taken.kept as UndoData
      await requireUnchangedCredits(trx, kept)
      await restoreArtists(trx, kept)
      await replaceCredits(services, trx, kept.before ?? [])
      await restoreReleaseCredits(trx, kept)
      if (kept.made) await deleteUnused(trx, kept.made)
      const artist = await findAdminArtist(trx, taken.artist_id)
      await writeAudit(ctx, trx, {
        action: 'restore',
        entity: 'artist',
        entity_id: taken.artist_id,
        after: { name: artist.name, undone: taken.action },
      })
      await notifyOfArtists(trx)
      return artist
    }),
  )
}

/** Locks releases and returns their credits: either the given releases, or those that credit one of the artists. */
export async function snapshotReleaseCredits(
  trx: Transaction,
  of: { releaseIds: readonly string[] } | { artistIds: readonly string[] },
): Promise<ReleaseCreditRow[]> {
  const chosen =
    'releaseIds' in of
      ? sql`${[...of.releaseIds]}::uuid[]`
      : sql`array(select release_id from release_credits where artist_id = any(${[...of.artistIds]}::uuid[]))`
  await sql`select from releases where id = any(${chosen}) order by id for no key update`.execute(
    trx.query,
  )
  const { rows } = await sql<ReleaseCreditRow>`
    select release_id, position, artist_id, joiner from release_credits
     where release_id = any(${chosen}) order by release_id, position`.execute(trx.query)
  return rows
}

/**
 * Restores the credits of releases. Skips releases that were deleted, or whose credits were edited, after the merge.
 */
async function restoreReleaseCredits(
  trx: Transaction,
  { releases_before = [], releases_after = [] }: UndoData,
): Promise<void> {
  const [before, after] = [groupByRelease(releases_before), groupByRelease(releases_after)]
  if (before.size === 0) return
  const present = groupByRelease(
    await snapshotReleaseCredits(trx, { releaseIds: [...before.keys()] }),
  )
  const unchanged = [...before.keys()].filter(
    (id) => present.has(id) && JSON.stringify(present.get(id)) === JSON.stringify(after.get(id)),
  )
  if (unchanged.length === 0) return
  await sql`delete from release_credits where release_id = any(${unchanged}::uuid[])`.execute(
    trx.query,
  )
  await restoreRows(
    trx,
    'release_credits',
    unchanged.flatMap((id) => before.get(id) ?? []),
  )
}

/**
 * Groups credits by release, for a comparison. Normalizes the order of the fields, because JSONB sorts the fields of
 * stored rows.
 */
function groupByRelease(rows: readonly ReleaseCreditRow[]): Map<string, ReleaseCreditRow[]> {
  const sorted = rows.map(({ release_id, position, artist_id, joiner }) => ({
    release_id,
    position,
    artist_id,
    joiner,
  }))
  return Map.groupBy(sorted, ({ release_id }) => release_id)
}

async function requireUnchangedCredits(trx: Transaction, { after = [] }: UndoData): Promise<void> {
  const ids = [...new Set(after.map(({ track_id }) => track_id))]
  if (ids.length === 0) return
  await sql`select from tracks where id = any(${ids}::uuid[]) order by id for no key update`.execute(
    trx.query,
  )
  const present = await selectCredits(trx)
    .where(sql<boolean>`track_id = any(${ids}::uuid[])`)
    .execute()
  const textOf = (rows: readonly CreditRow[]) =>
    rows
      .map((row) =>
        JSON.stringify([
          row.track_id,
          row.position,
          row.artist_id,
          row.role,
          row.credited_as,
          row.joiner,
        ]),
      )
      .toSorted()
      .join()
  if (textOf(present) !== textOf(after)) throw new AppError('undo_expired')
}

async function restoreArtists(
  trx: Transaction,
  { artists = [], aliases = [], slugs = [], merges = [] }: UndoData,
): Promise<void> {
  if (artists.length === 0) return
  const ids = artists.map(({ id }) => id)
  await sql`delete from artist_merges where id = any(${[...ids, ...merges.map(({ id }) => id)]}::uuid[])`.execute(
    trx.query,
  )
  await sql`delete from artist_aliases where name = any(${aliases.map(({ name }) => name)}::text[])`.execute(
    trx.query,
  )
  await sql`delete from artist_slugs where slug = any(${slugs.map(({ slug }) => slug)}::text[])`.execute(
    trx.query,
  )
  // A trigger restores the artists' own names and slugs.
  await restoreRows(trx, 'artists', artists)
  if (aliases.length > 0) await restoreRows(trx, 'artist_aliases', aliases)
  if (slugs.length > 0) await restoreRows(trx, 'artist_slugs', slugs)
  if (merges.length > 0) await restoreRows(trx, 'artist_merges', merges)
}

async function deleteUnused(trx: Transaction, id: string): Promise<void> {
  await sql`
    delete from artists where id = ${id}
       and not exists (select from track_credits where artist_id = ${id})`.execute(trx.query)
}

/** Deletes expired undo data, and the pictures of artists that can no longer be restored. */
export async function purgeArtistUndos(db: Database): Promise<void> {
  await transaction(db, async (trx) => {
    const due = await trx.query
      .deleteFrom('artist_undos')
      .where('undo_until', '<=', sql<string>`now()`)
      .returning('kept')
      .execute()
    for (const { artists = [] } of due.map(({ kept }) => kept as UndoData)) {
      for (const { picture_id } of artists) if (picture_id) await deletePicture(trx, picture_id)
    }
  })
}
