// Category operations for admins.
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import type { AdminCategory } from '#contract/admin/admin-categories.ts'
import type * as contract from '#contract/admin/admin-categories.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { changedBy, refuseStale } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { getViolatedConstraint } from '../../platform/db/database-error.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { isCountedFor } from '../ownership/owned-by.ts'
import {
  deletePicture,
  storeUploadedPicture,
  type PictureServices,
} from '../pictures/store-picture.ts'
import { selectCategories } from './category-operations.ts'

export async function listAdminCategories(
  ctx: MemberContext,
): Promise<Output<typeof contract.listAdminCategories>> {
  const ofCaller = sql<boolean>`k.track_id in (
    select t.id from tracks t where t.deleted_at is null and ${isCountedFor(ctx.actor, 't')})`
  const isCreator = ctx.actor.role === 'creator'
  const data = await selectAdminCategories(ctx.db, isCreator ? ofCaller : undefined)
    .orderBy('c.sort_order')
    .orderBy('c.display_name')
    .execute()
  return { data }
}

export async function getAdminCategory(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getAdminCategory>,
): Promise<Output<typeof contract.getAdminCategory>> {
  const isId = z.safeParse(z.uuid(), params.id).success
  const category = await selectAdminCategories(ctx.db)
    .where(isId ? 'c.id' : 'c.category', '=', params.id)
    .executeTakeFirst()
  if (!category) throw new AppError('category_not_found')
  return category
}

/** Creates a category and adds it at the end of the order. */
export async function createCategory(
  pictures: PictureServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createCategory>,
): Promise<Output<typeof contract.createCategory>> {
  const cover = await storeUploadedPicture(pictures, ctx, body.cover_path, 'cover')
  try {
    return await transaction(ctx.db, async (trx) => {
      const cover_id = (await cover?.claim(trx)) ?? null
      const { id } = await trx.query
        .insertInto('category_metadata')
        .values((eb) => ({
          category: body.category,
          cover_id,
          display_name: body.display_name,
          description: body.description || null,
          sort_order: eb
            .selectFrom('category_metadata')
            .select(sql<number>`coalesce(max(sort_order) + 1, 0)`.as('next')),
        }))
        .returning('id')
        .executeTakeFirstOrThrow()
      const category = await findCategory(trx, id)
      await recordCategoryChange(ctx, trx, 'create', id, undefined, category)
      return category
    })
  } catch (error) {
    if (getViolatedConstraint(error) === 'category_metadata_category_key') {
      throw new AppError('category_exists', { cause: error })
    }
    throw error
  }
}

/** Updates the given fields of a category. */
export async function updateCategory(
  pictures: PictureServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.updateCategory>,
): Promise<Output<typeof contract.updateCategory>> {
  const cover = await storeUploadedPicture(pictures, ctx, body.cover_path, 'cover')
  return transaction(ctx.db, async (trx) => {
    const row = await lockCategory(trx, params.id)
    const before = await findCategory(trx, params.id)
    await refuseStale(trx, row, body.version, async () => before)
    const cover_id = body.cover_path === undefined ? undefined : ((await cover?.claim(trx)) ?? null)
    const { display_name, description, is_visible, sort_order } = body
    const changes = Object.entries({ display_name, description, is_visible, sort_order, cover_id })
    const given = Object.fromEntries(changes.filter(([, value]) => value !== undefined))
    if (Object.keys(given).length > 0) {
      await trx.query
        .updateTable('category_metadata')
        .set({ ...given, ...changedBy(ctx) })
        .where('id', '=', params.id)
        .execute()
    }
    if (cover_id !== undefined && row.cover_id) await deletePicture(trx, row.cover_id)
    const category = await findCategory(trx, params.id)
    await recordCategoryChange(ctx, trx, 'update', params.id, before, category)
    return category
  })
}

/** Sets the first category of all given tracks in one transaction. */
export async function addTracksToCategory(
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.addTracksToCategory>,
): Promise<Output<typeof contract.addTracksToCategory>> {
  return transaction(ctx.db, async (trx) => {
    await lockCategory(trx, params.id)
    const { category } = await findCategory(trx, params.id)
    const moved = await trx.query
      .updateTable('tracks')
      .set({ category, ...changedBy(ctx), updated_at: ctx.now().toISOString() })
      .where('id', 'in', body.track_ids)
      .where(sql<boolean>`category is distinct from ${category}`)
      .returning('id')
      .execute()
    const ids = moved.map(({ id }) => id)
    await recordCategoryChange(ctx, trx, 'update', params.id, undefined, { added_track_ids: ids })
    await notify(trx, 'tracks')
    return { updated: ids.length }
  })
}

export function selectAdminCategories(handle: Handle, counts?: RawBuilder<boolean>) {
  return selectCategories(handle, counts).select('c.version')
}

export async function findCategory(handle: Handle, id: string): Promise<AdminCategory> {
  const category = await selectAdminCategories(handle).where('c.id', '=', id).executeTakeFirst()
  if (!category) throw new AppError('category_not_found')
  return category
}

/** Locks a category's row until the transaction ends. */
export async function lockCategory(trx: Transaction, id: string) {
  const row = await trx.query
    .selectFrom('category_metadata')
    .select(['cover_id', 'version', 'changed_by', 'changed_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('category_not_found')
  return row
}

export async function recordCategoryChange(
  ctx: MemberContext,
  trx: Transaction,
  action: 'create' | 'update' | 'delete' | 'restore',
  id: string,
  before: unknown,
  after: unknown,
): Promise<void> {
  await writeAudit(ctx, trx, { action, entity: 'category', entity_id: id, before, after })
  await notify(trx, 'categories', id)
}
