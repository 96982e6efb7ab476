// What a list is filtered by, kept in the address: it survives a reload, can be sent to a colleague,
// and the back button leads to the list as it was.
import { useCallback, useEffect, useMemo } from 'react'
import { useSearchParams } from 'react-router'

export interface UrlFilters<Name extends string> {
  /** Empty: not filtered by it. */
  values: Record<Name, string>
  page: number
  /** Changed filters lead back to the first page. */
  change: (changes: Partial<Record<Name, string>>, options?: { replace?: boolean }) => void
  setPage: (page: number) => void
  isFiltered: boolean
}

/** `names` is declared outside of the component, so that it stays the same list. */
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

/** Leads to the last page when the one of the address is gone, after its last row was deleted say. */
export function useExistingPage(
  { page, setPage }: Pick<UrlFilters<string>, 'page' | 'setPage'>,
  query: {
    isPlaceholderData: boolean
    data: { pagination?: { total_pages: number } | undefined } | undefined
  },
): void {
  // The list from before may be a shorter one.
  const totalPages = query.isPlaceholderData ? undefined : query.data?.pagination?.total_pages
  useEffect(() => {
    if (totalPages !== undefined && page > totalPages) setPage(totalPages)
  }, [page, totalPages, setPage])
}
