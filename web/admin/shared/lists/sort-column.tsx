// A column heading that sorts the list when clicked. The order is stored in the URL.
import type { Direction } from '#contract/fields/pagination.ts'
import { SortHeader } from '../../../base/ui/lists/table.tsx'

interface Sorted {
  values: { sort: string; direction: string }
  change: (changes: { sort: string; direction: string }) => void
}

export interface SortColumnProps<Name extends string> {
  name: Name
  filters: Sorted
  children: string
  numeric?: boolean
  wide?: boolean
  /** The order of the list when the URL contains none. */
  ownOrder?: { sort: string; direction: Direction }
}

const newestFirst = { sort: 'created_at', direction: 'desc' } as const

export function SortColumn<Name extends string>(props: SortColumnProps<Name>) {
  const { name, filters, children, numeric = false, wide = false, ownOrder = newestFirst } = props
  const sort = filters.values.sort || ownOrder.sort
  const direction = filters.values.direction || ownOrder.direction
  const isSorted = sort === name
  const shown = direction === 'desc' ? 'descending' : 'ascending'
  return (
    <SortHeader
      numeric={numeric}
      wide={wide}
      direction={isSorted ? shown : undefined}
      onSort={(next) => {
        const wanted: Direction = next === 'ascending' ? 'asc' : 'desc'
        filters.change({ sort: name, direction: wanted })
      }}
    >
      {children}
    </SortHeader>
  )
}
