// Tests the dialog that ends the demo.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { admin, errorAnswer, mountApp, site } from '../../testing/mount-app.tsx'

const leave = 'POST /api/admin-demo/leave'
const signIn = 'POST /api/auth/sign-in/email'
const demo = {
  accounts: [{ email: 'admin@velour.test', label: 'Admin' }],
  password: 'velour-demo',
  tracks_ready: 20,
  tracks_total: 20,
}
const answers = {
  'GET /api/site': { ...site, demo },
  'GET /api/admin-demo': { is_on: true, own_admins: [] as string[] },
  'GET /api/admin-system': errorAnswer(503, 'unavailable', 'Not now.'),
  'GET /api/admin-overview': errorAnswer(503, 'unavailable', 'Not now.'),
}

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function openDialog({ user }: Pick<ReturnType<typeof mountApp>, 'user'>) {
  await user.click(await screen.findByRole('button', { name: 'Leave the Demo' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave the demo' }))
  return {
    dialog,
    submit: () => user.click(dialog.getByRole('button', { name: 'Leave the Demo' })),
  }
}

test("creates the owner's account, signs in to it, and opens the overview", async () => {
  const app = mountApp(
    '/admin/system',
    {
      ...answers,
      [leave]: () => {
        app.answers['GET /api/site'] = site
        return { closed: ['admin@velour.test'] }
      },
      [signIn]: { twoFactorRedirect: false },
    },
    admin,
  )
  const { dialog, submit } = await openDialog(app)
  await app.user.type(await dialog.findByLabelText('Email'), ' owner@example.com ')
  await app.user.type(dialog.getByLabelText('Password'), 'a quiet blue morning')
  await submit()
  await waitFor(() => expect(app.router.state.location.pathname).toBe('/admin'))
  const owner = { email: 'owner@example.com', password: 'a quiet blue morning' }
  const getBody = (name: string) => app.requests.find(({ operation }) => operation === name)?.body
  expect(getBody(leave)).toEqual({ owner })
  expect(getBody(signIn)).toEqual(owner)
  expect(useToasts.getState().toasts.map(({ title }) => title)).toContain('You left the demo')
  await waitFor(() => expect(screen.queryByText(/The demo is on/)).toBeNull())
})

test('shows which fields are missing, and shows a rejected email address at its field', async () => {
  const text = 'An account with this email already exists.'
  const app = mountApp(
    '/admin',
    { ...answers, [leave]: errorAnswer(409, 'email_exists', text) },
    admin,
  )
  const { dialog, submit } = await openDialog(app)
  await app.user.type(await dialog.findByLabelText('Password'), 'eleven char')
  await submit()
  expect(dialog.getByText('Please enter your email address.')).toBeDefined()
  expect(dialog.getByText('Please use at least 12 characters.')).toBeDefined()
  expect(app.requests.some(({ operation }) => operation === leave)).toBe(false)
  await app.user.type(dialog.getByLabelText('Email'), 'free@velour.test')
  await app.user.type(dialog.getByLabelText('Password'), ' and more')
  await submit()
  expect(await dialog.findByText(text)).toBeDefined()
})

test('asks for no new account when another admin remains', async () => {
  const app = mountApp(
    '/admin/system',
    {
      ...answers,
      'GET /api/admin-demo': { is_on: true, own_admins: ['owner@example.com'] },
      [leave]: { closed: ['admin@velour.test'] },
    },
    admin,
  )
  const { dialog, submit } = await openDialog(app)
  expect(await dialog.findByText('owner@example.com')).toBeDefined()
  expect(dialog.queryByLabelText('Email')).toBeNull()
  await submit()
  await waitFor(() =>
    expect(app.requests.find(({ operation }) => operation === leave)?.body).toEqual({
      owner: null,
    }),
  )
  expect(app.requests.some(({ operation }) => operation === signIn)).toBe(false)
})

test('shows an error with a retry button when the remaining admins fail to load', async () => {
  const app = mountApp(
    '/admin/system',
    { ...answers, 'GET /api/admin-demo': errorAnswer(500, 'internal', 'Something went wrong.') },
    admin,
  )
  const { dialog } = await openDialog(app)
  const retry = await dialog.findByRole('button', { name: 'Retry' }, { timeout: 5000 })
  app.answers['GET /api/admin-demo'] = answers['GET /api/admin-demo']
  await app.user.click(retry)
  expect(await dialog.findByLabelText('Email')).toBeDefined()
})
