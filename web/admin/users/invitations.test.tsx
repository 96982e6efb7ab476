// Tests invitations on the Users screen: sending them, and the actions on open ones.
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

async function unfold(user: ReturnType<typeof open>['user'], count: number) {
  await user.click(await screen.findByText(`Open invitations (${count})`))
}

async function openForm(user: ReturnType<typeof open>['user'], tab = 'Invite') {
  await user.click(await screen.findByRole('button', { name: 'Add User' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Add User' }))
  await user.click(dialog.getByRole('tab', { name: tab }))
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

test('shows at the email field why a person cannot be invited', async () => {
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

test('lists open invitations, resends one and revokes it', async () => {
  const { user, requests, answers } = open({
    [`GET ${list}`]: onePage([invitation]),
    [`POST ${list}/${invitation.id}/resend`]: invitation,
    [`DELETE ${list}/${invitation.id}`]: undefined,
  })
  await unfold(user, 1)
  const table = within(await screen.findByRole('table', { name: 'Open invitations' }))
  const row = within(table.getAllByRole('row')[1]!)
  expect(row.getByText('mia@example.com')).toBeDefined()
  expect(row.getByText('Editor, Premium')).toBeDefined()
  expect(row.getByRole('link', { name: 'Ada' })).toBeDefined()
  expect(row.getByText('Open')).toBeDefined()

  await user.click(row.getByRole('button', { name: 'Send Again to mia@example.com' }))
  await waitFor(() => expect(toasts()).toContain('Invitation sent again'))

  await user.click(row.getByRole('button', { name: 'Revoke the invitation for mia@example.com' }))
  const question = within(await screen.findByRole('alertdialog'))
  answers[`GET ${list}`] = onePage([])
  await user.click(question.getByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(toasts()).toContain('Invitation revoked'))
  expect(await screen.findByText('No open invitations.')).toBeDefined()
  const sent = requests.map(({ operation }) => operation).filter((name) => !name.startsWith('GET'))
  expect(sent).toEqual([`POST ${list}/${invitation.id}/resend`, `DELETE ${list}/${invitation.id}`])
})

test('offers only to revoke an invitation that is no longer valid', async () => {
  const rows = [{ ...invitation, state: 'void', invited_by: null }]
  const { user } = open({ [`GET ${list}`]: onePage(rows) })
  await unfold(user, 1)
  const resend = await screen.findByRole('button', { name: /^Send Again to/ })
  expect(resend.hasAttribute('disabled')).toBe(true)
  expect(screen.getByText('The sender is no longer an admin')).toBeDefined()
  expect(screen.getByText('Deleted account')).toBeDefined()
})

const row = { line: 2, email: 'ada@example.com', display_name: 'Ada', problem: null }

test('checks a list of people, marks invalid rows, and invites the others with one click', async () => {
  const { user, requests } = open({
    [`POST ${list}/preview`]: {
      rows: [
        row,
        { ...row, line: 3, email: 'oops', problem: 'invalid_address' },
        { ...row, line: 4, email: 'mia@example.com', problem: 'has_account' },
        { ...row, line: 5, email: 'ben@example.com', display_name: '' },
      ],
    },
    [`POST ${list}/batch`]: { invited: 2, skipped: 0 },
  })
  const dialog = await openForm(user, 'Invite Many')
  await user.click(dialog.getByRole('button', { name: 'Check List' }))
  expect(dialog.getByText('Please choose a file, or enter addresses.')).toBeDefined()
  const csv = 'email,name\nada@example.com,Ada'
  await user.upload(
    dialog.getByLabelText('File with people'),
    new File([csv], 'people.csv', { type: 'text/csv' }),
  )
  await waitFor(() => expect(dialog.getByLabelText<HTMLTextAreaElement>(/^People/).value).toBe(csv))
  await user.click(dialog.getByRole('button', { name: 'Check List' }))
  expect(await dialog.findByText(/2 people can be invited/)).toBeDefined()
  expect(dialog.getByRole('heading', { name: '2 rows are skipped' })).toBeDefined()
  const itemTexts = dialog.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(itemTexts).toEqual([
    'Line 3: oops is not an email address',
    'Line 4: mia@example.com already has an account',
  ])
  await user.selectOptions(dialog.getByLabelText('Plan'), 'comped')
  await user.click(dialog.getByRole('button', { name: 'Invite 2 People' }))
  await waitFor(() => expect(toasts()).toContain('2 people invited'))
  const posts = requests.filter(({ operation }) => operation.startsWith('POST'))
  expect(posts.map(({ body }) => body)).toEqual([
    { csv },
    {
      people: [
        { email: 'ada@example.com', display_name: 'Ada' },
        { email: 'ben@example.com', display_name: '' },
      ],
      role: 'member',
      subscription_tier: 'comped',
    },
  ])
})

test('disables the Invite button when no one in the list can be invited', async () => {
  const { user } = open({ [`POST ${list}/preview`]: { rows: [{ ...row, problem: 'repeated' }] } })
  const dialog = await openForm(user, 'Invite Many')
  await user.type(dialog.getByLabelText(/^People/), 'ada@example.com')
  await user.click(dialog.getByRole('button', { name: 'Check List' }))
  expect(await dialog.findByText(/No one in this list can be invited/)).toBeDefined()
  const invite = dialog.getByRole('button', { name: 'Invite 0 People' })
  expect(invite.hasAttribute('disabled')).toBe(true)
  await user.click(dialog.getByRole('button', { name: 'Change List' }))
  expect(dialog.getByLabelText<HTMLTextAreaElement>(/^People/).value).toBe('ada@example.com')
})

test('shows at its field why a list cannot be read', async () => {
  const text = 'A list can have at most 1,000 people. Split it.'
  const { user } = open({
    [`POST ${list}/preview`]: errorAnswer(400, 'invitation_list_too_long', text),
  })
  const dialog = await openForm(user, 'Invite Many')
  await user.type(dialog.getByLabelText(/^People/), 'ada@example.com')
  await user.click(dialog.getByRole('button', { name: 'Check List' }))
  expect(await dialog.findByText(text)).toBeDefined()
})
