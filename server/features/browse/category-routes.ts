// Routes of the category operations for members.
import * as contract from '#contract/categories.ts'
import type { Route } from '../../platform/http/route.ts'
import type { BrowseLists } from './browse-lists.ts'

export function categoryRoutes(route: Route, { browse }: { browse: BrowseLists }): void {
  route(contract.listCategories, browse.listCategories)
}
