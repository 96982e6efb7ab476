// Routes of the category operations for admins.
import * as contract from '#contract/admin/admin-categories.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PictureServices } from '../pictures/store-picture.ts'
import {
  addTracksToCategory,
  createCategory,
  getAdminCategory,
  listAdminCategories,
  updateCategory,
} from './admin-category-operations.ts'
import { deleteCategory, restoreCategory } from './delete-category.ts'
import { reorderCategories } from './reorder-categories.ts'

export function adminCategoryRoutes(
  route: Route,
  { pictures }: { pictures: PictureServices },
): void {
  route(contract.listAdminCategories, listAdminCategories)
  route(contract.getAdminCategory, getAdminCategory)
  route(contract.createCategory, (ctx, input) => createCategory(pictures, ctx, input))
  route(contract.updateCategory, (ctx, input) => updateCategory(pictures, ctx, input))
  route(contract.reorderCategories, reorderCategories)
  route(contract.deleteCategory, deleteCategory)
  route(contract.restoreCategory, restoreCategory)
  route(contract.addTracksToCategory, addTracksToCategory)
}
