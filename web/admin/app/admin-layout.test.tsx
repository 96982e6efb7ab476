import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { admin, freeMember, mountApp } from '../../testing/mount-app.tsx'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'

const noTracks = {
  'GET /api/admin-tracks': {
    data: [],
    pagination: { page: 1, page_size: 50, total: 0, total_pages: 1 },
  },
}
const toastTexts = () =>
  useToasts.getState().toasts.map(({ title, message }) => [title, message].join(' | '))

beforeEach(() => {
  useToasts.setState({ toasts: [] })
  document.cookie = 'sidebar_state=; path=/; max-age=0'
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('redirects a signed-out visitor to the sign-in screen', async () => {
  const { router } = mountApp('/admin/users')
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
})

test('redirects a member to the home page with the toast "Access Denied"', async () => {
  const { router } = mountApp('/admin/users', {}, freeMember)
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  expect(toastTexts()).toContain('Access Denied | You must be an admin to access this page.')
})

test('shows the sidebar with the overview first, and no site header', async () => {
  const { router } = mountApp('/admin/library', noTracks, admin)
  await screen.findByRole('heading', { name: 'Track Library' })
  expect(router.state.location.pathname).toBe('/admin/library')
  const labels = screen
    .getAllByRole('link')
    .map((link) => link.getAttribute('aria-label') ?? link.textContent)
  expect(labels).toEqual([
    'Skip to content',
    'Overview',
    'Library',
    'Insights',
    'Categories',
    'Releases',
    'Playlists',
    'Tracks',
    'Artists',
    'Genres',
    'Reviews',
    'Users',
    'Billing',
    'Royalties',
    'Announcements',
    'Messages',
    'Spots',
    'Settings',
    'Webhooks',
    'Audit Log',
    'System',
    'Browse',
    'My Playlists',
    'Subscribe',
    'Admin',
    'Profile',
    'Bulk upload',
    'Import and export',
  ])
})

test('collapses the sidebar with Ctrl+B, and keeps it collapsed on the next visit', async () => {
  const { user } = mountApp('/admin/library', noTracks, admin)
  const toggle = await screen.findByRole('button', { name: 'Toggle sidebar' })
  expect(toggle.getAttribute('aria-expanded')).toBe('true')
  await user.keyboard('{Control>}b{/Control}')
  expect(toggle.getAttribute('aria-expanded')).toBe('false')
  cleanup()
  mountApp('/admin/library', noTracks, admin)
  const again = await screen.findByRole('button', { name: 'Toggle sidebar' })
  expect(again.getAttribute('aria-expanded')).toBe('false')
})

test('redirects to the sign-in screen after a sign-out', async () => {
  const { user, router, answers } = mountApp(
    '/admin/library',
    {
      ...noTracks,
      'POST /api/auth/sign-out': () => {
        answers['GET /api/profile'] = { data: null }
        return { success: true }
      },
    },
    admin,
  )
  await user.click(await screen.findByRole('button', { name: 'Sign out' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
})
