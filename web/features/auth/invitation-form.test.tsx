// The screen behind an invitation link.
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { errorAnswer, freeMember, mountApp } from '../../testing/mount-app.tsx'

const open = 'POST /api/auth/invitations/open'
const accept = 'POST /api/auth/invitations/accept'
const token = 'a-token-of-sufficient-length'
const address = `/auth#invitation=${token}`
const invitation = { email: 'mia@example.com', display_name: 'Mia', role: 'member' }

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const toasts = () => useToasts.getState().toasts.map(({ title }) => title)

test('creates the account with name and password, signs in and opens the home page', async () => {
  const { user, router, answers, requests } = mountApp(address, {
    [open]: invitation,
    [accept]: () => {
      answers['GET /api/profile'] = { data: freeMember }
      return { status: true }
    },
  })
  expect(await screen.findByRole('heading', { name: 'Join Velour' })).toBeDefined()
  expect(screen.getByLabelText('Email').getAttribute('value')).toBe('mia@example.com')
  const name = screen.getByLabelText(/^Name/)
  expect(name.getAttribute('value')).toBe('Mia')
  await user.type(name, ' M.')
  await user.type(screen.getByLabelText('Password'), 'a quiet blue morning{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  expect(router.state.location.hash).toBe('')
  expect(toasts()).toContain('Welcome to Velour')
  expect(requests.find(({ operation }) => operation === accept)?.body).toEqual({
    token,
    name: 'Mia M.',
    password: 'a quiet blue morning',
  })
})

test('requires 12 characters for an admin, and shows the error for a rejected password at its field', async () => {
  const text = 'This password is one of the most common ones.'
  const { user, requests } = mountApp(address, {
    [open]: { ...invitation, role: 'admin' },
    [accept]: errorAnswer(400, 'password_too_common', text),
  })
  const password = await screen.findByLabelText('Password')
  await user.type(password, 'eleven char{Enter}')
  expect(screen.getByText('Please use at least 12 characters.')).toBeDefined()
  expect(requests.some(({ operation }) => operation === accept)).toBe(false)
  await user.type(password, 's now{Enter}')
  expect(await screen.findByText(text)).toBeDefined()
  expect(document.activeElement).toBe(password)
})

test.each([
  ['invitation_invalid', 404, 'This invitation does not work'],
  ['email_exists', 409, 'You have an account'],
] as const)('shows what to do after %s, and links to sign-in', async (code, status, title) => {
  const { user } = mountApp(address, { [open]: errorAnswer(status, code, 'No.') })
  expect(await screen.findByRole('heading', { name: title })).toBeDefined()
  await user.click(screen.getByRole('link', { name: 'Go to Sign In' }))
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeDefined()
})

test('asks a signed-in user to sign out before accepting an invitation', async () => {
  const { user, answers } = mountApp(
    address,
    {
      [open]: invitation,
      'POST /api/auth/sign-out': () => {
        answers['GET /api/profile'] = { data: null }
        return { success: true }
      },
    },
    freeMember,
  )
  expect(await screen.findByText(/You are signed in as/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Sign Out' }))
  expect(await screen.findByRole('heading', { name: 'Join Velour' })).toBeDefined()
})
