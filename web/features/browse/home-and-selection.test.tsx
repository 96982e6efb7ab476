// Shelves, sorting and row selection on the Browse page. Only the network is fake.
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Profile } from '#contract/profiles.ts'
import { usePlayer, initialPlayerState } from '../player/playback/player-store.ts'
import { freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'
import { makeTrack, makeTrackDetail } from '../../testing/track-fixture.ts'
import { makePlaylist, playlistId } from '../../testing/playlist-fixture.ts'

const premium: Profile = { ...freeMember, is_premium: true, subscription_status: 'active' }
const full = (number: number) => ({
  ...makeTrack(number),
  category: null,
  genre: null,
  description: null,
  tags: [],
  is_liked: false,
  created_at: '2026-11-01T00:00:00.000Z',
  ai_tool: null,
  premium_only: false,
  early_access_until: null,
})
const tracks = [1, 2, 3, 4, 5].map(full)
const noCover = { cover_url: null, cover_tint: null, cover_placeholder: null }
const queued = () => usePlayer.getState().queue.entries.map(({ track }) => track.title)

function open(path: string, changes: Answers = {}) {
  const answers = {
    'GET /api/tracks': { data: tracks, next_cursor: null, total: tracks.length },
    'GET /api/categories': { data: [] },
    'GET /api/plays/recent': { data: [] },
    'GET /api/mixes': { data: [] },
    'GET /api/playlists': { data: [], next_cursor: null },
    'PUT /api/likes': () => new Response(null, { status: 204 }),
    ...changes,
  }
  return mountApp(path, answers, premium)
}

beforeEach(() => {
  localStorage.clear()
  usePlayer.setState(initialPlayerState, true)
  Element.prototype.scrollTo = () => {}
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const rowOf = async (title: string) => {
  const list = within(await screen.findByRole('list', { name: 'All Tracks' }))
  return (await list.findByText(title)).closest('li')!
}
const tabNames = () => screen.queryAllByRole('tab').map(({ textContent }) => textContent)
const artist = (name: string, at = 0) => ({
  id: `0191a0c0-0000-7000-8000-00000000030${at}`,
  name,
  slug: name.toLowerCase(),
  share_url: `/artists/${name.toLowerCase()}`,
  ...noCover,
})
const mix = {
  position: 1,
  title: 'Mix 1',
  description: 'Like Track 1',
  track_count: 30,
  mosaic: [],
}

test('renders no empty shelves', async () => {
  open('/browse')
  await rowOf('Track 1')
  expect(screen.queryByRole('region', { name: 'Continue listening' })).toBeNull()
  expect(screen.queryByRole('region', { name: 'More for you' })).toBeNull()
})

test('shows one shelf and a tab for each shelf that has content, and remembers the selected shelf', async () => {
  const answers = {
    'GET /api/home': { continue: [], new_releases: [], artists: [artist('Ada')] },
    'GET /api/plays/recent': { data: [full(2)] },
    'GET /api/mixes': { data: [mix] },
  }
  const { user } = open('/browse', answers)
  const mixes = within(await screen.findByRole('tabpanel', { name: 'Made for you' }))
  expect(mixes.getByRole('button', { name: /^Play\s*Mix 1/ })).toBeTruthy()
  expect(tabNames()).toEqual(['Made for you', 'Your artists', 'Recently played'])
  screen.getByRole('tab', { name: 'Made for you' }).focus()
  await user.keyboard('{ArrowRight}{ArrowRight}')
  const recent = within(screen.getByRole('tabpanel', { name: 'Recently played' }))
  expect(recent.getByRole('button', { name: /^Play\s*Track 2/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Play\s*Mix 1/ })).toBeNull()

  cleanup()
  open('/browse', answers)
  await screen.findByRole('tabpanel', { name: 'Recently played' })
  cleanup()
  // The selected shelf has no content now.
  open('/browse', { ...answers, 'GET /api/plays/recent': { data: [] } })
  await screen.findByRole('tabpanel', { name: 'Made for you' })
})

test('resumes a playlist at the track where it stopped', async () => {
  const item = {
    context: { kind: 'playlist', id: playlistId },
    title: 'Evening',
    about: 'Playlist',
    slug: null,
    ...noCover,
    mosaic: [],
    track: { id: full(3).id, title: 'Track 3' },
  }
  const { user } = open('/browse', {
    'GET /api/home': { continue: [item], new_releases: [], artists: [] },
    [`GET /api/playlists/${playlistId}/tracks`]: {
      data: tracks.map((track, order_index) => ({
        id: track.id,
        order_index,
        added_by: null,
        track,
      })),
      total: tracks.length,
    },
    [`GET /api/tracks/${full(3).id}`]: makeTrackDetail(3),
  })
  const found = within(await screen.findByRole('region', { name: 'Continue listening' }))
  expect(found.getByRole('link', { name: 'Evening' }).getAttribute('href')).toBe(
    `/my-playlists/${playlistId}`,
  )
  await user.click(found.getByRole('button', { name: /Continue Evening/ }))
  await expect.poll(queued).toHaveLength(5)
  const { queue, source, context } = usePlayer.getState()
  expect(queue.index).toBe(2)
  expect({ source, context }).toEqual({ source: 'Evening', context: item.context })
})

test('moves from item to item of a shelf with the arrow keys', async () => {
  const { user } = open('/browse', {
    'GET /api/home': { continue: [], new_releases: [], artists: ['A', 'B', 'C'].map(artist) },
  })
  Element.prototype.scrollIntoView = () => {}
  const found = within(await screen.findByRole('tabpanel', { name: 'Your artists' }))
  found.getByRole('link', { name: 'A' }).focus()
  await user.keyboard('{ArrowRight}')
  expect(document.activeElement?.textContent).toContain('B')
  await user.keyboard('{End}')
  expect(document.activeElement?.textContent).toBe('All artists')
})

test('sorts by a column on the first click, reverses the order on the second and restores the default on the third', async () => {
  const { user, requests, router } = open('/browse')
  await rowOf('Track 1')
  const header = within(screen.getByRole('group', { name: 'Sort by' }))
  const sortOf = () => {
    const asked = requests.findLast(({ operation }) => operation === 'GET /api/tracks')
    return [asked?.query['order'], asked?.query['direction']]
  }
  await user.click(header.getByRole('button', { name: 'Artist' }))
  await expect.poll(sortOf).toEqual(['artist', 'asc'])
  await user.click(header.getByRole('button', { name: 'Artist, ascending' }))
  await expect.poll(sortOf).toEqual(['artist', 'desc'])
  expect(router.state.location.search).toBe('?order=artist&direction=desc')
  await user.click(header.getByRole('button', { name: 'Artist, descending' }))
  await expect.poll(() => router.state.location.search).toBe('')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sort' }), 'Longest first')
  await expect.poll(sortOf).toEqual(['duration', 'desc'])
})

test('selects rows by click, range and key, and likes them with one request', async () => {
  const { user, requests } = open('/browse')
  fireEvent.click(await rowOf('Track 2'), { ctrlKey: true })
  const bar = within(await screen.findByRole('toolbar', { name: 'Selected tracks' }))
  expect(bar.getByRole('status').textContent).toBe('1 selected')
  fireEvent.click(await rowOf('Track 4'), { shiftKey: true })
  expect(bar.getByRole('status').textContent).toBe('3 selected')
  // In selection mode a click without a modifier key selects.
  fireEvent.click(await rowOf('Track 3'))
  expect(bar.getByRole('status').textContent).toBe('2 selected')
  const first = screen.getByRole('checkbox', { name: /^Select Track 1 by/ })
  first.focus()
  await user.keyboard(' ')
  expect(first.getAttribute('aria-checked')).toBe('true')
  await user.click(bar.getByRole('button', { name: 'Like' }))
  await expect.poll(() => screen.queryByRole('toolbar')).toBeNull()
  const likes = requests.filter(({ operation }) => operation.includes('like'))
  expect(likes.map(({ operation, body }) => [operation, body])).toEqual([
    ['PUT /api/likes', { track_ids: [2, 4, 1].map((n) => full(n).id), is_liked: true }],
  ])
  const liked = await screen.findAllByRole('button', { name: /^Like/, pressed: true })
  expect(liked.length).toBe(3)
})

test('extends the selection by Shift and arrows, selects all by Ctrl+A, and ends with Escape', async () => {
  // jsdom has no layout, so simulate that every control is visible.
  const box = { ...[new DOMRect()], item: () => null, length: 1 } as unknown as DOMRectList
  vi.spyOn(HTMLElement.prototype, 'getClientRects').mockReturnValue(box)
  const { user } = open('/browse')
  within(await rowOf('Track 1'))
    .getByRole('button', { name: /^Play/ })
    .focus()
  await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
  await expect.poll(chosenCount).toBe('3 selected')
  await user.keyboard('{Control>}a{/Control}')
  await expect.poll(chosenCount).toBe('5 selected')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('toolbar')).toBeNull()
})

const chosenCount = () =>
  within(screen.getByRole('toolbar', { name: 'Selected tracks' })).getByRole('status').textContent

test('adds selected tracks to a playlist with one request, and plays them', async () => {
  const { user, requests } = open('/browse', {
    'GET /api/playlists': ({ query }: { query: Record<string, string> }) => ({
      data: query['scope'] === 'shared' ? [] : [makePlaylist(0)],
      next_cursor: null,
    }),
    [`PATCH /api/playlists/${playlistId}`]: makePlaylist(5),
    [`GET /api/tracks/${full(5).id}`]: makeTrackDetail(5),
    'POST /api/radio': { title: 'Track 5', data: [] },
  })
  await rowOf('Track 1')
  await user.click(screen.getByRole('button', { name: 'Select' }))
  await user.click(screen.getByRole('button', { name: 'Select all' }))
  await user.click(
    within(screen.getByRole('toolbar')).getByRole('button', { name: 'Add to playlist' }),
  )
  await user.click(await screen.findByRole('menuitem', { name: /Evening/ }))
  await expect
    .poll(() => requests.find(({ operation }) => operation.startsWith('PATCH'))?.body)
    .toEqual({ track_changes: tracks.map(({ id }) => ({ action: 'add', track_id: id })) })
  await expect.poll(() => screen.queryByRole('toolbar')).toBeNull()

  fireEvent.click(await rowOf('Track 5'), { metaKey: true })
  await user.click(screen.getByRole('button', { name: 'Play selected' }))
  expect(queued()).toEqual(['Track 5'])
})
