import type { ParsedInput } from '#contract/endpoint.ts'
import type * as contract from '#contract/public-pages.ts'
import type { Context } from '../../platform/operations/context.ts'
import { findPage } from './find-page.ts'
import type { PageCounts } from './page-counts.ts'

/**
 * Counts a share of an item. Does nothing if the item has no page. The response is the same in both cases, so it does
 * not reveal whether the page exists.
 */
export async function recordShare(
  counts: Pick<PageCounts, 'add'>,
  ctx: Context,
  { body }: ParsedInput<typeof contract.recordShare>,
): Promise<void> {
  const found = await findPage(ctx.db, body.kind, body.slug)
  if (found) counts.add(found, 'shares')
}
