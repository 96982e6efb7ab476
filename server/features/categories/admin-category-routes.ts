// Category operations for admins.
import {
  addTracksToCategory,
  createCategory,
  deleteCategory,
  getAdminCategory,
  listAdminCategories,
  reorderCategories,
  restoreCategory,
  updateCategory,
} from '#contract/admin/admin-categories.ts'
import type { Route } from '../../platform/http/route.ts'
import type { PictureServices } from '../pictures/take-picture.ts'
import {
  addTracksToCategoryAsAdmin,
  createCategoryAsAdmin,
  getCategoryForAdmin,
  listCategoriesForAdmin,
  updateCategoryAsAdmin,
} from './admin-category-operations.ts'
import { deleteCategoryAsAdmin, restoreCategoryAsAdmin } from './delete-category.ts'
import { reorderCategoriesAsAdmin } from './reorder-categories.ts'

export function adminCategoryRoutes(
  route: Route,
  { pictures }: { pictures: PictureServices },
): void {
  route(listAdminCategories, listCategoriesForAdmin)
  route(getAdminCategory, getCategoryForAdmin)
  route(createCategory, (ctx, input) => createCategoryAsAdmin(pictures, ctx, input))
  route(updateCategory, (ctx, input) => updateCategoryAsAdmin(pictures, ctx, input))
  route(reorderCategories, reorderCategoriesAsAdmin)
  route(deleteCategory, deleteCategoryAsAdmin)
  route(restoreCategory, restoreCategoryAsAdmin)
  route(addTracksToCategory, addTracksToCategoryAsAdmin)
}
