import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PriceChange, Prices } from '#contract/admin/money/admin-prices.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { freeMember, mountApp, onePage, type Answers } from '../../testing/mount-app.tsx'
import { settings } from '../../testing/settings-fixture.ts'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const admin = { ...freeMember, role: 'admin' as const }
const prices: Prices = {
  is_configured: true,
  currency: 'usd',
  monthly_cents: 999,
  yearly_cents: 9999,
  made: null,
  change: null,
}
const change: PriceChange = {
  id: '0191a0c0-0000-7000-8000-0000000000c1',
  state: 'announced',
  effective_at: '2027-01-15T00:00:00.000Z',
  waiting: 12,
  moved: 1,
  left: 0,
  refused: [],
}
const open = (answers: Answers) =>
  mountApp('/admin/settings?tab=stripe', { 'GET /api/admin-settings': settings, ...answers }, admin)

test('sends the prices in the smallest unit of the currency', async () => {
  const { user, requests } = open({
    'GET /api/admin-prices': prices,
    'POST /api/admin-prices': { ...prices, made: { state: 'made', failure: null } },
  })
  await user.selectOptions(await screen.findByLabelText('Currency'), 'jpy')
  const panel = within(screen.getByRole('region', { name: 'Prices in Stripe' }))
  for (const [label, text] of [
    ['Monthly Price', '980'],
    ['Yearly Price', '9800'],
  ] as const) {
    await user.clear(panel.getByLabelText(label))
    await user.type(panel.getByLabelText(label), text)
  }
  await user.click(panel.getByRole('button', { name: 'Save Prices' }))
  const sent = () => requests.find(({ operation }) => operation === 'POST /api/admin-prices')
  await waitFor(() => expect(sent()).toBeDefined())
  expect(sent()?.body).toEqual({
    currency: 'jpy',
    monthly_cents: 980,
    yearly_cents: 9800,
    effective_on: null,
  })
})

test('shows why Stripe rejected the prices', async () => {
  open({
    'GET /api/admin-prices': { ...prices, made: { state: 'refused', failure: 'Invalid currency' } },
  })
  expect((await screen.findByText(/response: Invalid currency/)).textContent).toContain(
    'previous prices',
  )
})

test('says when Stripe is not connected', async () => {
  open({ 'GET /api/admin-prices': { ...prices, is_configured: false } })
  expect(await screen.findByText(/Stripe is not connected\. Enter a key/)).toBeDefined()
})

test('shows an announced price change on the Billing screen, and cancels it', async () => {
  const { user, requests } = mountApp(
    '/admin/billing',
    {
      'GET /api/admin-prices': { ...prices, change },
      'POST /api/admin-billing': {
        subscriptions: [],
        summary: { total_users: 0, active_subscribers: 0, premium_users: 0 },
        at_risk: [],
        pagination: onePage([]).pagination,
      },
      [`POST /api/admin-prices/changes/${change.id}/call-off`]: {
        ...prices,
        change: { ...change, state: 'called_off' },
      },
    },
    admin,
  )
  const box = within(await screen.findByRole('region', { name: 'Price change' }))
  expect(box.getByText(/12 members notified, 1 changed/)).toBeDefined()
  await user.click(box.getByRole('button', { name: 'Cancel Change' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.click(dialog.getByRole('button', { name: 'Cancel Price Change' }))
  await waitFor(() =>
    expect(requests.some(({ operation }) => operation.endsWith('/call-off'))).toBe(true),
  )
})
