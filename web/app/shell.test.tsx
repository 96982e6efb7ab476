import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { admin, freeMember, mountApp, site } from '../testing/mount-app.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const navigation = () => screen.findByRole('navigation', { name: 'Main' })

test('shows visitors the brand and Sign In', async () => {
  mountApp('/nowhere')
  const links = within(await navigation()).getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Sign In', '/auth'],
  ])
  expect(screen.getByRole('link', { name: 'Velour' }).getAttribute('href')).toBe('/')
})

test('shows members links to their screens and the profile, and Logout, but no Admin link', async () => {
  mountApp('/nowhere', {}, freeMember)
  const main = within(await navigation())
  const names = main.getAllByRole('link').map((link) => link.textContent || link.ariaLabel)
  expect(names).toEqual(['Browse', 'My Playlists', 'Subscribe', 'Profile'])
  expect(main.getByRole('button', { name: 'Logout' })).toBeDefined()
})

test('shows admins an Admin link', async () => {
  mountApp('/nowhere', {}, admin)
  const link = within(await navigation()).getByRole('link', { name: 'Admin' })
  expect(link.getAttribute('href')).toBe('/admin/library')
})

test('shows the same links plus Profile and Logout in the drawer', async () => {
  const { user } = mountApp('/nowhere', {}, freeMember)
  await navigation()
  await user.click(screen.getByRole('button', { name: 'Menu' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Velour' }))
  expect(drawer.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'Browse',
    'My Playlists',
    'Subscribe',
    'Profile',
  ])
  expect(drawer.getByRole('button', { name: 'Logout' })).toBeDefined()
})

test('signs out and shows the landing page when Logout is clicked', async () => {
  const { user, router, requests, answers } = mountApp(
    '/nowhere',
    {
      'POST /api/auth/sign-out': () => {
        answers['GET /api/profile'] = { data: null }
        return { success: true }
      },
    },
    freeMember,
  )
  await user.click(within(await navigation()).getByRole('button', { name: 'Logout' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  expect(await screen.findByRole('link', { name: 'Sign In' })).toBeDefined()
  expect(requests.some(({ operation }) => operation === 'POST /api/auth/sign-out')).toBe(true)
})

test('shows a not-found screen and reports it to the server', async () => {
  const { requests } = mountApp('/nowhere')
  expect(await screen.findByRole('heading', { name: 'Oops! Page not found' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/')
  await waitFor(() =>
    expect(requests).toContainEqual({
      operation: 'POST /api/not-found-visits',
      query: {},
      body: { path: '/nowhere' },
    }),
  )
})

test('sets the window title, moves the focus and announces the screen on navigation', async () => {
  const { user } = mountApp('/nowhere')
  await user.click(await screen.findByRole('link', { name: 'Return to Home' }))
  await screen.findByRole('heading', { name: 'Smooth sounds, made for your moments.' })
  // Wait for the title, because it is set shortly after the heading is rendered.
  await waitFor(() => {
    expect(document.title).toBe('Velour · Smooth sounds, made for your moments.')
    expect(document.activeElement?.id).toBe('main')
  })
  const announcement = await screen.findByText('Velour · Smooth sounds, made for your moments.')
  expect(announcement.role).toBe('status')
})

const closed = { 'GET /api/site': { ...site, maintenance_mode: true } }

test('shows the maintenance screen to members', async () => {
  mountApp('/', closed, freeMember)
  expect(await screen.findByText('We are making things better')).toBeDefined()
})

test('keeps sign-in available during maintenance', async () => {
  mountApp('/auth', closed)
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeDefined()
})

test('lets admins in during maintenance', async () => {
  const waiting = () => new Promise(() => {})
  mountApp('/', { ...closed, 'GET /api/admin-overview': waiting }, admin)
  await screen.findByRole('heading', { name: site.tagline })
  expect(screen.queryByText('We are making things better')).toBeNull()
})
