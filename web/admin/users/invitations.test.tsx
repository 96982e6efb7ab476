// Invitations in the list of people: sending one, and what can be done with open ones.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Invitation } from '#contract/admin/admin-invitations.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { admin, errorAnswer, mountApp, onePage, type Answers } from '../../testing/mount-app.tsx'

const invitation: Invitation = {
  id: '0191a0c0-0000-7000-8000-0000000000cc',
  email: 'mia@example.com',
  display_name: 'Mia',
  role: 'editor',
  subscription_tier: 'premium',
  state: 'open',
  invited_by: { id: admin.id, email: admin.email, display_name: admin.display_name },
  created_at: '2026-11-25T10:00:00.000Z',
  sent_at: '2026-11-25T10:00:00.000Z',
  expires_at: '2026-12-02T10:00:00.000Z',
}
const list = '/api/admin-invitations'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const open = (answers: Answers = {}) =>
  mountApp('/admin/users', { 'GET /api/admin-users': onePage([]), ...answers }, admin)

const toasts = () => useToasts.getState().toasts.map(({ title, message }) => message ?? title)

async function openForm(user: ReturnType<typeof open>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Add User' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Add User' }))
  await user.click(dialog.getByRole('tab', { name: 'By invitation' }))
  return dialog
}

test('sends an invitation with a role and a plan', async () => {
  const { user, requests } = open({ [`POST ${list}`]: invitation })
  const dialog = await openForm(user)
  await user.type(dialog.getByLabelText(/^Email/), ' mia@example.com ')
  await user.type(dialog.getByLabelText(/^Display name/), 'Mia')
  await user.selectOptions(dialog.getByLabelText('Role'), 'editor')
  await user.selectOptions(dialog.getByLabelText('Plan'), 'premium')
  await user.click(dialog.getByRole('button', { name: 'Send Invitation' }))
  await waitFor(() => expect(toasts()).toContain('Invitation sent'))
  expect(requests.find(({ operation }) => operation === `POST ${list}`)?.body).toEqual({
    email: 'mia@example.com',
    display_name: 'Mia',
    role: 'editor',
    subscription_tier: 'premium',
  })
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add User' })).toBeNull())
})

test('shows at the address why it cannot be invited', async () => {
  const text = 'An account with this email already exists.'
  const { user, requests } = open({ [`POST ${list}`]: errorAnswer(409, 'email_exists', text) })
  const dialog = await openForm(user)
  const email = dialog.getByLabelText(/^Email/)
  await user.type(email, 'nobody')
  await user.click(dialog.getByRole('button', { name: 'Send Invitation' }))
  expect(dialog.getByText('Please enter a valid email address.')).toBeDefined()
  expect(requests.some(({ operation }) => operation === `POST ${list}`)).toBe(false)
  await user.type(email, '@example.com')
  await user.click(dialog.getByRole('button', { name: 'Send Invitation' }))
  expect(await dialog.findByText(text)).toBeDefined()
  expect(document.activeElement).toBe(email)
})

test('lists open invitations, sends one again and revokes it', async () => {
  const { user, requests, answers } = open({
    [`GET ${list}`]: onePage([invitation]),
    [`POST ${list}/${invitation.id}/resend`]: invitation,
    [`DELETE ${list}/${invitation.id}`]: undefined,
  })
  const table = within(await screen.findByRole('table', { name: 'Open invitations' }))
  const row = within(table.getAllByRole('row')[1]!)
  expect(row.getByText('mia@example.com')).toBeDefined()
  expect(row.getByText('Editor, Premium')).toBeDefined()
  expect(row.getByRole('link', { name: 'Ada' })).toBeDefined()
  expect(row.getByText('Open')).toBeDefined()

  await user.click(
    row.getByRole('button', { name: 'Send the invitation of mia@example.com again' }),
  )
  await waitFor(() => expect(toasts()).toContain('Invitation sent again'))

  await user.click(row.getByRole('button', { name: 'Revoke the invitation of mia@example.com' }))
  const question = within(await screen.findByRole('alertdialog'))
  answers[`GET ${list}`] = onePage([])
  await user.click(question.getByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(toasts()).toContain('Invitation revoked'))
  await waitFor(() => expect(screen.queryByText(/Open invitations/)).toBeNull())
  const sent = requests.map(({ operation }) => operation).filter((name) => !name.startsWith('GET'))
  expect(sent).toEqual([`POST ${list}/${invitation.id}/resend`, `DELETE ${list}/${invitation.id}`])
})

test('a void invitation can only be revoked', async () => {
  open({ [`GET ${list}`]: onePage([{ ...invitation, state: 'void', invited_by: null }]) })
  const resend = await screen.findByRole('button', { name: /^Send the invitation/ })
  expect(resend.hasAttribute('disabled')).toBe(true)
  expect(screen.getByText('Who sent it is no longer an admin')).toBeDefined()
  expect(screen.getByText('Deleted account')).toBeDefined()
})

test('many invitations stay folded', async () => {
  const rows = Array.from({ length: 6 }, (_, i) => ({
    ...invitation,
    id: invitation.id.replace(/cc$/, `0${i}`),
  }))
  const { user } = open({ [`GET ${list}`]: onePage(rows) })
  const summary = await screen.findByText('Open invitations (6)')
  const details = summary.closest('details')!
  expect(details.open).toBe(false)
  await user.click(summary)
  expect(details.open).toBe(true)
})
