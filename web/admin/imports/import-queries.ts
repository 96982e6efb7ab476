// Imports, polled while one of them goes on.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  listImportItems,
  listImports,
  type ImportItemStatus,
  type ImportSummary,
} from '#contract/admin/imports.ts'
import { call } from '../../base/api/api.ts'

const lookAgainMs = 2000

export const isGoingOn = ({ status }: ImportSummary) => status === 'waiting' || status === 'running'

export function useImports() {
  return useQuery({
    queryKey: ['admin', 'imports'],
    queryFn: async ({ signal }) => (await call(listImports, {}, { signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(isGoingOn) ? lookAgainMs : false),
    staleTime: 0,
  })
}

/** The items of one state, a page of them. The key changes with the number of items, so that it never lags behind. */
export function useImportItems(
  { id, counts }: ImportSummary,
  status: ImportItemStatus,
  after: number,
) {
  return useQuery({
    queryKey: ['admin', 'imports', id, status, after, counts[status]],
    queryFn: ({ signal }) =>
      call(
        listImportItems,
        { params: { id }, query: { status, ...(after > 0 && { after: String(after) }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })
}
