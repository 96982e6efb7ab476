import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { admin, errorAnswer, mountApp } from '../../testing/mount-app.tsx'
import { settings } from '../../testing/settings-fixture.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'

const blocked = { ...admin, second_factor_required: true }
const nobody = { data: [], pagination: { page: 1, page_size: 20, total: 0, total_pages: 0 } }
const required = errorAnswer(403, 'second_factor_required', 'Two-factor')

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('replaces the screen until two-factor is set up', async () => {
  const { user, answers, router } = mountApp(
    '/admin/users?q=zoe',
    {
      'GET /api/admin-users': required,
      'POST /api/auth/two-factor/enable': {
        totpURI: 'otpauth://totp/Velour:ada@velour.test?secret=ABCDEFGH234567XY&issuer=Velour',
        backupCodes: ['aaaaa-bbbbb'],
      },
      'POST /api/auth/two-factor/verify-totp': () => {
        answers['GET /api/profile'] = { data: { ...admin, two_factor_enabled: true } }
        answers['GET /api/admin-users'] = nobody
        return { status: true }
      },
    },
    blocked,
  )
  await screen.findByRole('heading', { name: 'Admins need two-factor authentication' })
  expect(screen.queryByRole('heading', { name: 'User Management' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Set Up Two-Factor' }))
  await user.type(await screen.findByLabelText('Password'), 'right{Enter}')
  await user.type(await screen.findByLabelText('Authentication code'), '123456{Enter}')
  // The recovery codes are shown only once, so the page stays until they are saved.
  expect(await screen.findByText('aaaaa-bbbbb')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'I Have Saved Them' }))
  await screen.findByRole('heading', { name: 'User Management' })
  expect(router.state.location.search).toBe('?q=zoe')
})

test('requires a confirmed address first, and sends a link that returns here', async () => {
  const { user, requests } = mountApp(
    '/admin/users',
    { 'POST /api/auth/send-verification-email': { status: true } },
    { ...blocked, email_verified: false },
  )
  await user.click(await screen.findByRole('button', { name: 'Send Confirmation Link' }))
  await waitFor(() => expect(requests.at(-1)?.body).toEqual({ redirectTo: '/admin/users' }))
})

test('appears without an error message when another admin turns the setting on', async () => {
  const { user, answers } = mountApp('/admin/users', { 'GET /api/admin-users': nobody }, admin)
  await screen.findByText('No users found')
  answers['GET /api/admin-users'] = required
  answers['GET /api/profile'] = { data: blocked }
  await user.type(screen.getByLabelText('Search by email or name'), 'zoe')
  await user.click(screen.getByRole('button', { name: 'Apply Filters' }))
  await screen.findByRole('heading', { name: 'Admins need two-factor authentication' })
  expect(useToasts.getState().toasts).toEqual([])
})

test("cannot turn the setting on without a second factor on the admin's own account", async () => {
  const answers = {
    'GET /api/admin-settings': settings,
    'GET /api/admin-settings/previews': { total: 0, stale: 0 },
  }
  const name = 'Two-Factor for Admins'
  mountApp('/admin/settings', answers, admin)
  const disabled = await screen.findByRole<HTMLInputElement>('switch', { name })
  expect(disabled.disabled).toBe(true)
  expect(screen.getByText(/set it up in your own profile/)).toBeDefined()
  cleanup()
  const saved = { ...settings, admins_need_two_factor: true, version: 2 }
  const { user, requests } = mountApp(
    '/admin/settings',
    { ...answers, 'POST /api/admin-settings': saved },
    { ...admin, two_factor_enabled: true },
  )
  await user.click(await screen.findByRole('switch', { name }))
  await user.click(screen.getByRole('button', { name: 'Save Settings' }))
  const request = () => requests.find(({ operation }) => operation === 'POST /api/admin-settings')
  await waitFor(() => expect(request()).toBeDefined())
  expect(request()?.body).toMatchObject({ settings: { admins_need_two_factor: true } })
  expect(within(document.body).queryByText(/in your own profile/)).toBeNull()
})
