import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { admin, errorAnswer, freeMember, mountApp, site } from '../../testing/mount-app.tsx'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const email = () => screen.findByRole('textbox', { name: 'Email' })
const password = () => screen.getByLabelText('Password')
const toast = (words: string) => waitFor(() => expect(toastWords()).toContain(words))
const toastWords = () =>
  useToasts.getState().toasts.map(({ title, message }) => [title, message].join(' | '))

test('shows a welcome and opens the home page after sign-in', async () => {
  const { user, router, answers, requests } = mountApp('/auth', {
    'POST /api/auth/sign-in/email': () => {
      answers['GET /api/profile'] = { data: freeMember }
      return { twoFactorRedirect: false }
    },
  })
  await user.type(await email(), 'ada@velour.test')
  await user.type(password(), 'correct horse{Enter}')
  await toast("Welcome back! | You've successfully signed in.")
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  expect(requests.find(({ operation }) => operation.endsWith('sign-in/email'))?.body).toMatchObject(
    {
      email: 'ada@velour.test',
      password: 'correct horse',
    },
  )
})

test("shows the server's message when sign-in is rejected", async () => {
  const { user } = mountApp('/auth', {
    'POST /api/auth/sign-in/email': errorAnswer(
      401,
      'unauthenticated',
      'Invalid email or password',
    ),
  })
  await user.type(await email(), 'ada@velour.test')
  await user.type(password(), 'wrong horse{Enter}')
  await toast('Error | Invalid email or password')
  expect(screen.getByRole('heading', { name: 'Welcome Back' })).toBeDefined()
})

test('shows errors for empty fields and focuses the first', async () => {
  const { user, requests } = mountApp('/auth')
  const field = await email()
  await user.click(screen.getByRole('button', { name: 'Sign In' }))
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(field)
  expect(screen.getByText('Please enter your password.')).toBeDefined()
  expect(requests.some(({ operation }) => operation.startsWith('POST'))).toBe(false)
})

test('returns to Sign In with the address filled in after sign-up', async () => {
  const { user } = mountApp('/auth', { 'POST /api/auth/sign-up/email': { confirmEmail: false } })
  await user.click(await screen.findByRole('button', { name: 'Create Account' }))
  expect(screen.getByRole('heading', { name: 'Create Account' })).toBeDefined()
  expect(document.activeElement?.textContent).toBe('Create Account')
  expect(screen.queryByText('Forgot password?')).toBeNull()
  await user.type(await email(), 'new@velour.test')
  await user.type(password(), 'long enough{Enter}')
  await toast('Success! | Account created successfully. You can now sign in.')
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeDefined()
  expect((await email()).getAttribute('value')).toBe('new@velour.test')
})

test("requires an email address for a password reset, then shows 'Check your email'", async () => {
  const { user, requests } = mountApp('/auth', {
    'POST /api/auth/request-password-reset': { status: true },
  })
  const forgot = await screen.findByRole('button', { name: 'Forgot password?' })
  await user.click(forgot)
  await toast('Email required | Please enter your email address first.')
  await user.type(await email(), 'ada@velour.test')
  await user.click(forgot)
  await toast("Check your email | We've sent you a password reset link.")
  expect(requests.at(-1)?.body).toEqual({ email: 'ada@velour.test', redirectTo: '/auth' })
})

test('sets a new password from the email link and removes the token from the URL', async () => {
  const { user, router, requests } = mountApp('/auth?token=secret', {
    'POST /api/auth/reset-password': { status: true },
  })
  await user.type(await screen.findByLabelText('New password'), 'long enough{Enter}')
  await toast('Password changed | You can now sign in with your new password.')
  expect(requests.at(-1)?.body).toEqual({ token: 'secret', newPassword: 'long enough' })
  await waitFor(() => expect(router.state.location.search).toBe(''))
})

test('shows the error for a rejected new password at its field', async () => {
  const text = 'This password is one of the most common ones.'
  const refuse = errorAnswer(400, 'password_too_common', text)
  const { user } = mountApp('/auth?token=secret', { 'POST /api/auth/reset-password': refuse })
  const field = await screen.findByLabelText('New password')
  await user.type(field, 'password1{Enter}')
  expect(await screen.findByText(text)).toBeDefined()
  expect(document.activeElement).toBe(field)
})

