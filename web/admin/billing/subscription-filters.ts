// Filters and sort order of the subscription list, stored in the URL.
import { endOfLocalDay, startOfLocalDay } from '../shared/format/local-day.ts'
import { useUrlFilters } from '../shared/lists/use-url-filters.ts'
import type { SubscriptionListQuery } from '../people/billing-queries.ts'

const names = [
  'q',
  'tier',
  'status',
  'payment_method',
  'renews_from',
  'renews_to',
  'notes',
  'sort',
  'direction',
  'add',
] as const

export type SubscriptionFilters = ReturnType<typeof useSubscriptionFilters>

/**
 * Returns the filters in the URL. `matching` has the form in which requests and bulk changes send them. `?add=` is not
 * a filter: it opens the dialog.
 */
export function useSubscriptionFilters() {
  const filters = useUrlFilters(names)
  const { sort, direction, renews_from, renews_to, add: _, ...others } = filters.values
  const matching = omitEmpty({
    ...others,
    renews_from: startOfLocalDay(renews_from),
    renews_to: endOfLocalDay(renews_to),
  }) as SubscriptionListQuery
  const order = omitEmpty({ sort, direction }) as SubscriptionListQuery
  return { ...filters, matching, query: { ...matching, ...order, page: filters.page } }
}

function omitEmpty(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}
