// Keeps a list of many pages true while somebody is deep in it. Asking for all of its pages again would be
// dozens of requests for every change that anybody makes, so only those in sight are asked for, and the
// others when they come into sight. Invariant: no track stands in two pages.
import { useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { Output } from '#contract/endpoint.ts'
import { listTracks } from '#contract/tracks.ts'
import { call } from '../app/api.ts'
import { longListPages } from '../app/live-refresh.ts'
import { trackListOptions, trackListQuery, type TrackFilters } from '../catalogue/track-queries.ts'

type TrackPage = Output<typeof listTracks>
type TrackPages = InfiniteData<TrackPage>

/** As much as the server gives at once. */
const maxPageSize = 200

/** Returns what is to be told which rows are in sight. */
export function useRefreshInView(filters: TrackFilters) {
  const queryClient = useQueryClient()
  const range = useRef<[first: number, last: number]>([0, 0])
  const stale = useRef(new Set<number>())
  const isBusy = useRef(false)

  const refresh = useCallback(async () => {
    const { queryKey } = trackListOptions(filters)
    // Whoever is fetching the next page would put back what was there before.
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
          // Written before it counts as answered, so that a like in the meantime knows what is to come.
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
      // A shorter one is asked for as a whole.
      if (pages <= longListPages) return
      for (let page = 0; page < pages; page++) stale.current.add(page)
      // What could not be had now stays as it is, and is asked for with the next change.
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

/** A page as it is now; where something was published within it, longer than it was. */
async function fetchPage(filters: TrackFilters, list: TrackPages, page: number) {
  const ask = (cursor: string | undefined) =>
    call(listTracks, { query: { ...trackListQuery(filters, cursor), limit: maxPageSize } }, {})
  const fresh = await ask(list.pageParams[page] as string | undefined)
  const known = new Set(list.pages.slice(page + 1).flatMap(({ data }) => data.map(({ id }) => id)))
  const oldLastId = list.pages[page]?.data.at(-1)?.id
  const reachesItsEnd = fresh.data.some(({ id }) => id === oldLastId || known.has(id))
  if (reachesItsEnd || known.size === 0 || !fresh.next_cursor) return fresh
  const rest = await ask(fresh.next_cursor)
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
    // The next page goes on from where it always began; only the last one says what follows on it.
    next_cursor: isLast ? fresh.next_cursor : old.next_cursor,
  })
  return { ...list, pages: list.pages.map((old, at) => (at === page ? replace(old) : old)) }
}
