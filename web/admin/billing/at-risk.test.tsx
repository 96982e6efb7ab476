import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { PaymentAtRisk } from '#contract/admin/admin-billing.ts'
import { admin, freeMember, mountApp, onePage } from '../../testing/mount-app.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const payment: PaymentAtRisk = {
  user_id: admin.id,
  email: 'late@velour.test',
  amount_cents: 999,
  currency: 'usd',
  reason: 'insufficient_funds',
  failed_at: '2026-11-20T12:00:00.000Z',
  next_try_at: '2026-11-23T12:00:00.000Z',
  premium_until: '2026-11-27T12:00:00.000Z',
}
const open = (at_risk: PaymentAtRisk[]) =>
  mountApp(
    '/admin/billing',
    {
      'POST /api/admin-billing': {
        ...onePage([]),
        subscriptions: [],
        summary: { total_users: 1, active_subscribers: 1, premium_users: 1 },
        at_risk,
      },
    },
    admin,
  )

test('shows the total of failed payments, and lists each with its reason and dates', async () => {
  open([payment, { ...payment, user_id: freeMember.id, amount_cents: 9999, next_try_at: null }])
  const summary = await screen.findByText('Money at risk: $109.98')
  const box = within(summary.closest('details')!)
  expect(box.getByText(/2 failed payments/)).toBeDefined()
  const [first, second] = box.getAllByRole('listitem', { hidden: true })
  expect(first?.textContent).toContain('$9.99 on Nov 20, 2026')
  expect(first?.textContent).toContain('The card has insufficient funds.')
  expect(first?.textContent).toContain('Stripe retries on Nov 23, 2026.')
  expect(first?.textContent).toContain('Premium remains active until Nov 27, 2026.')
  expect(second?.textContent).toContain('Stripe does not retry automatically.')
})

test('renders nothing when no payment is at risk', async () => {
  open([])
  await screen.findByText('No subscriptions found')
  expect(screen.queryByText(/Money at risk/)).toBeNull()
})
