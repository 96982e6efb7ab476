import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { errorAnswer, freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  window.location.hash = ''
  vi.unstubAllGlobals()
})

const plans = (is_purchase_live: boolean, yearly_cents = 9999, trial_days = 0): Answers => ({
  'GET /api/billing/plans': {
    data: [
      { plan: 'monthly', price_cents: 999, currency: 'usd', trial_days },
      { plan: 'yearly', price_cents: yearly_cents, currency: 'usd', trial_days: trial_days * 2 },
    ],
    trial_needs_card: trial_days !== 1,
    is_purchase_live,
  },
})
const plan = async (name: string) => within(await screen.findByRole('region', { name }))
const toasts = () =>
  useToasts.getState().toasts.map(({ title, message }) => `${title} | ${message}`)
const comingSoon = 'Coming Soon | Stripe integration will be enabled soon. Stay tuned!'

test('shows the price, badge and features of both plans', async () => {
  mountApp('/subscribe', plans(false), freeMember)
  const monthly = await plan('Monthly')
  expect(monthly.getByText('$9.99')).toBeDefined()
  expect(monthly.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Unlimited streaming',
    'High quality audio',
    'Download for offline listening',
    'Ad-free experience',
    'Access to all playlists',
  ])
  const yearly = await plan('Yearly')
  expect(yearly.getByText('$99.99')).toBeDefined()
  expect(yearly.getByText('Save 17%')).toBeDefined()
  expect(yearly.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Everything in Monthly',
    '2 months free',
    'Priority support',
    'Early access to new features',
    'Exclusive content',
  ])
})

test('redirects visitors to sign-in', async () => {
  const { router } = mountApp('/subscribe', plans(false))
  await waitFor(() => expect(router.state.location.pathname).toBe('/auth'))
})

test.each(['Monthly', 'Yearly'])(
  'shows Coming Soon for %s when Stripe is not set up',
  async (name) => {
    const { user, requests } = mountApp('/subscribe', plans(false), freeMember)
    await user.click((await plan(name)).getByRole('button', { name: 'Subscribe Now' }))
    await waitFor(() => expect(toasts()).toContain(comingSoon))
    expect(requests.some(({ operation }) => operation.includes('checkout'))).toBe(false)
  },
)

test('shows Coming Soon when the Stripe keys have been removed', async () => {
  const answers = {
    ...plans(true),
    'POST /api/billing/checkout': errorAnswer(409, 'stripe_not_configured', 'Not set up'),
  }
  const { user } = mountApp('/subscribe', answers, freeMember)
  await user.click((await plan('Yearly')).getByRole('button', { name: 'Subscribe Now' }))
  await waitFor(() => expect(toasts()).toContain(comingSoon))
})

test('opens the payment page of the plan when Stripe is set up', async () => {
  const answers = { ...plans(true), 'POST /api/billing/checkout': { url: '#payment-page' } }
  const { user, requests } = mountApp('/subscribe', answers, freeMember)
  await user.click((await plan('Yearly')).getByRole('button', { name: 'Subscribe Now' }))
  await waitFor(() => expect(window.location.hash).toBe('#payment-page'))
  expect(requests.find(({ operation }) => operation.endsWith('checkout'))?.body).toEqual({
    plan: 'yearly',
  })
})

test("shows the server's message when checkout is rejected", async () => {
  const answers = {
    ...plans(true),
    'POST /api/billing/checkout': errorAnswer(502, 'stripe_failed', 'Stripe did not answer'),
  }
  const { user } = mountApp('/subscribe', answers, freeMember)
  await user.click((await plan('Monthly')).getByRole('button', { name: 'Subscribe Now' }))
  await waitFor(() => expect(toasts()).toContain('Error | Stripe did not answer'))
})

test('links existing subscribers to their profile', async () => {
  const member = { ...freeMember, is_premium: true, subscription_status: 'active' as const }
  mountApp('/subscribe', plans(true), member)
  const link = await (await plan('Monthly')).findByRole('link', { name: 'Manage Subscription' })
  expect(link.getAttribute('href')).toBe('/profile')
})

test("shows the owner's prices and the yearly savings, if any", async () => {
  mountApp('/subscribe', plans(false, 20_000), freeMember)
  const yearly = await plan('Yearly')
  await yearly.findByText('$200.00')
  expect(yearly.queryByText(/Save/)).toBeNull()
})

