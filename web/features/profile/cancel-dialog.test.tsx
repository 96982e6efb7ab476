import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OwnSubscription } from '#contract/own-subscription.ts'
import { errorAnswer, mountApp, premiumMember, type Answers } from '../../testing/mount-app.tsx'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const own: OwnSubscription = {
  cancels: false,
  ends_at: '2026-12-20T12:00:00.000Z',
  ends_at_once: false,
  retention_offer: null,
}
const member = { ...premiumMember, subscription_ends_at: own.ends_at }
const open = (changes: Partial<OwnSubscription> = {}, answers: Answers = {}) =>
  mountApp(
    '/profile',
    {
      'GET /api/sessions': { data: [] },
      'GET /api/device-keys': { data: [] },
      'GET /api/tokens': { data: [] },
      'GET /api/billing/subscription': { data: { ...own, ...changes } },
      ...answers,
    },
    member,
  )
type User = ReturnType<typeof mountApp>['user']
async function goToLastStep(user: User) {
  await user.click(await screen.findByRole('button', { name: 'Cancel Premium' }))
  const why = within(await screen.findByRole('dialog', { name: 'Why do you want to cancel?' }))
  await user.selectOptions(why.getByLabelText('Reason'), 'It costs too much')
  await user.type(why.getByLabelText('In your own words'), 'Later again')
  await user.click(why.getByRole('button', { name: 'Continue' }))
  return within(await screen.findByRole('dialog', { name: 'Cancel Premium?' }))
}

test('asks for the reason, shows what remains available, and cancels', async () => {
  const { user, requests } = open(
    {},
    { 'POST /api/billing/subscription/cancel': { data: { ...own, cancels: true } } },
  )
  const dialog = await goToLastStep(user)
  expect(dialog.getByText(/You have Premium until December 20, 2026/)).toBeDefined()
  expect(dialog.getByText('Your playlists, likes and the artists you follow stay.')).toBeDefined()
  expect(dialog.queryByRole('region', { name: 'Offer to stay' })).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Cancel Premium' }))
  await screen.findByRole('button', { name: 'Resume Premium' })
  expect(screen.getByText('Ends On')).toBeDefined()
  expect(requests.find(({ operation }) => operation.endsWith('/cancel'))?.body).toEqual({
    feedback: 'too_expensive',
    comment: 'Later again',
  })
})

test('shows the retention offer, and accepts it', async () => {
  const offer = { percent_off: 50, months: 3 }
  const { user, requests } = open(
    { retention_offer: offer },
    { 'POST /api/billing/subscription/stay': { data: own } },
  )
  const dialog = await goToLastStep(user)
  await user.click(dialog.getByRole('button', { name: 'Stay with 50% Off' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(requests.some(({ operation }) => operation.endsWith('/cancel'))).toBe(false)
})

test('resumes the subscription, and shows an error when Stripe does not respond', async () => {
  const { user } = open(
    { cancels: true },
    { 'POST /api/billing/subscription/resume': errorAnswer(502, 'stripe_failed', 'No answer') },
  )
  await user.click(await screen.findByRole('button', { name: 'Resume Premium' }))
  await waitFor(() =>
    expect(useToasts.getState().toasts.map(({ message }) => message)).toContain('No answer'),
  )
})

test('shows that an unpaid subscription ends immediately', async () => {
  const { user } = open({ ends_at_once: true })
  const dialog = await goToLastStep(user)
  expect(dialog.getByText(/Premium ends now/)).toBeDefined()
})
