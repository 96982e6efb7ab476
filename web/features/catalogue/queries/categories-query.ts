// The categories that members see.
import { queryOptions } from '@tanstack/react-query'
import { listCategories } from '#contract/categories.ts'
import { call } from '../../../base/api/api.ts'

export const categoriesQuery = queryOptions({
  queryKey: ['categories'] as const,
  queryFn: async ({ signal }) => (await call(listCategories, {}, { signal })).data,
  staleTime: 5 * 60_000,
})
