import { InfiniteQueryObserver, QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Track } from '#contract/tracks.ts'
import { createQueryClient } from '../../app/query-client.ts'
import { sessionQuery } from '../../base/session/session.ts'
import { useRefreshInView } from '../browse/use-refresh-in-view.ts'
import { freeMember } from '../../testing/mount-app.tsx'
import { makeTrack } from '../../testing/track-fixture.ts'
import { playlistTracksKey, trackListKey, trackListOptions } from './queries/track-queries.ts'
import { useLike } from './use-like.ts'

const options = trackListOptions({})
/** Pending requests, to which the test responds. */
let waiting: { request: string; answer: (value: unknown, status?: number) => void }[]
let queryClient: QueryClient
/** The track whose like button is pressed; a new one in each test. */
let id = makeTrack(1000).id
/** The like state on the fake server. */
let isLiked: boolean
let stopWatching: () => void
let list: InfiniteQueryObserver

beforeEach(() => {
  waiting = []
  isLiked = false
  id = makeTrack(Number(id.slice(-6)) + 1).id
  vi.stubGlobal('fetch', (url: string, { method = 'GET' }: RequestInit = {}) => {
    return new Promise<Response>((resolve) => {
      waiting.push({
        request: `${method} ${url}`,
        answer: (value, status = 200) => resolve(Response.json(value, { status })),
      })
    })
  })
  queryClient = createQueryClient()
  list = new InfiniteQueryObserver(queryClient, {
    ...options,
    initialData: { pages: [pageOf(1)], pageParams: [undefined] },
  }) as unknown as InfiniteQueryObserver
  stopWatching = list.subscribe(() => {})
})
afterEach(async () => {
  stopWatching()
  queryClient.clear()
  vi.unstubAllGlobals()
  cleanup()
})

const trackOf = (number: number) =>
  ({
    ...makeTrack(number),
    ...(number === 1 && { id }),
    is_liked: number === 1 && isLiked,
  }) as unknown as Track
const pageOf = (number: number) => ({
  data: [trackOf(number)],
  next_cursor: `after ${number}`,
  total: 99,
})
/** Waits until all pending work has run. */
const settle = () => act(async () => void (await new Promise((resolve) => setTimeout(resolve, 5))))

async function answer(request: RegExp, value: unknown = {}, status = 200): Promise<void> {
  const find = () => waiting.findIndex((one) => request.test(one.request))
  await vi.waitFor(() => expect(find(), `${request}`).not.toBe(-1), { interval: 1 })
  waiting.splice(find(), 1)[0]!.answer(value, status)
  await settle()
}

async function saved(liked: boolean): Promise<void> {
  isLiked = liked
  await answer(liked ? /^PUT .*like/ : /^DELETE .*like/)
}

const refused = (liked: boolean) =>
  answer(
    liked ? /^PUT .*like/ : /^DELETE .*like/,
    { error: { code: 'internal', message: 'No.' } },
    500,
  )

const wrapper = ({ children }: { children: React.ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)

function press(liked: boolean): void {
  const { result } = renderHook(useLike, { wrapper })
  result.current.mutate({ id, liked })
}

const shown = () =>
  queryClient
    .getQueryData(options.queryKey)
    ?.pages.flatMap(({ data }) => data)
    .find((track) => track.id === id)?.is_liked

test('keeps the like when a page requested before the like arrives after the save', async () => {
  void list.fetchNextPage()
  press(true)
  expect(shown()).toBe(true)
  await saved(true)
  await answer(/cursor=after\+1/, pageOf(2))
  expect(queryClient.getQueryData(options.queryKey)?.pages).toHaveLength(2)
  expect(shown()).toBe(true)
})

test('keeps the like when a page requested before the like arrives during the save', async () => {
  void list.fetchNextPage()
  press(true)
  await answer(/cursor=after\+1/, pageOf(2))
  expect(shown()).toBe(true)
  await saved(true)
  expect(shown()).toBe(true)
})

test('keeps the like when a refetch from before the like completes, even after the list is unmounted', async () => {
  const before = pageOf(1)
  void list.refetch()
  press(true)
  await saved(true)
  await answer(/^GET \/api\/tracks\?/, before)
  expect(shown()).toBe(true)

  void list.fetchNextPage()
  press(false)
  await saved(false)
  stopWatching()
  await settle()
  expect(shown()).toBe(false)
})

test('keeps the like when a playlist requested before the like arrives', async () => {
  const queryKey = [...playlistTracksKey, 'evening', 0]
  const part = () => ({ data: [{ id: 'place', order_index: 0, track: trackOf(1) }], total: 1 })
  const before = part()
  const fetched = queryClient.fetchQuery({
    queryKey,
    queryFn: async () => (await fetch('/evening')).json(),
  })
  press(true)
  await saved(true)
  await answer(/evening/, before)
  await fetched
  expect(queryClient.getQueryData<typeof before>(queryKey)?.data[0]?.track.is_liked).toBe(true)
})

test('keeps the like when a visible page is refreshed', async () => {
  const numbers = Array.from({ length: 11 }, (_, at) => at + 1)
  const before = pageOf(1)
  queryClient.setQueryData(options.queryKey, {
    pages: numbers.map(pageOf),
    pageParams: numbers.map((number) => (number > 1 ? `after ${number - 1}` : undefined)),
  })
  const { result } = renderHook(() => useRefreshInView({}), { wrapper })
  result.current(0, 0)
  await queryClient.invalidateQueries({ queryKey: trackListKey, refetchType: 'none' })
  press(true)
  await saved(true)
  await answer(/^GET \/api\/tracks\?/, before)
  expect(shown()).toBe(true)
})

test("shows the server's state when the list is requested after the like", async () => {
  press(true)
  await saved(true)
  // The track was unliked on another device.
  isLiked = false
  void list.refetch()
  await answer(/^GET \/api\/tracks\?/, pageOf(1))
  expect(shown()).toBe(false)
})

test("shows the server's state after rejected likes, regardless of the number of presses", async () => {
  press(true)
  press(false)
  await refused(true)
  expect(shown()).toBe(false)
  await refused(false)
  expect(shown()).toBe(false)

  press(true)
  press(false)
  await saved(true)
  expect(shown()).toBe(false)
  await refused(false)
  expect(shown()).toBe(true)
})

test('keeps the rolled-back state when a page requested before the rejection arrives', async () => {
  press(true)
  void list.fetchNextPage()
  await refused(true)
  await answer(/cursor=after\+1/, pageOf(2))
  expect(shown()).toBe(false)
})

test('does not show the like to the next user', async () => {
  queryClient.setQueryData(sessionQuery.queryKey, freeMember)
  press(true)
  press(false)
  await settle()
  queryClient.setQueryData(sessionQuery.queryKey, { ...freeMember, id: 'somebody-else' })
  await answer(/^GET \/api\/tracks\?/, pageOf(1))
  await saved(true)
  expect(shown()).toBe(false)
  expect(waiting).toEqual([])
})
