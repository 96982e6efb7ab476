import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Announcement, SuspendedAddress } from '#contract/announcements.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { admin, errorAnswer, mountApp, onePage, type Answers } from '../../testing/mount-app.tsx'

const draft: Announcement = {
  id: '01a20306-0000-7000-8000-0000000000aa',
  subject: 'Concert in May',
  body: '**Hello**',
  audience: 'free',
  state: 'draft',
  created_at: '2026-11-25T10:00:00.000Z',
  sent_at: null,
  recipient_count: null,
  figures: { waiting: 0, sent: 0, refused: 0, failed: 0, skipped: 0 },
}
const sent: Announcement = {
  ...draft,
  id: '01a20306-0000-7000-8000-0000000000ab',
  subject: 'Hello members',
  state: 'sent',
  sent_at: '2026-11-25T10:00:00.000Z',
  recipient_count: 1200,
  figures: { waiting: 0, sent: 1190, refused: 7, failed: 0, skipped: 3 },
}
const address: SuspendedAddress = {
  user_id: '01a20306-0000-7000-8000-0000000000ac',
  email: 'gone@velour.test',
  reason: '550 no such person',
  refusals: 3,
  suspended_at: '2026-11-25T10:00:00.000Z',
}
const list = '/api/admin-announcements'
const one = `${list}/${draft.id}`

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(answers: Answers = {}, rows: Announcement[] = [draft, sent]) {
  return mountApp(
    '/admin/announcements',
    {
      [`GET ${list}`]: onePage(rows),
      [`GET ${list}/recipients`]: { count: 1, minutes: 1 },
      'GET /api/admin-suspended-addresses': onePage([address]),
      ...answers,
    },
    admin,
  )
}
async function choose(user: ReturnType<typeof open>['user'], subject: string, item: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${subject}` }))
  await user.click(screen.getByRole('menuitem', { name: item }))
}
const toasts = () => useToasts.getState().toasts.map(({ title }) => title)

test('lists drafts and sent announcements with their delivery statistics', async () => {
  open()
  await screen.findByText('Draft')
  expect(screen.getByText(/1,190 of 1,200 emails, 7 refused, 3 skipped/)).toBeTruthy()
})

test('shows the number of recipients before sending', async () => {
  const { user, requests } = open({
    [`POST ${one}/send`]: {
      ...draft,
      state: 'sending',
      sent_at: draft.created_at,
      recipient_count: 1,
    },
  })
  await choose(user, draft.subject, 'Send')
  const dialog = await screen.findByRole('alertdialog', { name: 'Send “Concert in May”?' })
  await within(dialog).findByText(/1 member receives it: free members who opted in/)
  expect(requests.some(({ operation }) => operation === `POST ${one}/send`)).toBe(false)
  await user.click(within(dialog).getByRole('button', { name: 'Send to 1' }))
  await waitFor(() => expect(toasts()).toEqual(['Announcement is being sent']))
})

test('shows why an announcement could not be sent', async () => {
  const { user } = open({
    [`POST ${one}/send`]: errorAnswer(
      409,
      'announcement_sent',
      'This announcement was sent already.',
    ),
  })
  await choose(user, draft.subject, 'Send')
  await user.click(await screen.findByRole('button', { name: 'Send to 1' }))
  await waitFor(() => expect(useToasts.getState().toasts).toHaveLength(1))
})

test('saves a draft with a preview and sends a test email', async () => {
  const { user, requests } = open(
    {
      [`POST ${list}`]: draft,
      [`POST ${list}/preview`]: { html: '<style>p{}</style><p>Hi</p>', text: 'Hi' },
      [`POST ${one}/test`]: undefined,
    },
    [draft],
  )
  await user.click(await screen.findByRole('button', { name: 'Write Announcement' }))
  const dialog = await screen.findByRole('dialog', { name: 'Write Announcement' })
  await within(dialog).findByText('1 member opted in and would receive it now.')
  await user.click(within(dialog).getByRole('button', { name: 'Save Draft' }))
  await within(dialog).findByText('Please enter a subject.')
  await user.type(within(dialog).getByRole('textbox', { name: 'Subject' }), 'Hi')
  await user.type(within(dialog).getByRole('textbox', { name: /^Text/ }), 'Hello')
  await user.click(within(dialog).getByRole('button', { name: 'Show Preview' }))
  const mail = await within(dialog).findByTitle('Email preview')
  expect(mail.getAttribute('srcdoc')).toBe('<p>Hi</p>')
  expect(mail.getAttribute('sandbox')).toBe('')
  await user.click(within(dialog).getByRole('button', { name: 'Save Draft' }))
  await waitFor(() => expect(toasts()).toEqual(['Draft saved']))
  const created = requests.find(({ operation }) => operation === `POST ${list}`)
  expect(created?.body).toEqual({ subject: 'Hi', body: 'Hello', audience: 'all' })
  await choose(user, draft.subject, 'Send Me a Test')
  await waitFor(() => expect(toasts()).toContain('Test sent'))
})

test('shows a sent announcement read-only, without actions to edit or send it', async () => {
  const { user } = open({}, [sent])
  await user.click(await screen.findByRole('button', { name: 'Actions for Hello members' }))
  const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
  expect(items).toEqual(['Read', 'Send Me a Test'])
})

test('resumes sending to a suspended address, and removes the address from the list', async () => {
  const { user, answers } = open({
    [`DELETE /api/admin-suspended-addresses/${address.user_id}`]: undefined,
  })
  const button = await screen.findByRole('button', { name: 'Resume emails to gone@velour.test' })
  answers['GET /api/admin-suspended-addresses'] = onePage([])
  await user.click(button)
  expect(await screen.findByText('No suspended addresses')).toBeTruthy()
})
