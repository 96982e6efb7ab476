import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AdminGift } from '#contract/admin/money/admin-gifts.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { admin, mountApp, onePage, type Answers } from '../../testing/mount-app.tsx'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const id = '0191a0c0-0000-7000-8000-0000000000e1'
const gift: AdminGift = {
  id,
  months: 3,
  amount_cents: 2997,
  currency: 'usd',
  state: 'sent',
  buyer: { id: '0191a0c0-0000-7000-8000-0000000000e2', email: 'ada@velour.test' },
  from_name: 'Ada',
  recipient_email: 'ben@velour.test',
  send_at: '2026-11-20T12:00:00.000Z',
  sent_at: '2026-11-20T12:00:00.000Z',
  paid_at: '2026-11-19T12:00:00.000Z',
  redeemed_by: null,
  redeemed_at: null,
  plan_from: null,
  plan_to: null,
  refunded_at: null,
  payment_id: '0191a0c0-0000-7000-8000-0000000000e3',
  refunded_cents: 0,
}
const open = (data: AdminGift[], answers: Answers = {}) =>
  mountApp('/admin/billing/gifts', { 'GET /api/admin-gifts': onePage(data), ...answers }, admin)

test('lists each gift with its buyer, its recipient and the member who redeemed it', async () => {
  const redeemed_by = { id: '0191a0c0-0000-7000-8000-0000000000e4', email: 'cy@velour.test' }
  const redeemed: AdminGift = {
    ...gift,
    id: id.replace('e1', 'e5'),
    state: 'redeemed',
    redeemed_by,
    redeemed_at: '2026-11-21T12:00:00.000Z',
  }
  open([gift, redeemed])
  const [row, other] = (await screen.findAllByRole('rowheader')).map((cell) => cell.closest('tr')!)
  expect(row?.textContent).toContain('3 months, $29.97')
  expect(row?.textContent).toContain('ben@velour.test')
  expect(row?.textContent).toContain('Not yet')
  expect(other?.textContent).toContain('cy@velour.test')
  expect(other?.textContent).toContain('Starts when their current plan ends')
  expect(within(other!).queryByRole('button', { name: /Send/ })).toBeNull()
})

test('resends a gift code, and refunds a gift through Stripe', async () => {
  const { user, requests } = open([gift], {
    [`POST /api/admin-gifts/${id}/resend`]: gift,
  })
  await user.click(await screen.findByRole('button', { name: 'Send Again: gift from Ada' }))
  await waitFor(() =>
    expect(requests.some(({ operation }) => operation.endsWith('/resend'))).toBe(true),
  )
  await user.click(screen.getByRole('button', { name: 'Refund gift from Ada' }))
  const dialog = await screen.findByRole('dialog', { name: 'Refund Payment' })
  expect(within(dialog).getByText(/\$29.97/)).toBeDefined()
})

test('shows an empty state if there are no gifts', async () => {
  open([])
  expect(await screen.findByText('No gifts found')).toBeDefined()
})
