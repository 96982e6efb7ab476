// Saves the order in which members see the categories.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-categories.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { listAdminCategories } from './admin-category-operations.ts'

/**
 * Saves an order. Throws `conflict` if it does not contain exactly the existing categories, because the client then has
 * an outdated list.
 */
export async function reorderCategories(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.reorderCategories>,
): Promise<Output<typeof contract.reorderCategories>> {
  const ids = body.ids.map((id) => id.toLowerCase())
  await transaction(ctx.db, async (trx) => {
    const rows = await trx.query
      .selectFrom('category_metadata')
      .select(['id', 'category'])
      .orderBy('sort_order')
      .orderBy('display_name')
      .forUpdate()
      .execute()
    const slugs = new Map(rows.map(({ id, category }) => [id, category]))
    const isWhole = new Set(ids).size === rows.length && ids.length === rows.length
    if (!isWhole || !ids.every((id) => slugs.has(id))) throw new AppError('conflict')
    await sql`
      update category_metadata c set sort_order = place.number - 1
      from unnest(${ids}::uuid[]) with ordinality as place (id, number)
      where c.id = place.id and c.sort_order != place.number - 1`.execute(trx.query)
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'category',
      before: { order: rows.map(({ category }) => category) },
      after: { order: ids.map((id) => slugs.get(id)) },
    })
    await notify(trx, 'categories')
  })
  return listAdminCategories(ctx)
}
