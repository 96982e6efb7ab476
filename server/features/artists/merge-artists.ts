// Merges, splits and deletes artists. The previous rows are stored with each change. For a minute, the change can be
// undone by restoring them, unless the credits of the tracks have changed since.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-artists.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { findOrCreateArtist } from '../credits/write-credits.ts'
import type { ArtistServices } from './admin-artist-operations.ts'
import { moveCredits } from './artist-credits.ts'
import { findAdminArtist } from './artist-query.ts'
import {
  toAuditedArtist,
  findCreditsByArtists,
  lockWithTracks,
  notifyOfArtists,
  replaceCredits,
  translateArtistConstraints,
} from './artist-rows.ts'
import { snapshotArtists, snapshotReleaseCredits, recordUndo } from './artist-undo.ts'

/** Merges artists. Afterwards, the merged artists' names, slugs and ids refer to the remaining artist. */
export async function mergeArtists(
  services: ArtistServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.mergeArtists>,
): Promise<Output<typeof contract.mergeArtists>> {
  const merged = [...new Set(body.artist_ids)]
  if (merged.includes(params.id)) throw new AppError('conflict')
  return translateArtistConstraints(() =>
    transaction(ctx.db, async (trx) => {
      await lockWithTracks(trx, [params.id, ...merged])
      const kept = await snapshotArtists(trx, merged)
      const before = await findCreditsByArtists(trx, merged)
      const after = moveCredits(before, new Set(merged), params.id)
      const releases_before = await snapshotReleaseCredits(trx, { artistIds: merged })
      await replaceCredits(services, trx, after)
      await redirectTo(trx, merged, params.id)
      const releaseIds = [...new Set(releases_before.map(({ release_id }) => release_id))]
      const releases_after = await snapshotReleaseCredits(trx, { releaseIds })
      const undo_id = await recordUndo(trx, 'merge', params.id, {
        ...kept,
        before,
        after,
        releases_before,
        releases_after,
      })
      const artist = await findAdminArtist(trx, params.id)
      await writeAudit(ctx, trx, {
        action: 'merge',
        entity: 'artist',
        entity_id: params.id,
        before: { merged: kept.artists.map(({ id, name }) => ({ id, name })) },
        after: { name: artist.name, track_count: artist.track_count },
      })
      await notifyOfArtists(trx)
      return { data: artist, undo_id }
    }),
  )
}

/** Deletes the merged artists and makes their names, slugs and ids refer to the artist `id`. */
async function redirectTo(trx: Transaction, merged: readonly string[], id: string): Promise<void> {
  const ids = sql`${[...merged]}::uuid[]`
  await sql`update artist_aliases set artist_id = ${id} where artist_id = any(${ids})`.execute(
    trx.query,
  )
  await sql`update artist_slugs set artist_id = ${id} where artist_id = any(${ids})`.execute(
    trx.query,
  )
  await sql`
    insert into followed_artists (user_id, artist_id, created_at)
    select user_id, ${id}::uuid, min(created_at) from followed_artists where artist_id = any(${ids}) group by user_id
    on conflict do nothing`.execute(trx.query)
  await sql`update artist_merges set artist_id = ${id} where artist_id = any(${ids})`.execute(
    trx.query,
  )
  await sql`
    with merged as (delete from artists where id = any(${ids}) returning id, name, slug),
    names as (
      insert into artist_aliases (name, artist_id) select name, ${id}::uuid from merged
      on conflict (name) do update set artist_id = excluded.artist_id
    ), slugs as (
      insert into artist_slugs (slug, artist_id) select slug, ${id}::uuid from merged
      on conflict (slug) do update set artist_id = excluded.artist_id
    )
    insert into artist_merges (id, artist_id) select id, ${id}::uuid from merged`.execute(trx.query)
}

/** Moves some tracks of an artist to another artist or to a new one. */
export async function splitArtist(
  services: ArtistServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.splitArtist>,
): Promise<Output<typeof contract.splitArtist>> {
  const trackIds = [...new Set(body.track_ids)]
  return translateArtistConstraints(() =>
    transaction(ctx.db, async (trx) => {
      await lockWithTracks(trx, [params.id])
      const before = await findCreditsByArtists(trx, [params.id], trackIds)
      if (new Set(before.map(({ track_id }) => track_id)).size < trackIds.length) {
        throw new AppError('track_not_found')
      }
      const isNew = 'name' in body.to && !(await isKnownName(trx, body.to.name))
      const to = 'name' in body.to ? await findOrCreateArtist(trx, body.to.name) : body.to.artist_id
      if (to === params.id) throw new AppError('conflict')
      const artist = await findAdminArtist(trx, to)
      const after = moveCredits(before, new Set([params.id]), to)
      await replaceCredits(services, trx, after)
      const undo_id = await recordUndo(trx, 'split', params.id, {
        before,
        after,
        ...(isNew && { made: to }),
      })
      const { name } = await findAdminArtist(trx, params.id)
      await writeAudit(ctx, trx, {
        action: 'split',
        entity: 'artist',
        entity_id: params.id,
        before: { name },
        after: { name, to: { id: to, name: artist.name }, track_ids: trackIds },
      })
      await notifyOfArtists(trx)
      return { data: await findAdminArtist(trx, to), undo_id }
    }),
  )
}

async function isKnownName(trx: Transaction, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from artists where name = ${name} union all select from artist_aliases where name = ${name}`.execute(
    trx.query,
  )
  return rows.length > 0
}

/** Deletes an artist. Throws `artist_in_use` if a track or release credits it. */
export async function deleteArtist(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.deleteArtist>,
): Promise<Output<typeof contract.deleteArtist>> {
  return translateArtistConstraints(() =>
    transaction(ctx.db, async (trx) => {
      await lockWithTracks(trx, [params.id])
      const artist = await findAdminArtist(trx, params.id)
      const kept = await snapshotArtists(trx, [params.id])
      await trx.query.deleteFrom('artists').where('id', '=', params.id).execute()
      const undo_id = await recordUndo(trx, 'delete', params.id, kept)
      await writeAudit(ctx, trx, {
        action: 'delete',
        entity: 'artist',
        entity_id: params.id,
        before: toAuditedArtist(artist),
      })
      await notifyOfArtists(trx)
      return { undo_id }
    }),
  )
}
