// Queries for imports, polled while an import is running.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  listImportItems,
  listImports,
  type ImportItemStatus,
  type ImportSummary,
} from '#contract/admin/imports.ts'
import { call } from '../../base/api/api.ts'

const pollMs = 2000

export const isInProgress = ({ status }: ImportSummary) =>
  status === 'waiting' || status === 'running'

export function useImports() {
  return useQuery({
    queryKey: ['admin', 'imports'],
    queryFn: async ({ signal }) => (await call(listImports, {}, { signal })).data,
    refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? pollMs : false),
    staleTime: 0,
  })
}

/**
 * Loads one page of an import's items in one state. The query key contains their number, so that the page is refetched
 * when the number changes.
 */
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