test('shows the free trial of each plan', async () => {
  mountApp('/subscribe', plans(true, 9999, 7), freeMember)
  const monthly = await plan('Monthly')
  await monthly.findByText('7 days free, then $9.99 per month.')
  expect((await plan('Yearly')).getByText('14 days free, then $99.99 per year.')).toBeDefined()
})

test('shows that a trial requires no card', async () => {
  mountApp('/subscribe', plans(true, 9999, 1), freeMember)
  const monthly = await plan('Monthly')
  expect(
    await monthly.findByText('1 day free, then $9.99 per month. No card needed.'),
  ).toBeDefined()
})

test('shows no trial if nothing can be bought', async () => {
  mountApp('/subscribe', plans(false, 9999, 7), freeMember)
  await (await plan('Yearly')).findByText('$99.99')
  expect(screen.queryByText(/days free/)).toBeNull()
})

test('shows a welcome once Premium is active after checkout', async () => {
  const { router, answers } = mountApp('/subscribe?checkout=done', plans(true), freeMember)
  await screen.findByText('Thank you. Your payment is being confirmed.')
  await waitFor(() => expect(router.state.location.search).toBe(''))
  answers['GET /api/profile'] = { data: { ...freeMember, is_premium: true } }
  await waitFor(() =>
    expect(toasts()).toContain('Welcome to Premium | You can now hear everything in full.'),
  )
  expect(screen.queryByText('Thank you. Your payment is being confirmed.')).toBeNull()
})

test('shows that nothing was charged after a canceled checkout', async () => {
  const { router } = mountApp('/subscribe?checkout=canceled', plans(true), freeMember)
  await waitFor(() => expect(toasts()).toContain('Checkout canceled | Nothing was charged.'))
  await waitFor(() => expect(router.state.location.search).toBe(''))
})

const spring = {
  code: 'SPRING25',
  percent_off: 25,
  amount_off_cents: null,
  currency: null,
  duration: 'repeating',
  duration_months: 3,
  plan: null,
}

test('applies the code from the link, and sends it with the purchase', async () => {
  const answers = {
    ...plans(true),
    'POST /api/billing/promotion-code': spring,
    'POST /api/billing/checkout': { url: '#payment-page' },
  }
  const { user, requests } = mountApp('/subscribe?code=spring25', answers, freeMember)
  expect((await screen.findByText('SPRING25')).closest('p')?.textContent).toContain(
    '25% off for 3 months',
  )
  await user.click((await plan('Monthly')).getByRole('button', { name: 'Subscribe Now' }))
  await waitFor(() => expect(window.location.hash).toBe('#payment-page'))
  expect(requests.find(({ operation }) => operation.endsWith('checkout'))?.body).toEqual({
    plan: 'monthly',
    promotion_code: 'SPRING25',
  })
})

test('does not send a code with a plan to which it does not apply, and can remove it', async () => {
  const answers = {
    ...plans(true),
    'POST /api/billing/promotion-code': { ...spring, plan: 'yearly' },
    'POST /api/billing/checkout': { url: '#payment-page' },
  }
  const { user, requests } = mountApp('/subscribe', answers, freeMember)
  await user.type(await screen.findByLabelText('Promotion code'), 'spring25')
  await user.click(screen.getByRole('button', { name: 'Apply Code' }))
  await screen.findByText(/of the yearly plan/)
  await user.click((await plan('Monthly')).getByRole('button', { name: 'Subscribe Now' }))
  await waitFor(() => expect(window.location.hash).toBe('#payment-page'))
  expect(requests.find(({ operation }) => operation.endsWith('checkout'))?.body).toEqual({
    plan: 'monthly',
  })
  await user.click(screen.getByRole('button', { name: 'Remove Code' }))
  expect(await screen.findByLabelText('Promotion code')).toBeDefined()
})

test('shows an error for an invalid code', async () => {
  const answers = {
    ...plans(true),
    'POST /api/billing/promotion-code': errorAnswer(409, 'promotion_code_invalid', 'Not valid'),
  }
  const { user } = mountApp('/subscribe', answers, freeMember)
  await user.type(await screen.findByLabelText('Promotion code'), 'OLD')
  await user.click(screen.getByRole('button', { name: 'Apply Code' }))
  expect(await screen.findByText('Not valid')).toBeDefined()
})
