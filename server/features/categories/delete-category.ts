// Deletes and restores a category.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-categories.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { getViolatedConstraint } from '../../platform/db/database-error.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { selectTrackCategories, isInCategory } from '../tracks/track-query.ts'
import { restoreRows } from '../deletions/restore-rows.ts'
import { recordDeletion, claimDeletion } from '../deletions/pending-deletion.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import {
  selectAdminCategories,
  findCategory,
  lockCategory,
  recordCategoryChange,
} from './admin-category-operations.ts'

/** Deletes a category. Its tracks keep their other categories, and the next one becomes their first category. */
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
    const { rows: tracks } = await sql<CategoriesOfTrack>`
      select t.id, ${selectTrackCategories('t')} as categories from tracks t
       where ${isInCategory(before.category)}`.execute(trx.query)
    const kept: DeletedCategory = { ...row, tracks }
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

interface DeletedCategory {
  /** The deleted row as returned by `to_jsonb`. */
  category: object
  /** The tracks that were in the category, each with all its categories. */
  tracks?: CategoriesOfTrack[]
  /** Stored by the previous version of Velour instead of `tracks`: the tracks that were only in this category. */
  track_ids?: string[]
}

interface CategoriesOfTrack {
  id: string
  categories: string[]
}

/** Undoes the deletion of a category. Tracks whose categories have changed since are not updated. */
export async function restoreCategory(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.restoreCategory>,
): Promise<Output<typeof contract.restoreCategory>> {
  try {
    return await transaction(ctx.db, async (trx) => {
      const present = await selectAdminCategories(trx)
        .where('c.id', '=', params.id)
        .executeTakeFirst()
      if (present) return present
      const deletion = { entity: 'category', entity_id: params.id } as const
      const kept = await claimDeletion<DeletedCategory>(trx, deletion)
      await restoreRows(trx, 'category_metadata', [kept.category])
      const { category } = await findCategory(trx, params.id)
      await restoreTrackCategories(trx, category, kept)
      const restored = await findCategory(trx, params.id)
      await recordCategoryChange(ctx, trx, 'restore', params.id, undefined, restored)
      await notify(trx, 'tracks')
      return restored
    })
  } catch (error) {
    if (getViolatedConstraint(error) === 'category_metadata_category_key') {
      throw new AppError('category_exists', { cause: error })
    }
    throw error
  }
}

async function restoreTrackCategories(
  trx: Transaction,
  category: string,
  kept: DeletedCategory,
): Promise<void> {
  const tracks = kept.tracks ?? kept.track_ids?.map((id) => ({ id, categories: [category] })) ?? []
  await sql`
    update tracks t set category = b.categories[1], more_categories = b.categories[2:]
      from (select (item ->> 'id')::uuid as id,
                   array(select jsonb_array_elements_text(item -> 'categories')) as categories
              from jsonb_array_elements(${JSON.stringify(tracks)}::jsonb) item) b
     where b.id = t.id and ${selectTrackCategories('t')} = array_remove(b.categories, ${category})`.execute(
    trx.query,
  )
}
