// The sidebar of playlists in wide windows. Only the network is fake.
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Playlist } from '#contract/playlists.ts'
import { breakpoints } from '../../base/ui/theme/breakpoints.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { initialPlayerState, usePlayer } from '../player/playback/player-store.ts'
import { freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'
import { makePlaylist } from '../../testing/playlist-fixture.ts'

const premium = { ...freeMember, is_premium: true, subscription_status: 'active' as const }
const playlist = (number: number) => ({
  ...makePlaylist(number),
  id: `0191a0c0-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`,
  title: `Evening ${number}`,
})
const many = Array.from({ length: 14 }, (_, at) => playlist(at + 1))

/** The member's own playlists, and those that others share with them. */
const lists =
  (own: Playlist[], shared: Playlist[] = []) =>
  ({ query }: { query: Record<string, string> }) => ({
    data: query['scope'] === 'shared' ? shared : own,
    next_cursor: null,
  })

function open(path: string, changes: Answers = {}, isWide = true) {
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: isWide && media === breakpoints['--wide'],
    addEventListener() {},
    removeEventListener() {},
  }))
  const answers = {
    'GET /api/tracks': { data: [], next_cursor: null, total: 0 },
    'GET /api/categories': { data: [] },
    'GET /api/plays/recent': { data: [] },
    'GET /api/mixes': { data: [] },
    'GET /api/playlists': lists([playlist(1), playlist(2)]),
    ...changes,
  }
  return mountApp(path, answers, premium)
}

beforeEach(() => {
  localStorage.clear()
  useToasts.setState({ toasts: [] })
  usePlayer.setState(initialPlayerState, true)
  Element.prototype.scrollTo = () => {}
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const sidebar = () => screen.findByRole('complementary', { name: 'Your playlists' })

test('lists the playlists, marks the playing one and moves the focus by arrow keys', async () => {
  usePlayer.setState({ context: { kind: 'playlist', id: playlist(2).id } })
  const { user } = open('/browse')
  const found = within(await sidebar())
  const first = await found.findByRole('link', { name: /^Evening 1/ })
  expect(first.getAttribute('href')).toBe(`/my-playlists/${playlist(1).id}`)
  expect(found.getByRole('link', { name: /Evening 2.*current playlist/ })).toBeTruthy()
  expect(found.queryByLabelText('Search your playlists')).toBeNull()
  first.focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toContain('Evening 2')
})

test('is not rendered in narrow windows or on My Playlists', async () => {
  open('/browse', {}, false)
  await screen.findByRole('heading', { name: 'All Tracks' })
  expect(screen.queryByRole('complementary', { name: 'Your playlists' })).toBeNull()
  cleanup()
  open('/my-playlists')
  await screen.findByRole('heading', { name: 'My Playlists' })
  expect(screen.queryByRole('complementary', { name: 'Your playlists' })).toBeNull()
})

test('remembers whether it is collapsed', async () => {
  const { user } = open('/browse')
  await user.click(await screen.findByRole('button', { name: 'Collapse your playlists' }))
  const unfold = await screen.findByRole('button', { name: 'Expand your playlists' })
  expect(unfold.getAttribute('aria-expanded')).toBe('false')
  expect(localStorage.getItem('velour-playlists-folded')).toBe('yes')
  await user.click(unfold)
  expect(localStorage.getItem('velour-playlists-folded')).toBe('no')
})

test('has a search field when there are many playlists', async () => {
  const { user } = open('/browse', {
    'GET /api/playlists': ({ query }: { query: Record<string, string> }) => ({
      data: query['scope'] === 'shared' ? [] : query['q'] ? [playlist(7)] : many,
      next_cursor: null,
    }),
  })
  const found = within(await sidebar())
  await user.type(await found.findByLabelText('Search your playlists'), '7')
  await expect.poll(() => found.getAllByRole('link')).toHaveLength(1)
  expect(found.getByRole('link', { name: /^Evening 7/ })).toBeTruthy()
})

function dropOn(link: HTMLElement, trackIds: string[]) {
  const data = new Map([['application/x-velour-tracks', JSON.stringify(trackIds)]])
  const dataTransfer = {
    types: [...data.keys()],
    getData: (type: string) => data.get(type) ?? '',
  }
  fireEvent.dragOver(link.closest('li')!, { dataTransfer })
  fireEvent.drop(link.closest('li')!, { dataTransfer })
}

const smart = { ...playlist(3), is_smart: true }
const guest = { ...playlist(4), is_own: false, owner_name: 'Ada', shared_with: 2 }

test('marks smart playlists, and lists shared ones below', async () => {
  open('/browse', {
    'GET /api/playlists': lists(
      [smart, { ...playlist(1), shared_with: 1 }],
      [{ ...guest, role: 'editor' }],
    ),
  })
  const found = within(await sidebar())
  const own = within(await found.findByRole('list', { name: 'Created by you' }))
  expect(own.getByRole('link', { name: /Evening 3.*Smart · 3 tracks/ })).toBeTruthy()
  expect(own.getByRole('link', { name: /Evening 1.*Shared · 1 track/ })).toBeTruthy()
  const shared = within(found.getByRole('list', { name: 'Shared with you' }))
  expect(shared.getByRole('link', { name: /Evening 4.*Shared by Ada · 4 tracks/ })).toBeTruthy()
})

test.each([
  ['a smart playlist', [smart], [], /is filled by its rules/],
  ['one where the member only listens', [], [{ ...guest, role: 'viewer' as const }], /can listen/],
])('refuses tracks dropped on %s, with the reason', async (_, own, shared, reason) => {
  const { requests } = open('/browse', { 'GET /api/playlists': lists(own, shared) })
  dropOn(await within(await sidebar()).findByRole('link', { name: /^Evening/ }), ['a'])
  expect(useToasts.getState().toasts[0]?.message).toMatch(reason)
  expect(requests.filter(({ operation }) => !operation.startsWith('GET'))).toEqual([])
})

test('adds dropped tracks with one request', async () => {
  const { id } = playlist(1)
  const { requests } = open('/browse', { [`PATCH /api/playlists/${id}`]: playlist(1) })
  const link = await within(await sidebar()).findByRole('link', { name: /^Evening 1/ })
  dropOn(link, ['a', 'b'])
  await expect
    .poll(() => requests.find(({ operation }) => operation.startsWith('PATCH'))?.body)
    .toEqual({
      track_changes: [
        { action: 'add', track_id: 'a' },
        { action: 'add', track_id: 'b' },
      ],
    })
})
