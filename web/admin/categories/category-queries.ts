// Queries and mutations for categories.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  deleteCategory,
  getAdminCategory,
  listAdminCategories,
  reorderCategories,
  restoreCategory,
  updateCategory,
} from '#contract/admin/admin-categories.ts'
import type { Category } from '#contract/categories.ts'
import { call } from '../../base/api/api.ts'
import { showReason } from '../shared/admin-failure.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

export function useAdminCategories() {
  return useQuery({
    queryKey: ['admin', 'categories'],
    queryFn: ({ signal }) => call(listAdminCategories, {}, { signal }),
  })
}

export function useAdminCategory(slug: string) {
  return useQuery({
    queryKey: ['admin', 'categories', slug],
    queryFn: ({ signal }) => call(getAdminCategory, { params: { id: slug } }, { signal }),
  })
}

export function useShowCategory() {
  return useAdminMutation<Category, Category>({
    run: ({ id, is_visible }) =>
      call(updateCategory, { params: { id }, body: { is_visible: !is_visible } }),
    refresh: ['categories'],
    done: ({ is_visible }) =>
      is_visible ? 'Category is now visible to members' : 'Category is now hidden from members',
    failed: (error) => showReason(error, 'Failed to update category'),
  })
}

export function useDeleteCategory(onDone: () => void) {
  return useAdminMutation<Category>({
    run: ({ id }) => call(deleteCategory, { params: { id } }),
    refresh: ['categories', 'tracks'],
    done: 'Category deleted successfully',
    undo: ({ id, display_name }) => ({
      name: display_name,
      restore: () => call(restoreCategory, { params: { id } }),
      done: 'Category restored',
      failed: 'Failed to restore category',
    }),
    onDone,
    failed: (error) => showReason(error, 'Failed to delete category'),
  })
}

/**
 * Swaps a category with the one next to it. The list shows the new order at once, and the old one if the server rejects
 * it.
 */
export function useMoveCategory() {
  const queryClient = useQueryClient()
  const queryKey = ['admin', 'categories']
  return useAdminMutation<{ category: Category; by: -1 | 1 }>({
    async run({ category, by }) {
      await queryClient.cancelQueries({ queryKey })
      const list = queryClient.getQueryData<{ data: Category[] }>(queryKey)?.data ?? []
      const from = list.findIndex(({ id }) => id === category.id)
      const moved = list.filter(({ id }) => id !== category.id)
      moved.splice(from + by, 0, category)
      queryClient.setQueryData(queryKey, { data: moved })
      return call(reorderCategories, { body: { ids: moved.map(({ id }) => id) } })
    },
    refresh: ['categories'],
    failed: (error) => showReason(error, 'Failed to update category'),
  })
}
