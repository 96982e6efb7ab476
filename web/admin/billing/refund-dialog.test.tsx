import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Payment, Subscription } from '#contract/admin/admin-billing.ts'
import type { Refund } from '#contract/admin/money/admin-refunds.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { admin, freeMember, mountApp, onePage } from '../../testing/mount-app.tsx'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const payment: Payment = {
  id: '0191a0c0-0000-7000-8000-0000000000c1',
  kind: 'payment',
  amount_cents: 999,
  currency: 'usd',
  payment_method: 'stripe',
  tier: 'monthly',
  is_simulated: false,
  paid_at: '2026-11-20T12:00:00.000Z',
  refunded_cents: 400,
  is_refundable: true,
  receipt_number: null,
  voided_by: null,
}
const row: Subscription = {
  user_id: freeMember.id,
  email: freeMember.email,
  display_name: 'Ada',
  tier: 'monthly',
  status: 'active',
  payment_method: 'stripe',
  is_manual: false,
  start_date: null,
  renewal_date: '2026-12-20T12:00:00.000Z',
  trial_ends_at: null,
  notes: null,
  stripe_customer_id: null,
  is_billed: true,
}
const refused: Refund = {
  id: '0191a0c0-0000-7000-8000-0000000000c2',
  user_id: freeMember.id,
  email: freeMember.email,
  payment_id: payment.id,
  amount_cents: 599,
  currency: 'usd',
  reason: 'requested_by_customer',
  state: 'refused',
  failure: 'disputed',
  created_at: '2026-11-21T12:00:00.000Z',
}
const open = () =>
  mountApp(
    '/admin/billing',
    {
      'POST /api/admin-billing': ({ body }: { body: { action: string } }) =>
        body.action === 'list_payments'
          ? { payments: [payment] }
          : {
              ...onePage([]),
              subscriptions: [row],
              summary: { total_users: 1, active_subscribers: 1, premium_users: 1 },
              at_risk: [],
            },
      'GET /api/admin-billing/refunds': { data: [refused] },
      'POST /api/admin-billing/refunds': { ...refused, state: 'waiting', failure: null },
      [`POST /api/admin-users/${row.user_id}/subscription/end`]: undefined,
    },
    admin,
  )

test('refunds the rest of a payment or a part of it, with a reason', async () => {
  const { user, requests } = open()
  await user.click(await screen.findByRole('button', { name: /^Payments of / }))
  await user.click(await screen.findByRole('button', { name: 'Refund $9.99 from Nov 20, 2026' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Refund Payment' }))
  expect(
    dialog.getByText('$9.99 paid on Nov 20, 2026. $4.00 of it has already been refunded.'),
  ).toBeDefined()
  const amount = dialog.getByLabelText('Amount (USD)')
  expect((amount as HTMLInputElement).value).toBe('5.99')
  await user.clear(amount)
  await user.type(amount, '6')
  await user.click(dialog.getByRole('button', { name: 'Refund' }))
  expect(dialog.getByText('Please enter an amount of at most $5.99.')).toBeDefined()
  await user.clear(amount)
  await user.type(amount, '2,50')
  await user.selectOptions(dialog.getByLabelText('Reason'), 'Paid twice')
  await user.click(dialog.getByRole('button', { name: 'Refund' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Refund Payment' })).toBeNull())
  const sent = requests.find(({ operation }) => operation === 'POST /api/admin-billing/refunds')
  expect(sent?.body).toEqual({
    payment_id: payment.id,
    amount_cents: 250,
    refunded_cents: 400,
    reason: 'duplicate',
  })
})

test('lists refunds that Stripe rejected', async () => {
  open()
  const summary = await screen.findByText('1 rejected')
  const box = within(summary.closest('details')!)
  expect(box.getByRole('listitem').textContent).toContain('$5.99 on Nov 21, 2026')
  expect(box.getByText(/Respond to the dispute in Stripe/)).toBeDefined()
})

test('cancels a subscription at the end of its paid period after a confirmation', async () => {
  const { user, requests } = open()
  await user.click(await screen.findByRole('button', { name: `Actions for ${row.email}` }))
  await user.click(await screen.findByRole('menuitem', { name: 'Cancel at Period End' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(dialog.getByText(/Premium ends on Dec 20, 2026/)).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Cancel Subscription' }))
  await waitFor(() =>
    expect(requests.find(({ operation }) => operation.endsWith('/end'))?.body).toEqual({
      when: 'period_end',
    }),
  )
})
