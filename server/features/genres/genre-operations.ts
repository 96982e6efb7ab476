// Genre operations for admins. Renaming a genre also renames it on all its tracks (by the foreign key) and in their
// audio files (by jobs).
import { sql } from 'kysely'
import type { Genre } from '#contract/admin/admin-genres.ts'
import type * as contract from '#contract/admin/admin-genres.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { getViolatedConstraint } from '../../platform/db/database-error.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { isCountedFor } from '../ownership/owned-by.ts'
import { recordDeletion, claimDeletion } from '../deletions/pending-deletion.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'

export async function listGenres(ctx: MemberContext): Promise<Output<typeof contract.listGenres>> {
  return {
    data: await selectGenres(ctx.db, isCountedFor(ctx.actor, 't'))
      .orderBy(sql`lower(g.name)`)
      .execute(),
  }
}

export async function createGenre(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createGenre>,
): Promise<Output<typeof contract.createGenre>> {
  return translateConstraints(() =>
    transaction(ctx.db, async (trx) => {
      const { id } = await trx.query
        .insertInto('genres')
        .values({ name: body.name })
        .returning('id')
        .executeTakeFirstOrThrow()
      await writeAudit(ctx, trx, { action: 'create', entity: 'genre', entity_id: id, after: body })
      await notify(trx, 'genres', id)
      return findGenre(trx, id)
    }),
  )
}

export async function updateGenre(
  services: Pick<PlatformServices, 'jobs'>,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.updateGenre>,
): Promise<Output<typeof contract.updateGenre>> {
  return translateConstraints(() =>
    transaction(ctx.db, async (trx) => {
      await lockGenre(trx, params.id)
      const before = await findGenre(trx, params.id)
      await trx.query
        .updateTable('genres')
        .set({ name: body.name })
        .where('id', '=', params.id)
        .execute()
      if (body.name !== before.name) await retagTracks(services, trx, body.name)
      await writeAudit(ctx, trx, {
        action: 'update',
        entity: 'genre',
        entity_id: params.id,
        before: { name: before.name },
        after: body,
      })
      await notify(trx, 'genres', params.id)
      await notify(trx, 'tracks')
      return findGenre(trx, params.id)
    }),
  )
}

async function retagTracks(
  { jobs }: Pick<PlatformServices, 'jobs'>,
  trx: Transaction,
  genre: string,
): Promise<void> {
  const tracks = await trx.query
    .selectFrom('tracks')
    .select('id')
    .where('genre', '=', genre)
    .where('source_key', 'is not', null)
    .execute()
  const ids = tracks.map(({ id }) => id)
  // Lower priority than single edits, because nobody is waiting for it.
  await jobs.enqueueTracks(trx, 'retag-track', ids, { priority: -1 })
}

export async function deleteGenre(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.deleteGenre>,
): Promise<void> {
  await translateConstraints(() =>
    transaction(ctx.db, async (trx) => {
      await lockGenre(trx, params.id)
      const before = await findGenre(trx, params.id)
      const kept: DeletedGenre = {
        name: before.name,
        track_ids: await removeGenre(trx, before.name),
      }
      await recordDeletion(trx, { entity: 'genre', entity_id: params.id, cover_id: null, kept })
      await trx.query.deleteFrom('genres').where('id', '=', params.id).execute()
      await writeAudit(ctx, trx, {
        action: 'delete',
        entity: 'genre',
        entity_id: params.id,
        before: { name: before.name },
      })
      await notify(trx, 'genres', params.id)
    }),
  )
}

interface DeletedGenre {
  name: string
  track_ids: string[]
}

/** Removes a genre from deleted tracks, which do not count as using it. Returns the ids of these tracks. */
async function removeGenre(trx: Transaction, name: string): Promise<string[]> {
  const rows = await trx.query
    .updateTable('tracks')
    .set({ genre: null })
    .where('genre', '=', name)
    .where('deleted_at', 'is not', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Undoes the deletion of a genre. */
export async function restoreGenre(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.restoreGenre>,
): Promise<Output<typeof contract.restoreGenre>> {
  return translateConstraints(() =>
    transaction(ctx.db, async (trx) => {
      const present = await selectGenres(trx).where('g.id', '=', params.id).executeTakeFirst()
      if (present) return present
      const deletion = { entity: 'genre', entity_id: params.id } as const
      const { name, track_ids } = await claimDeletion<DeletedGenre>(trx, deletion)
      await trx.query.insertInto('genres').values({ id: params.id, name }).execute()
      await sql`
        update tracks set genre = ${name}
         where id = any(${track_ids}::uuid[]) and genre is null`.execute(trx.query)
      await writeAudit(ctx, trx, {
        action: 'restore',
        entity: 'genre',
        entity_id: params.id,
        after: { name },
      })
      await notify(trx, 'genres', params.id)
      return findGenre(trx, params.id)
    }),
  )
}

function selectGenres(handle: Handle, isCounted = sql<boolean>`true`) {
  return handle.query
    .selectFrom('genres as g')
    .select([
      'g.id',
      'g.name',
      sql<number>`(select count(*) from tracks t where t.genre = g.name and t.deleted_at is null and ${isCounted})`.as(
        'track_count',
      ),
    ])
}

/** Locks a genre's row against concurrent changes and deletion. */
async function lockGenre(trx: Transaction, id: string): Promise<void> {
  await trx.query.selectFrom('genres').select('id').where('id', '=', id).forUpdate().execute()
}

async function findGenre(handle: Handle, id: string): Promise<Genre> {
  const genre = await selectGenres(handle).where('g.id', '=', id).executeTakeFirst()
  if (!genre) throw new AppError('genre_not_found')
  return genre
}

async function translateConstraints<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const constraint = getViolatedConstraint(error)
    if (constraint === 'genres_name_key' || constraint === 'genres_name_folded') {
      throw new AppError('genre_exists', { cause: error })
    }
    if (constraint === 'tracks_genre_fkey') throw new AppError('genre_in_use', { cause: error })
    throw error
  }
}
