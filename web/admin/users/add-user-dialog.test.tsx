import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { admin, errorAnswer, mountApp } from '../../testing/mount-app.tsx'

const nobody = { data: [], pagination: { page: 1, page_size: 20, total: 0, total_pages: 0 } }

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

test('asks before closing a form with input, and restores the input without the password', async () => {
  const { user } = mountApp('/admin/users', { 'GET /api/admin-users': nobody }, admin)
  await user.click(await screen.findByRole('button', { name: 'Add User' }))
  const dialog = () => within(screen.getByRole('dialog', { name: 'Add User' }))
  await user.type(dialog().getByLabelText(/^Email/), 'ada@example.com')
  await user.type(dialog().getByLabelText(/^Password/), 'a-long-password')
  await user.click(dialog().getByRole('button', { name: 'Cancel' }))
  const question = within(await screen.findByRole('alertdialog'))
  expect(question.getByText(/the new user/)).toBeDefined()
  await user.click(question.getByRole('button', { name: 'Leave' }))

  await user.click(await screen.findByRole('button', { name: 'Add User' }))
  expect(await screen.findByText(/Restored your unsaved changes/)).toBeDefined()
  expect(
    dialog()
      .getByLabelText(/^Email/)
      .getAttribute('value'),
  ).toBe('ada@example.com')
  expect(
    dialog()
      .getByLabelText(/^Password/)
      .getAttribute('value'),
  ).toBe('')
  expect(JSON.stringify({ ...localStorage })).not.toContain('a-long-password')
})

test('requires 12 characters for the password of an admin, and shows a rejected password at its field', async () => {
  const text = 'This password is one of the most common ones.'
  const { user, requests } = mountApp(
    '/admin/users',
    {
      'GET /api/admin-users': nobody,
      'POST /api/admin-users': errorAnswer(400, 'password_too_common', text),
    },
    admin,
  )
  await user.click(await screen.findByRole('button', { name: 'Add User' }))
  const dialog = within(screen.getByRole('dialog', { name: 'Add User' }))
  await user.type(dialog.getByLabelText(/^Email/), 'ada@example.com')
  const password = dialog.getByLabelText(/^Password/)
  await user.type(password, 'eleven char')
  await user.selectOptions(dialog.getByLabelText('Role'), 'admin')
  expect(dialog.getByText('At least 12 characters.')).toBeDefined()
  const create = dialog.getByRole('button', { name: 'Create User' })
  await user.click(create)
  expect(dialog.getByText('Please use 12 to 128 characters.')).toBeDefined()
  expect(requests.some(({ operation }) => operation === 'POST /api/admin-users')).toBe(false)
  await user.clear(password)
  await user.type(password, 'password1234')
  await user.click(create)
  expect(await dialog.findByText(text)).toBeDefined()
  expect(document.activeElement).toBe(password)
})
