import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useConfirmQuestion } from '../../base/api/confirm-again.ts'
import { admin, errorAnswer, mountApp, type Answers } from '../../testing/mount-app.tsx'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'

const person = {
  id: '0191a0c0-0000-7000-8000-0000000000bb',
  email: 'zoe@velour.test',
  display_name: 'Zoë',
  role: 'member',
  subscription_tier: 'free',
  subscription_status: 'inactive',
  created_at: '2026-11-20T10:00:00.000Z',
  deletion_requested_at: null,
}
const pagination = { page: 1, page_size: 20, total: 1, total_pages: 1 }
const remove = `DELETE /api/admin-users/${person.id}`
const confirm = 'POST /api/auth/confirmation'
const required = errorAnswer(403, 'reauthentication_required', 'Please confirm')
const words = 'The password is incorrect.'
const title = 'Confirm it’s you'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  useConfirmQuestion.getState().question?.answer(false)
  cleanup()
  vi.unstubAllGlobals()
})

const toasts = () =>
  useToasts.getState().toasts.map((toast) => [toast.title, toast.message].join(' | '))

/** Opens the list of users. Deleting a user is rejected until the correct password was entered. */
async function openUsers(member = admin, more: Answers = {}) {
  const app = mountApp(
    '/admin/users',
    {
      'GET /api/admin-users': { data: [person], pagination },
      'GET /api/auth/confirmation': required,
      [remove]: required,
      [confirm]: ({ body }: { body: { password?: string; code?: string } }) => {
        if (body.password === 'wrong') return errorAnswer(403, 'password_wrong', words)()
        app.answers[remove] = undefined
        app.answers['GET /api/auth/confirmation'] = { status: true }
        return { status: true }
      },
      ...more,
    },
    member,
  )
  await screen.findByRole('link', { name: person.email })
  const sent = (operation: string) =>
    app.requests.filter((request) => request.operation === operation)
  return { ...app, sent }
}
type Opened = Awaited<ReturnType<typeof openUsers>>

/** Clicks the button, because jsdom doesn't submit on Enter if the button is outside the form. */
async function submit({ user }: Pick<Opened, 'user'>, label: string, typed: string) {
  const dialog = within(screen.getByRole('dialog', { name: title }))
  await user.type(dialog.getByLabelText(label), typed)
  await user.click(dialog.getByRole('button', { name: 'Confirm' }))
}

async function clickDelete({ user }: Opened) {
  await user.click(screen.getByRole('button', { name: `Actions for ${person.email}` }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const question = within(await screen.findByRole('alertdialog'))
  await user.click(question.getByRole('button', { name: 'Delete' }))
  return within(await screen.findByRole('dialog', { name: title }))
}

test('sends the request again after the correct password', async () => {
  const opened = await openUsers()
  const dialog = await clickDelete(opened)
  const password = dialog.getByLabelText('Password')
  expect(password.getAttribute('autocomplete')).toBe('current-password')
  expect(document.activeElement).toBe(password)
  await submit(opened, 'Password', 'right')
  await waitFor(() => expect(toasts()).toContain('User deleted successfully | '))
  expect(opened.sent(remove)).toHaveLength(2)
  expect(opened.sent(confirm).map(({ body }) => body)).toEqual([{ password: 'right' }])
  expect(screen.queryByRole('dialog', { name: title })).toBeNull()
})

test('shows an error under the field for a wrong or missing password, and does not send the request again', async () => {
  const opened = await openUsers()
  const dialog = await clickDelete(opened)
  await opened.user.click(dialog.getByRole('button', { name: 'Confirm' }))
  expect(dialog.getByText('Please enter your password.').role).toBe('alert')
  await submit(opened, 'Password', 'wrong')
  expect((await dialog.findByText(words)).role).toBe('alert')
  expect(opened.sent(remove)).toHaveLength(1)
  expect(toasts()).toEqual([])
})

test('shows no toast after Cancel or Escape, and opens an empty dialog at the next attempt', async () => {
  const opened = await openUsers()
  const { user } = opened
  const dialog = await clickDelete(opened)
  await submit(opened, 'Password', 'wrong')
  await dialog.findByText(words)
  await user.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull())
  const question = within(screen.getByRole('alertdialog'))
  const button = question.getByRole('button', { name: 'Delete' })
  await waitFor(() => expect(document.activeElement).toBe(button))
  expect(toasts()).toEqual([])

  await user.click(button)
  const again = within(await screen.findByRole('dialog', { name: title }))
  expect(again.queryByText(words)).toBeNull()
  expect(again.getByLabelText<HTMLInputElement>('Password').value).toBe('')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull())
  expect(opened.sent(remove)).toHaveLength(2)
  expect(toasts()).toEqual([])
})

test('accepts a code instead of the password for an account with two-factor authentication', async () => {
  const opened = await openUsers({ ...admin, two_factor_enabled: true })
  const dialog = await clickDelete(opened)
  await opened.user.click(dialog.getByRole('button', { name: /^Use a code/ }))
  const code = dialog.getByLabelText('Authentication code')
  await waitFor(() => expect(document.activeElement).toBe(code))
  await submit(opened, 'Authentication code', '123 456')
  await waitFor(() => expect(toasts()).toContain('User deleted successfully | '))
  expect(opened.sent(confirm).map(({ body }) => body)).toEqual([{ code: '123 456' }])
})

test('asks for no code if the account has no two-factor authentication', async () => {
  const dialog = await clickDelete(await openUsers())
  expect(dialog.queryByRole('button', { name: /code/ })).toBeNull()
})

test('downloads an export only after re-authentication', async () => {
  const clicked: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    clicked.push(this.href)
  })
  const opened = await openUsers()
  const { user } = opened
  const exportAll = () => user.click(screen.getByRole('button', { name: 'Export CSV' }))
  await exportAll()
  const first = within(await screen.findByRole('dialog', { name: title }))
  await user.click(first.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull())
  expect([clicked, toasts()]).toEqual([[], []])
  await exportAll()
  await screen.findByRole('dialog', { name: title })
  await submit(opened, 'Password', 'right')
  await waitFor(() => expect(clicked).toHaveLength(1))
  expect(clicked[0]).toMatch(/\/api\/admin-users\/export\.csv/)
  click.mockRestore()
})

test('closes the dialog when the session ends', async () => {
  const opened = await openUsers()
  opened.answers[confirm] = errorAnswer(401, 'unauthenticated', 'Authentication required')
  await clickDelete(opened)
  opened.answers['GET /api/profile'] = { data: null }
  await submit(opened, 'Password', 'right')
  await screen.findByRole('heading', { name: 'Welcome Back' })
  expect(screen.queryByRole('dialog', { name: title })).toBeNull()
})
