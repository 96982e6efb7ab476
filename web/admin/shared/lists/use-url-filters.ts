// Stores the filters of a list in the URL, so that they survive a reload, can be shared, and work with the Back button.
import { useCallback, useEffect, useMemo } from 'react'
import { useSearchParams } from 'react-router'

export interface UrlFilters<Name extends string> {
  /** The value of each filter. Empty if the filter is not set. */
  values: Record<Name, string>
  page: number
  /** Sets filters and goes to the first page. */
  change: (changes: Partial<Record<Name, string>>, options?: { replace?: boolean }) => void
  setPage: (page: number) => void
  isFiltered: boolean
}

/** Declare `names` outside the component, so that it is the same array in every render. */
export function useUrlFilters<const Name extends string>(names: readonly Name[]): UrlFilters<Name> {
  const [params, setParams] = useSearchParams()
  const values = useMemo(
    () =>
      Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<
        Name,
        string
      >,
    [names, params],
  )

  const write = useCallback(
    (changes: Record<string, string | undefined>, replace: boolean) =>
      setParams(
        (current) => {
          const next = new URLSearchParams(current)
          for (const [name, value] of Object.entries(changes)) {
            if (value) next.set(name, value)
            else next.delete(name)
          }
          return next
        },
        { replace, preventScrollReset: true },
      ),
    [setParams],
  )
  const change = useCallback(
    (changes: Partial<Record<Name, string>>, { replace = false } = {}) =>
      write({ ...changes, page: undefined }, replace),
    [write],
  )
  const setPage = useCallback(
    (page: number) => write({ page: page > 1 ? String(page) : undefined }, false),
    [write],
  )
  const page = Math.max(1, Math.floor(Number(params.get('page'))) || 1)
  return { values, page, change, setPage, isFiltered: Object.values(values).some(Boolean) }
}

/**
 * Goes to the last page if the page in the URL doesn't exist any more, for example because its last row was deleted.
 */
export function useExistingPage(
  { page, setPage }: Pick<UrlFilters<string>, 'page' | 'setPage'>,
  query: {
    isPlaceholderData: boolean
    data: { pagination?: { total_pages: number } | undefined } | undefined
  },
): void {
  // Ignore placeholder data: it is the result of the previous query, which may have had fewer pages.
  const totalPages = query.isPlaceholderData ? undefined : query.data?.pagination?.total_pages
  useEffect(() => {
    if (totalPages !== undefined && page > totalPages) setPage(totalPages)
  }, [page, totalPages, setPage])
}
