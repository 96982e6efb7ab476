import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AdminPromotion } from '#contract/admin/money/admin-promotions.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { admin, errorAnswer, mountApp, type Answers } from '../../testing/mount-app.tsx'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const spring: AdminPromotion = {
  id: 'promo_1',
  code: 'SPRING25',
  percent_off: 25,
  amount_off_cents: null,
  currency: null,
  duration: 'repeating',
  duration_months: 3,
  plan: 'yearly',
  is_active: true,
  times_used: 7,
  max_uses: 50,
  expires_at: '2099-12-31T23:59:59.000Z',
  is_first_time_only: true,
  created_at: '2026-11-20T12:00:00.000Z',
}
const used = { ...spring, id: 'promo_2', code: 'USED', is_active: false }
const open = (data: AdminPromotion[], answers: Answers = {}) =>
  mountApp(
    '/admin/billing/codes',
    {
      'GET /api/admin-promotion-codes': { data, has_more: false, is_configured: true },
      'POST /api/admin-promotion-codes': spring,
      'POST /api/admin-promotion-codes/promo_1/deactivate': { ...spring, is_active: false },
      ...answers,
    },
    admin,
  )

test('lists codes with their discount, number of uses and expiry date', async () => {
  open([spring, used])
  const row = (await screen.findByRole('rowheader', { name: 'SPRING25' })).closest('tr')!
  expect(row.textContent).toContain('25% off for 3 months')
  expect(row.textContent).toContain('7 of 50')
  expect(row.textContent).toContain('Yearly, new members')
  const other = screen.getByRole('rowheader', { name: 'USED' }).closest('tr')!
  expect(within(other).getByText('Inactive')).toBeDefined()
})

test('says that Stripe is not set up, and shows no button to add codes', async () => {
  const nothing = { data: [], has_more: false, is_configured: false }
  open([], { 'GET /api/admin-promotion-codes': nothing })
  expect(await screen.findByText('Stripe is not set up')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Add Code' })).toBeNull()
})

test('shows which fields are missing, then creates a code', async () => {
  const { user, requests } = open([])
  await user.click((await screen.findAllByRole('button', { name: 'Add Code' }))[0]!)
  const dialog = within(await screen.findByRole('dialog', { name: 'Add Promotion Code' }))
  await user.click(dialog.getByRole('button', { name: 'Add Code' }))
  expect(dialog.getByText('A code has 3 to 40 letters and digits.')).toBeDefined()
  await user.type(dialog.getByLabelText('Code'), 'summer5')
  await user.selectOptions(dialog.getByLabelText('Discount type'), 'Fixed amount')
  await user.type(dialog.getByLabelText('Amount (USD)'), '5')
  await user.selectOptions(dialog.getByLabelText('Applies to'), 'Payments for several months')
  await user.type(dialog.getByLabelText('Usage limit'), '20')
  await user.click(dialog.getByRole('button', { name: 'Add Code' }))
  await waitFor(() =>
    expect(
      requests.find(({ operation }) => operation === 'POST /api/admin-promotion-codes')?.body,
    ).toEqual({
      code: 'SUMMER5',
      off: { kind: 'amount', amount_off_cents: 500 },
      duration: { kind: 'repeating', months: 3 },
      max_uses: 20,
      expires_at: null,
      is_first_time_only: false,
      plan: null,
    }),
  )
})

test('deactivates a code after a confirmation', async () => {
  const { user, requests } = open([spring])
  await user.click(await screen.findByRole('button', { name: 'Deactivate SPRING25' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.click(dialog.getByRole('button', { name: 'Deactivate' }))
  await waitFor(() =>
    expect(requests.some(({ operation }) => operation.endsWith('promo_1/deactivate'))).toBe(true),
  )
})

test('shows the error that the server returns when Stripe is not set up', async () => {
  const failed = errorAnswer(409, 'stripe_not_configured', 'Stripe is not set up yet.')
  open([], { 'GET /api/admin-promotion-codes': failed })
  expect(await screen.findAllByText('Stripe is not set up yet.')).not.toHaveLength(0)
})
