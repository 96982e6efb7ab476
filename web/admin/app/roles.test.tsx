import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { freeMember, mountApp } from '../../testing/mount-app.tsx'

const none = { data: [], pagination: { page: 1, page_size: 50, total: 0, total_pages: 1 } }
const answers = {
  'GET /api/admin-tracks': none,
  'GET /api/admin-categories': { data: [] },
  'GET /api/admin-genres': { data: [] },
  'GET /api/own-reviews': { ...none, new_count: 0 },
}
const editor = { ...freeMember, role: 'editor' as const }
const creator = { ...freeMember, role: 'creator' as const }

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const entries = () =>
  [...screen.getAllByRole('navigation', { name: 'Admin' })[0]!.querySelectorAll('a')].map((link) =>
    link.getAttribute('aria-label'),
  )

test('shows an editor only the catalogue screens in the sidebar', async () => {
  mountApp('/admin/library', answers, editor)
  await screen.findByRole('heading', { name: 'Track Library' })
  expect(entries()).toEqual([
    'Library',
    'Categories',
    'Releases',
    'Playlists',
    'Tracks',
    'Artists',
    'Genres',
    'Reviews',
  ])
})

test('shows a creator their tracks, releases, reviews and statistics, but no archive import', async () => {
  mountApp('/admin/tracks', answers, creator)
  await screen.findByRole('heading', { name: /Tracks/ })
  expect(entries()).toEqual(['Releases', 'Tracks', 'Reviews', 'Statistics'])
  expect(screen.queryByRole('link', { name: 'Import and export' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Bulk upload' })).toBeTruthy()
})

test.each([
  ['an editor', editor, '/admin/users', 'Go to Catalogue'],
  ['an editor', editor, '/admin/royalties', 'Go to Catalogue'],
  ['a creator', creator, '/admin/library', 'Go to My Tracks'],
  ['a creator', creator, '/admin/billing', 'Go to My Tracks'],
])(
  'shows %s that they have no access to the screen, and does not load the screen',
  async (_, person, path, way) => {
    const { router } = mountApp(path, answers, person)
    await screen.findByText('You don’t have access to this screen')
    expect(router.state.location.pathname).toBe(path)
    expect(screen.getByRole('link', { name: way })).toBeTruthy()
  },
)

test.each([
  ['an editor', editor, '/admin/library'],
  ['a creator', creator, '/admin/tracks'],
])('opens the first screen that %s has access to', async (_, person, path) => {
  const { router } = mountApp('/admin', answers, person)
  await waitFor(() => expect(router.state.location.pathname).toBe(path))
})

test('notifies a creator on every screen when their drafts are published or returned', async () => {
  const review = {
    id: '0191a0c0-0000-7000-8000-000000000001',
    kind: 'track',
    item_id: '0191a0c0-0000-7000-8000-000000000002',
    title: 'Night Rain',
    note: '',
    state: 'returned',
    answer: 'Too loud',
    submitted_at: '2026-11-20T10:00:00.000Z',
    decided_at: '2026-11-21T10:00:00.000Z',
    is_new: true,
  }
  const own = {
    data: [review],
    pagination: { page: 1, page_size: 20, total: 1, total_pages: 1 },
    new_count: 1,
  }
  mountApp('/admin/tracks', { ...answers, 'GET /api/own-reviews': own }, creator)
  expect(await screen.findByText(/“Night Rain” was returned with a note/)).toBeTruthy()
})