test('stays on sign-up and shows the error for a rejected password at its field', async () => {
  const text = 'This password is one of the most common ones.'
  const refuse = errorAnswer(400, 'password_too_common', text)
  const { user } = mountApp('/auth', { 'POST /api/auth/sign-up/email': refuse })
  await user.click(await screen.findByRole('button', { name: 'Create Account' }))
  await user.type(screen.getByLabelText('Email'), 'mia@example.com')
  const field = screen.getByLabelText(/^Password/)
  await user.type(field, 'password1{Enter}')
  expect(await screen.findByText(text)).toBeDefined()
  expect(document.activeElement).toBe(field)
})

test('redirects a signed-in user to the home page', async () => {
  const { router } = mountApp('/auth', {}, freeMember)
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
})

test('signs in with a demo account by one click', async () => {
  const { user, requests } = mountApp('/auth', {
    'GET /api/site': {
      ...site,
      demo: {
        accounts: [{ email: 'premium@velour.test', label: 'Premium' }],
        password: 'velour-demo',
        tracks_ready: 1,
        tracks_total: 1,
      },
    },
    'POST /api/auth/sign-in/email': { twoFactorRedirect: false },
  })
  await user.click(await screen.findByRole('button', { name: 'Premium' }))
  await waitFor(() =>
    expect(
      requests.find(({ operation }) => operation.endsWith('sign-in/email'))?.body,
    ).toMatchObject({ email: 'premium@velour.test', password: 'velour-demo' }),
  )
})

test('requires a second factor after the password and accepts a recovery code', async () => {
  const { user, router, answers, requests } = mountApp('/auth', {
    'POST /api/auth/sign-in/email': { twoFactorRedirect: true },
    'POST /api/auth/two-factor/verify-totp': errorAnswer(401, 'two_factor_invalid', 'Wrong code'),
    'POST /api/auth/two-factor/verify-backup-code': () => {
      answers['GET /api/profile'] = { data: freeMember }
      return { status: true }
    },
  })
  await user.type(await email(), 'ada@velour.test')
  await user.type(password(), 'correct horse{Enter}')
  await user.type(await screen.findByLabelText('Authentication code'), '123456{Enter}')
  expect((await screen.findByText('Wrong code')).role).toBe('alert')
  await user.click(screen.getByRole('button', { name: 'Use a recovery code instead' }))
  await user.type(screen.getByLabelText('Recovery code'), 'abcde-fghij{Enter}')
  await toast("Welcome back! | You've successfully signed in.")
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  expect(requests).toContainEqual({
    operation: 'POST /api/auth/two-factor/verify-backup-code',
    query: {},
    body: { code: 'abcde-fghij' },
  })
})

test('returns to the first step when the second step has expired', async () => {
  const { user } = mountApp('/auth', {
    'POST /api/auth/sign-in/email': { twoFactorRedirect: true },
    'POST /api/auth/two-factor/verify-totp': errorAnswer(401, 'two_factor_expired', 'Too long'),
  })
  await user.type(await email(), 'ada@velour.test')
  await user.type(password(), 'correct horse{Enter}')
  await user.type(await screen.findByLabelText('Authentication code'), '123456{Enter}')
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeDefined()
  await toast('Error | Too long')
})

test('shows the outcome of a confirmation link once', async () => {
  const { router } = mountApp('/auth?confirmed=true')
  await toast('Email confirmed | You can now sign in.')
  await waitFor(() => expect(router.state.location.search).toBe(''))
})

const next = '/browse?q=night&x=1#row'
const authPath = `/auth?${new URLSearchParams({ next })}`
const signedIn = { 'GET /api/profile': { data: freeMember } }
const place = (router: ReturnType<typeof mountApp>['router']) => {
  const { pathname, search, hash } = router.state.location
  return `${pathname}${search}${hash}`
}

