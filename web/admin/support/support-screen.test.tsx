// Tests the Messages screen: the list of messages, and the request that sends a reply.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AdminThread, InboxRow } from '#contract/admin/service/admin-support.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { admin, errorAnswer, mountApp, onePage, type Answers } from '../../testing/mount-app.tsx'

const user = { id: '01a20306-0000-7000-8000-0000000000a0', email: 'ada@velour.test' }
const row: InboxRow = {
  id: '01a20306-0000-7000-8000-0000000000aa',
  subject: 'No sound',
  state: 'open',
  user: { ...user, display_name: 'Ada' },
  priority: 'yearly',
  excerpt: 'My phone is silent.',
  message_count: 1,
  waiting_since: '2026-11-25T10:00:00.000Z',
  last_message_at: '2026-11-25T10:00:00.000Z',
}
const thread: AdminThread = {
  id: row.id,
  subject: row.subject,
  state: row.state,
  user: row.user,
  priority: row.priority,
  messages: [
    {
      id: '01a20306-0000-7000-8000-0000000000ab',
      is_answer: false,
      text: 'My phone is silent, since yesterday.',
      created_at: '2026-11-25T10:00:00.000Z',
      admin_name: null,
    },
  ],
  last_message_at: row.last_message_at,
  created_at: row.last_message_at,
}
const one = `/api/admin-support/${row.id}`

beforeEach(() => {
  localStorage.clear()
  useToasts.setState({ toasts: [] })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(answers: Answers = {}, rows = [row]) {
  return mountApp(
    '/admin/support',
    {
      'GET /api/admin-support': { ...onePage(rows), open_count: rows.length },
      [`GET ${one}`]: thread,
      ...answers,
    },
    admin,
  )
}

test("lists messages with the sender's plan", async () => {
  open()
  const line = within(await screen.findByRole('row', { name: /No sound/ }))
  expect(line.getByText('Yearly')).toBeTruthy()
  expect(line.getByRole('link', { name: 'Ada' }).getAttribute('href')).toContain(user.id)
  expect(screen.getByText('1 message open')).toBeTruthy()
})

test('replies to a message', async () => {
  const { user: person, requests } = open({
    [`POST ${one}/answers`]: { ...thread, state: 'answered' },
  })
  await person.click(await screen.findByRole('button', { name: 'No sound' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('My phone is silent, since yesterday.')).toBeTruthy()
  await person.click(dialog.getByRole('button', { name: 'Send Reply' }))
  expect(dialog.getByText('Please enter a reply')).toBeTruthy()
  await person.type(dialog.getByLabelText('Reply'), 'Please update.')
  await person.click(dialog.getByLabelText('Close the message with this reply'))
  await person.click(dialog.getByRole('button', { name: 'Send Reply' }))
  await waitFor(() =>
    expect(requests.find(({ operation }) => operation === `POST ${one}/answers`)?.body).toEqual({
      text: 'Please update.',
      closes: true,
    }),
  )
})

test('closes a message without a reply', async () => {
  const { user: person, requests } = open({ [`PATCH ${one}`]: { ...thread, state: 'closed' } })
  await person.click(await screen.findByRole('button', { name: 'No sound' }))
  const dialog = within(await screen.findByRole('dialog'))
  await person.click(await dialog.findByRole('button', { name: 'Mark as Closed' }))
  await waitFor(() =>
    expect(requests.find(({ operation }) => operation === `PATCH ${one}`)?.body).toEqual({
      state: 'closed',
    }),
  )
})

test('shows an empty state if there are no messages, and an error when they fail to load', async () => {
  open({}, [])
  expect(await screen.findByText('No messages found')).toBeTruthy()
  cleanup()
  open({ 'GET /api/admin-support': errorAnswer(500, 'internal', 'Something went wrong') })
  expect(await screen.findByText('Failed to load the messages')).toBeTruthy()
})
