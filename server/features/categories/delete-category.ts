// Deleting and restoring a category.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-categories.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { constraintOf } from '../../platform/db/database-error.ts'
import { transaction } from '../../platform/db/database.ts'
import { insertKeptRows } from '../deletions/kept-rows.ts'
import { recordDeletion, takeDeletion } from '../deletions/open-deletion.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import {
  adminCategoryQuery,
  findCategory,
  lockCategory,
  recordCategoryChange,
} from './admin-category-operations.ts'

/** Its tracks are kept without a category. */
export async function deleteCategory(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.deleteCategory>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const { cover_id } = await lockCategory(trx, params.id)
    const before = await findCategory(trx, params.id)
    const row = await trx.query
      .selectFrom('category_metadata as c')
      .select(sql<object>`to_jsonb(c)`.as('category'))
      .where('c.id', '=', params.id)
      .executeTakeFirstOrThrow()
    const tracks = await trx.query
      .selectFrom('tracks')
      .select('id')
      .where('category', '=', before.category)
      .execute()
    const kept: KeptCategory = { ...row, track_ids: tracks.map(({ id }) => id) }
    await recordDeletion(trx, {
      entity: 'category',
      entity_id: params.id,
      cover_id,
      kept,
    })
    await trx.query.deleteFrom('category_metadata').where('id', '=', params.id).execute()
    await recordCategoryChange(ctx, trx, 'delete', params.id, before, undefined)
    await notify(trx, 'tracks')
  })
}

interface KeptCategory {
  /** The row in the form of `to_jsonb`. */
  category: object
  track_ids: string[]
}

/** Undoes the deletion. Tracks that have another category by now keep it. */
export async function restoreCategory(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.restoreCategory>,
): Promise<Output<typeof contract.restoreCategory>> {
  try {
    return await transaction(ctx.db, async (trx) => {
      const present = await adminCategoryQuery(trx).where('c.id', '=', params.id).executeTakeFirst()
      if (present) return present
      const deletion = { entity: 'category', entity_id: params.id } as const
      const kept = await takeDeletion<KeptCategory>(trx, deletion)
      await insertKeptRows(trx, 'category_metadata', [kept.category])
      const { category } = await findCategory(trx, params.id)
      await sql`
        update tracks set category = ${category}
         where id = any(${kept.track_ids}::uuid[]) and category is null`.execute(trx.query)
      const restored = await findCategory(trx, params.id)
      await recordCategoryChange(ctx, trx, 'restore', params.id, undefined, restored)
      await notify(trx, 'tracks')
      return restored
    })
  } catch (error) {
    if (constraintOf(error) === 'category_metadata_category_key') {
      throw new AppError('category_exists', { cause: error })
    }
    throw error
  }
}