test('returns to the page that required sign-in, with its query and hash', async () => {
  const { user, router, answers } = mountApp(authPath, {
    'POST /api/auth/sign-in/email': () => {
      Object.assign(answers, signedIn)
      return { twoFactorRedirect: false }
    },
  })
  await user.type(await email(), 'ada@velour.test')
  await user.type(password(), 'correct horse{Enter}')
  await waitFor(() => expect(place(router)).toBe(next))
})

test('returns to the page that required sign-in after the second factor', async () => {
  const { user, router, answers } = mountApp(authPath, {
    'POST /api/auth/sign-in/email': { twoFactorRedirect: true },
    'POST /api/auth/two-factor/verify-totp': () => {
      Object.assign(answers, signedIn)
      return { status: true }
    },
  })
  await user.type(await email(), 'ada@velour.test')
  await user.type(password(), 'correct horse{Enter}')
  await user.type(await screen.findByLabelText('Authentication code'), '123456{Enter}')
  await waitFor(() => expect(place(router)).toBe(next))
})

test('passes the return path to the sign-up and password reset requests', async () => {
  const { user, router, requests } = mountApp(authPath, {
    'POST /api/auth/sign-up/email': { confirmEmail: true },
    'POST /api/auth/request-password-reset': { status: true },
  })
  await user.click(await screen.findByRole('button', { name: 'Create Account' }))
  await user.type(await email(), 'new@velour.test')
  await user.type(password(), 'long enough{Enter}')
  await screen.findByRole('heading', { name: 'Welcome Back' })
  expect(requests.at(-1)?.body).toMatchObject({ redirectTo: next })
  expect(place(router)).toBe(authPath)
  await user.click(screen.getByRole('button', { name: 'Forgot password?' }))
  await toast("Check your email | We've sent you a password reset link.")
  expect(requests.at(-1)?.body).toEqual({ email: 'new@velour.test', redirectTo: next })
})

test('keeps the return path on the sign-in screen after a new password was set', async () => {
  const { user, router } = mountApp(`${authPath}&token=secret`, {
    'POST /api/auth/reset-password': { status: true },
  })
  await user.type(await screen.findByLabelText('New password'), 'long enough{Enter}')
  await waitFor(() => expect(place(router)).toBe(authPath))
})

test('keeps the return path on the sign-in screen after an email confirmation', async () => {
  const { router } = mountApp(`${authPath}&confirmed=true`)
  await toast('Email confirmed | You can now sign in.')
  await waitFor(() => expect(place(router)).toBe(authPath))
})

test('redirects to the return path after an email confirmation when there is a session', async () => {
  const { router } = mountApp('/nowhere', {}, freeMember)
  await screen.findByRole('heading', { name: 'Oops! Page not found' })
  await router.navigate('/auth?next=%2Felsewhere&confirmed=true')
  await toast('Email confirmed | You can now sign in.')
  await waitFor(() => expect(place(router)).toBe('/elsewhere'))
})

test('redirects a signed-in user to the return path immediately', async () => {
  const { router } = mountApp(authPath, {}, freeMember)
  await waitFor(() => expect(place(router)).toBe(next))
})

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/auth?next=/browse'])(
  'opens the home page when the return path is %s',
  async (hostile) => {
    const { router } = mountApp(`/auth?${new URLSearchParams({ next: hostile })}`, {}, freeMember)
    await waitFor(() => expect(place(router)).toBe('/'))
  },
)

test('sets the return path when a member screen redirects to sign-in', async () => {
  const { router } = mountApp(next)
  await waitFor(() => expect(place(router)).toBe(authPath))
})

test('does not return to the back office after signing out there', async () => {
  const { user, router, answers } = mountApp(
    '/admin/genres',
    {
      'POST /api/auth/sign-out': () => {
        answers['GET /api/profile'] = { data: null }
        return { success: true }
      },
    },
    admin,
  )
  await user.click(await screen.findByRole('button', { name: 'Sign out' }))
  await screen.findByRole('heading', { name: 'Welcome Back' })
  expect(place(router)).toBe('/auth')
})
