import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Gift } from '#contract/gifts.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { errorAnswer, freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  window.location.hash = ''
  vi.unstubAllGlobals()
})

const offers = [
  { months: 1, price_cents: 999, currency: 'usd' },
  { months: 3, price_cents: 2997, currency: 'usd' },
  { months: 12, price_cents: 9999, currency: 'usd' },
]
const gift: Gift = {
  id: '0191a0c0-0000-7000-8000-0000000000e1',
  months: 3,
  amount_cents: 2997,
  currency: 'usd',
  recipient_email: 'ben@velour.test',
  message: '',
  send_at: '2026-12-24T12:00:00.000Z',
  state: 'scheduled',
  code: '7K3M-9QXP-2RTV-B6WD',
  created_at: '2026-11-20T12:00:00.000Z',
}
const open = (answers: Answers = {}, path = '/gift', is_purchase_live = true) =>
  mountApp(
    path,
    { 'GET /api/gifts': { offers, is_purchase_live, data: [] }, ...answers },
    freeMember,
  )
const card = async (name: string) =>
  within((await screen.findByRole('heading', { name })).closest('section')!)

test('redeems the code from the link', async () => {
  const { user, requests } = open(
    {
      'POST /api/gifts/redeem': { months: 3, starts: 'now', ends_at: '2027-02-25T12:00:00.000Z' },
    },
    `/gift?code=${gift.code}`,
  )
  const redeem = await card('Redeem a Gift')
  await user.click(redeem.getByRole('button', { name: 'Redeem' }))
  expect(await redeem.findByText(/Premium until February 25, 2027/)).toBeDefined()
  expect(requests.find(({ operation }) => operation.endsWith('/redeem'))?.body).toEqual({
    code: gift.code,
  })
})

test('shows when a gift starts for existing subscribers, and why a code is rejected', async () => {
  const { user, answers } = open({
    'POST /api/gifts/redeem': errorAnswer(404, 'gift_code_invalid', 'Not valid'),
  })
  const redeem = await card('Redeem a Gift')
  await user.click(redeem.getByRole('button', { name: 'Redeem' }))
  expect(redeem.getByText('Please enter a code.')).toBeDefined()
  await user.type(redeem.getByLabelText('Code'), 'wrong')
  await user.click(redeem.getByRole('button', { name: 'Redeem' }))
  expect(await redeem.findByText('Not valid')).toBeDefined()
  answers['POST /api/gifts/redeem'] = { months: 3, starts: 'later', ends_at: null }
  await user.click(redeem.getByRole('button', { name: 'Redeem' }))
  expect(await redeem.findByText(/starts when your paid plan ends/)).toBeDefined()
})

test('buys a gift that is delivered by email', async () => {
  const { user, requests } = open({ 'POST /api/gifts': { url: '#payment-page' } })
  const give = await card('Give Premium')
  await user.selectOptions(give.getByLabelText('Duration'), '1 year for $99.99')
  await user.click(give.getByRole('button', { name: 'Buy Gift' }))
  expect(give.getByText('Please enter a valid email address.')).toBeDefined()
  await user.type(give.getByLabelText('Recipient’s email address'), 'ben@velour.test')
  await user.type(give.getByLabelText('Message'), 'For you')
  await user.click(give.getByRole('button', { name: 'Buy Gift' }))
  await waitFor(() => expect(window.location.hash).toBe('#payment-page'))
  expect(requests.find(({ operation }) => operation === 'POST /api/gifts')?.body).toEqual({
    months: 12,
    from_name: 'Ada',
    recipient_email: 'ben@velour.test',
    message: 'For you',
    send_on: null,
  })
})

test('buys a gift to print, without an email address', async () => {
  const { user, requests } = open({ 'POST /api/gifts': { url: '#payment-page' } })
  const give = await card('Give Premium')
  await user.selectOptions(give.getByLabelText('Delivery'), 'I print it or pass on the code')
  await user.click(give.getByRole('button', { name: 'Buy Gift' }))
  await waitFor(() => expect(window.location.hash).toBe('#payment-page'))
  expect(requests.find(({ operation }) => operation === 'POST /api/gifts')?.body).toMatchObject({
    recipient_email: null,
  })
})

test('lists bought gifts with their codes', async () => {
  open({ 'GET /api/gifts': { offers, is_purchase_live: true, data: [gift] } })
  const list = await card('Your Gifts')
  expect(list.getByText(gift.code!)).toBeDefined()
  expect(list.getByText('Not sent yet')).toBeDefined()
})

test('offers no gifts when Stripe is not set up, and shows an error when gifts fail to load', async () => {
  const { unmount } = open({}, '/gift', false)
  expect(await screen.findByText('Gifts will be available soon.')).toBeDefined()
  unmount()
  open({ 'GET /api/gifts': errorAnswer(500, 'internal', 'Broken') })
  expect(await screen.findByText('Failed to load gifts')).toBeDefined()
})
