// Queries for the user list.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type exportUsers, listUsers } from '#contract/admin/admin-users.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from '../../base/api/api.ts'
import { endOfLocalDay, startOfLocalDay } from '../shared/format/local-day.ts'
import { useUrlFilters } from '../shared/lists/use-url-filters.ts'

type UserFilterQuery = NonNullable<CallInput<typeof exportUsers>['query']>
type Query = NonNullable<CallInput<typeof listUsers>['query']>

const filterNames = [
  'q',
  'role',
  'subscription_tier',
  'subscription_status',
  'joined_from',
  'joined_to',
  'deletion_requested',
] as const
const names = [...filterNames, 'sort', 'direction'] as const
export type UserFilterValues = Record<(typeof filterNames)[number], string>

/**
 * Returns the filters in the URL. `matching` has the form in which the list, the CSV export and bulk changes send them.
 */
export function useUserFilters() {
  const filters = useUrlFilters(names)
  const { sort, direction, joined_from, joined_to, ...others } = filters.values
  const matching = omitEmpty({
    ...others,
    joined_from: startOfLocalDay(joined_from),
    joined_to: endOfLocalDay(joined_to),
  }) as UserFilterQuery
  const query = { ...matching, ...omitEmpty({ sort, direction }) } as Query
  return { ...filters, matching, query }
}

function omitEmpty(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}

export function useUsers(query: Query, page: number) {
  return useQuery({
    queryKey: ['admin', 'users', query, page],
    queryFn: ({ signal }) => call(listUsers, { query: { ...query, page } }, { signal }),
    placeholderData: keepPreviousData,
  })
}
