// The audit trail as the back office reads it.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listAuditLog } from '#contract/admin-audit.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from '../../app/api.ts'
import { useUrlFilters } from '../use-url-filters.ts'

type Query = NonNullable<CallInput<typeof listAuditLog>['query']>

const names = ['actor_id', 'action', 'entity', 'start_date', 'end_date'] as const
export type AuditFilters = Record<(typeof names)[number], string>

export function useAuditFilters() {
  const filters = useUrlFilters(names)
  const query = Object.fromEntries(
    Object.entries(filters.values).filter(([, value]) => value !== ''),
  ) as Query
  return { ...filters, query }
}

export function useAuditLog(query: Query, page: number) {
  return useQuery({
    queryKey: ['admin', 'audit', query, page],
    queryFn: ({ signal }) => call(listAuditLog, { query: { ...query, page } }, { signal }),
    placeholderData: keepPreviousData,
  })
}
