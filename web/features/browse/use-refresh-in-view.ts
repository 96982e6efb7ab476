// Keeps a long paginated list current while the user has scrolled far down. Refetching all pages would take dozens of
// requests for every change, so only the visible pages are refetched, and the others when they become visible.
// Invariant: no track is in two pages.
import { useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { Output } from '#contract/endpoint.ts'
import { listTracks } from '#contract/tracks.ts'
import { call } from '../../base/api/api.ts'
import { longListPages } from '../../base/live/live-refresh.ts'
import {
  trackListOptions,
  trackListQuery,
  type TrackFilters,
} from '../catalogue/queries/track-queries.ts'

type TrackPage = Output<typeof listTracks>
type TrackPages = InfiniteData<TrackPage>

/** The server's maximum. */
const maxPageSize = 200

/** Returns a function to call with the range of visible rows. */
export function useRefreshInView(filters: TrackFilters) {
  const queryClient = useQueryClient()
  const range = useRef<[first: number, last: number]>([0, 0])
  const stale = useRef(new Set<number>())
  const isBusy = useRef(false)

  const refresh = useCallback(async () => {
    const { queryKey } = trackListOptions(filters)
    // Cancel a pending fetch of the next page: it would overwrite the refreshed pages.
    if (isBusy.current || queryClient.isFetching({ queryKey, exact: true }) > 0) return
    isBusy.current = true
    try {
      for (;;) {
        const list: TrackPages | undefined = queryClient.getQueryData(queryKey)
        const page = list && pagesInSight(list, range.current).find((at) => stale.current.has(at))
        if (!list || page === undefined) return
        stale.current.delete(page)
        await queryClient.fetchQuery({
          queryKey: ['tracks', 'in-sight', filters, page],
          // Write the pages inside the query function, while the query still counts as fetching. A like made in the
          // meantime is then reapplied to them.
          async queryFn() {
            const fresh = await fetchPage(filters, list, page)
            queryClient.setQueryData(queryKey, (now: TrackPages | undefined) =>
              now ? replacePage(now, page, fresh) : now,
            )
            return page
          },
          staleTime: 0,
          gcTime: 0,
        })
      }
    } finally {
      isBusy.current = false
    }
  }, [queryClient, filters])

  useEffect(() => {
    const { queryKey } = trackListOptions(filters)
    stale.current.clear()
    return queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'invalidate') return
      const { query } = event
      if (query !== queryClient.getQueryCache().find({ queryKey, exact: true })) return
      const pages = (query.state.data as TrackPages | undefined)?.pages.length ?? 0
      // Refetch the whole list if it has become shorter.
      if (pages <= longListPages) return
      for (let page = 0; page < pages; page++) stale.current.add(page)
      // Ignore failures: the page stays unchanged and is refetched with the next change.
      refresh().catch(() => {})
    })
  }, [queryClient, filters, refresh])

  return useCallback(
    (first: number, last: number) => {
      range.current = [first, last]
      if (stale.current.size > 0) refresh().catch(() => {})
    },
    [refresh],
  )
}

/** Fetches a page again. It becomes longer if tracks within its range were published. */
async function fetchPage(filters: TrackFilters, list: TrackPages, page: number) {
  const fetchPageAfter = (cursor: string | undefined) =>
    call(listTracks, { query: { ...trackListQuery(filters, cursor), limit: maxPageSize } }, {})
  const fresh = await fetchPageAfter(list.pageParams[page] as string | undefined)
  const known = new Set(list.pages.slice(page + 1).flatMap(({ data }) => data.map(({ id }) => id)))
  const oldLastId = list.pages[page]?.data.at(-1)?.id
  const reachesItsEnd = fresh.data.some(({ id }) => id === oldLastId || known.has(id))
  if (reachesItsEnd || known.size === 0 || !fresh.next_cursor) return fresh
  const rest = await fetchPageAfter(fresh.next_cursor)
  return { ...fresh, data: [...fresh.data, ...rest.data] }
}

function pagesInSight({ pages }: TrackPages, [first, last]: [number, number]): number[] {
  let start = 0
  return pages.flatMap(({ data }, page) => {
    const from = start
    start += data.length
    return from <= last && start > first ? [page] : []
  })
}

function replacePage(list: TrackPages, page: number, fresh: TrackPage): TrackPages {
  const others = new Set(
    list.pages.flatMap(({ data }, at) => (at === page ? [] : data.map(({ id }) => id))),
  )
  const isLast = page === list.pages.length - 1
  const replace = (old: TrackPage): TrackPage => ({
    data: fresh.data.filter(({ id }) => !others.has(id)),
    total: fresh.total,
    // The next page keeps its own cursor, so only the last page's `next_cursor` is updated.
    next_cursor: isLast ? fresh.next_cursor : old.next_cursor,
  })
  return { ...list, pages: list.pages.map((old, at) => (at === page ? replace(old) : old)) }
}
