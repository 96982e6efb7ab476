// Query for the audit log.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from '../../base/api/api.ts'
import { useUrlFilters } from '../shared/lists/use-url-filters.ts'

type Query = NonNullable<CallInput<typeof listAuditLog>['query']>

const names = ['actor_id', 'action', 'entity', 'entity_name', 'start_date', 'end_date'] as const
export type AuditFilters = Record<(typeof names)[number], string>

export function useAuditFilters() {
  const filters = useUrlFilters(names)
  const { start_date, end_date, ...others } = filters.values
  const values = {
    ...others,
    start_date: toTimestamp(start_date, 'T00:00:00.000'),
    end_date: toTimestamp(end_date, 'T23:59:59.999'),
  }
  const query = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== ''),
  ) as Query
  return { ...filters, query }
}

/**
 * Converts a day from a filter to a timestamp in local time, because the list shows local times and the server would
 * read a plain day as UTC. An invalid day is sent unchanged, so that the server rejects it.
 */
function toTimestamp(day: string, localTime: string): string {
  const moment = new Date(day + localTime)
  return Number.isNaN(moment.getTime()) ? day : moment.toISOString()
}

export function useAuditLog(query: Query, page: number) {
  return useQuery({
    queryKey: ['admin', 'audit', query, page],
    queryFn: ({ signal }) => call(listAuditLog, { query: { ...query, page } }, { signal }),
    placeholderData: keepPreviousData,
  })
}
