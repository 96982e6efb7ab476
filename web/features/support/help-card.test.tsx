// The Help card on the profile: messages to the owner, and the answers.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SupportThread } from '#contract/support.ts'
import type { Profile } from '#contract/profiles.ts'
import { errorAnswer, freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'

const thread: SupportThread = {
  id: '0191a0c0-0000-7000-8000-0000000000d0',
  subject: 'No sound',
  state: 'answered',
  messages: [
    {
      id: '0191a0c0-0000-7000-8000-0000000000d1',
      is_answer: false,
      text: 'My phone is silent.',
      created_at: '2026-11-24T10:00:00.000Z',
    },
    {
      id: '0191a0c0-0000-7000-8000-0000000000d2',
      is_answer: true,
      text: 'Please update the app.',
      created_at: '2026-11-25T10:00:00.000Z',
    },
  ],
  last_message_at: '2026-11-25T10:00:00.000Z',
  created_at: '2026-11-24T10:00:00.000Z',
}

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function open(answers: Answers = {}, changes: Partial<Profile> = {}) {
  const app = mountApp(
    '/profile',
    {
      'GET /api/sessions': { data: [] },
      'GET /api/device-keys': { data: [] },
      'GET /api/tokens': { data: [] },
      ...answers,
    },
    { ...freeMember, ...changes },
  )
  const heading = await screen.findByRole('heading', { name: 'Help' })
  return { ...app, card: within(heading.closest('section')!) }
}

test('shows an error at each missing field, then sends the message', async () => {
  const { card, user, requests } = await open({
    'POST /api/support': { ...thread, state: 'open', messages: thread.messages.slice(0, 1) },
  })
  const send = () => user.click(card.getByRole('button', { name: 'Send Message' }))
  await send()
  expect(card.getByText('Subject is required')).toBeTruthy()
  expect(card.getByText('Please write a message')).toBeTruthy()
  await user.type(card.getByLabelText('Subject'), 'No sound')
  await user.type(card.getByLabelText('Message'), 'My phone is silent.')
  await send()
  const sent = () => requests.find(({ operation }) => operation === 'POST /api/support')
  await waitFor(() =>
    expect(sent()?.body).toEqual({ subject: 'No sound', text: 'My phone is silent.' }),
  )
  await waitFor(() => expect(card.getByLabelText<HTMLInputElement>('Subject').value).toBe(''))
})

test('shows the answer, and sends a reply', async () => {
  const reply = `POST /api/support/${thread.id}/messages`
  const { card, user, requests } = await open({
    'GET /api/support': { data: [thread] },
    [reply]: { ...thread, state: 'open' },
  })
  expect(await card.findByText('Please update the app.')).toBeTruthy()
  expect(card.getByText('Velour')).toBeTruthy()
  await user.type(card.getByLabelText('Reply'), 'It works.')
  await user.click(card.getByRole('button', { name: 'Send Reply' }))
  await waitFor(() =>
    expect(requests.find(({ operation }) => operation === reply)?.body).toEqual({
      text: 'It works.',
    }),
  )
})

test('keeps the text of the message when sending fails', async () => {
  const { card, user } = await open({
    'POST /api/support': errorAnswer(429, 'rate_limited', 'Too many.'),
  })
  await user.type(card.getByLabelText('Subject'), 'No sound')
  await user.type(card.getByLabelText('Message'), 'Silent.')
  await user.click(card.getByRole('button', { name: 'Send Message' }))
  await waitFor(() =>
    expect(card.getByLabelText<HTMLInputElement>('Subject').value).toBe('No sound'),
  )
})

test('shows yearly members that they have priority, and shows an error when messages fail to load', async () => {
  const { card } = await open(
    { 'GET /api/support': errorAnswer(500, 'internal', 'Something went wrong') },
    { is_premium: true, subscription_status: 'active', subscription_tier: 'yearly' },
  )
  expect(card.getByText(/With your yearly plan/)).toBeTruthy()
  expect(await card.findByText('Your messages could not be loaded')).toBeTruthy()
})
