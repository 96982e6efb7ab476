// The page behind the setup link that the server prints at startup.
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { errorAnswer, freeMember, mountApp, site } from '../../testing/mount-app.tsx'

const open = 'POST /api/setup/open'
const create = 'POST /api/setup'
const signIn = 'POST /api/auth/sign-in/email'
const getSite = 'GET /api/site'
const address = '/setup#the-code'
const done = errorAnswer(409, 'setup_done', 'This service has an owner already.')
const noOwner = { ...site, has_owner: false }

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const toasts = () => useToasts.getState().toasts.map(({ title }) => title)
const admin = { ...freeMember, role: 'admin' as const }
const overview = { 'GET /api/admin-overview': errorAnswer(503, 'unavailable', 'Not now.') }

async function fillIn({ user }: Pick<ReturnType<typeof mountApp>, 'user'>) {
  await user.type(await screen.findByLabelText(/^Name of the service/), 'Late Desk')
  await user.type(screen.getByLabelText('Email'), 'owner@example.com')
  await user.type(screen.getByLabelText('Password'), 'a quiet blue morning{Enter}')
}

test('creates the account, signs in and opens the back office', async () => {
  const app = mountApp(address, {
    ...overview,
    [getSite]: noOwner,
    [open]: { status: true },
    [create]: () => ({ status: true }),
    [signIn]: () => {
      app.answers['GET /api/profile'] = { data: admin }
      return { twoFactorRedirect: false }
    },
  })
  await fillIn(app)
  await waitFor(() => expect(app.router.state.location.pathname).toBe('/admin'))
  expect(app.router.state.location.hash).toBe('')
  expect(toasts()).toContain('Welcome to Late Desk')
  expect(app.requests.find(({ operation }) => operation === create)?.body).toEqual({
    code: 'the-code',
    brand_name: 'Late Desk',
    email: 'owner@example.com',
    password: 'a quiet blue morning',
  })
})

test('shows an error at each missing field, and sends no request', async () => {
  const { user, requests } = mountApp(address, { [open]: { status: true } })
  await user.type(await screen.findByLabelText('Password'), 'eleven char{Enter}')
  expect(screen.getByText('Please enter a name. You can change it later.')).toBeDefined()
  expect(screen.getByText('Please enter your email address.')).toBeDefined()
  expect(screen.getByText('Please use at least 12 characters.')).toBeDefined()
  expect(requests.some(({ operation }) => operation === create)).toBe(false)
})

test.each([
  ['password_too_common', 'This password is one of the most common ones.', 'Password'],
  ['email_exists', /This address already has an account here/, 'Email'],
])('shows %s at its field', async (code, text, label) => {
  const app = mountApp(address, {
    [open]: { status: true },
    [create]: errorAnswer(400, code, String(text)),
  })
  await fillIn(app)
  expect(await screen.findByText(text)).toBeDefined()
  expect(document.activeElement).toBe(screen.getByLabelText(label))
})

test('links to sign-in when someone else has created the owner account meanwhile', async () => {
  const app = mountApp(address, {
    [open]: { status: true },
    [create]: done,
  })
  await screen.findByLabelText('Email')
  app.answers[open] = done
  await fillIn(app)
  expect(await screen.findByRole('heading', { name: 'This service has an owner' })).toBeDefined()
  const link = screen.getByRole('link', { name: 'Go to Sign In' })
  expect(link.getAttribute('href')).toBe('/auth')
})

test('links to sign-in when the account was created but signing in failed', async () => {
  const app = mountApp(address, {
    [open]: { status: true },
    [create]: () => {
      app.answers[open] = done
      return { status: true }
    },
    [signIn]: errorAnswer(429, 'rate_limited', 'Too many tries.'),
  })
  await fillIn(app)
  expect(await screen.findByRole('heading', { name: 'This service has an owner' })).toBeDefined()
})

test.each([
  ['an admin exists', address, done, 'This service has an owner'],
  ['an admin exists, without a code', '/setup', done, 'This service has an owner'],
  [
    'the code is wrong',
    address,
    errorAnswer(403, 'setup_code_invalid', 'no'),
    'This link does not work',
  ],
])('explains the problem when %s', async (_, at, answer, title) => {
  mountApp(at, { [open]: answer })
  expect(await screen.findByRole('heading', { name: title })).toBeDefined()
  expect(screen.queryByLabelText('Password')).toBeNull()
})

test('explains where to find the link when the URL has no code', async () => {
  mountApp('/setup', { [getSite]: noOwner })
  expect(
    await screen.findByRole('heading', { name: 'This service has no owner yet' }),
  ).toBeDefined()
  expect(screen.getByText(/prints the link at every start/)).toBeDefined()
})

test('offers Retry when the check of the code failed', async () => {
  const { user, answers } = mountApp(address, {
    [open]: errorAnswer(429, 'rate_limited', 'Too many tries. Please wait a moment.'),
  })
  expect(await screen.findByText(/Too many tries/)).toBeDefined()
  answers[open] = { status: true }
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByLabelText('Password')).toBeDefined()
})

test('redirects admins to the back office', async () => {
  const { router } = mountApp(address, { ...overview, 'GET /api/profile': { data: admin } })
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin'))
})

test.each(['/', '/auth'])('shows at %s that there is no owner, but not the code', async (at) => {
  mountApp(at, { [getSite]: noOwner })
  const line = await screen.findByRole('complementary', { name: 'Set-up' })
  expect(line.textContent).toContain('This service has no owner yet.')
  expect(screen.getByRole('link', { name: 'Where is it?' }).getAttribute('href')).toBe('/setup')
})

test('shows visitors nothing about the setup once there is an owner', async () => {
  mountApp('/auth', {})
  await screen.findByLabelText('Password')
  expect(screen.queryByText(/no owner yet/)).toBeNull()
})
