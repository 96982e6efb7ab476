// People as the back office reads and changes them.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listUsers } from '#contract/admin-users.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from '../../app/api.ts'
import { useUrlFilters } from '../use-url-filters.ts'

type Query = NonNullable<CallInput<typeof listUsers>['query']>

const names = ['q', 'role', 'subscription_status', 'deletion_requested'] as const

/** The filters of the list, in the address; `query` as the server and the CSV take them. */
export function useUserFilters() {
  const filters = useUrlFilters(names)
  const query = Object.fromEntries(
    Object.entries(filters.values).filter(([, value]) => value !== ''),
  ) as Query
  return { ...filters, query }
}

export function useUsers(query: Query, page: number) {
  return useQuery({
    queryKey: ['admin', 'users', query, page],
    queryFn: ({ signal }) => call(listUsers, { query: { ...query, page } }, { signal }),
    placeholderData: keepPreviousData,
  })
}
