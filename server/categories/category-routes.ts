// Members' operations on categories.
import { listCategories } from '#contract/categories.ts'
import type { Route } from '../http/route.ts'
import { listVisibleCategories } from './category-operations.ts'

export function categoryRoutes(route: Route): void {
  route(listCategories, listVisibleCategories)
}
