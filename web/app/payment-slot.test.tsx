import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Profile } from '#contract/profiles.ts'
import { freeMember, mountApp } from '../testing/mount-app.tsx'

afterEach(() => {
  cleanup()
  window.location.hash = ''
  vi.unstubAllGlobals()
})

const problem = {
  reason: 'expired_card',
  premium_until: '2026-12-02T12:00:00.000Z',
  pay_url: 'https://invoice.stripe.com/i/1',
} as const
const member = (payment_problem: Profile['payment_problem']): Profile => ({
  ...freeMember,
  is_premium: true,
  subscription_status: 'active',
  payment_problem,
})
const notice = async () => within(await screen.findByRole('region', { name: 'Payment failed' }))

test('shows why the payment failed, until when Premium remains active, and a link to pay', async () => {
  mountApp('/browse', {}, member(problem))
  const shown = await notice()
  expect(
    shown.getByText(/The card has expired\. Premium remains active until December 2, 2026\./),
  ).toBeDefined()
  const link = shown.getByRole('link', { name: 'Pay Now' })
  expect(link.getAttribute('href')).toBe(problem.pay_url)
})

test('offers only the customer portal when the failed invoice has no payment page', async () => {
  const answers = { 'POST /api/billing/portal': { url: '#portal' } }
  const { user } = mountApp('/browse', answers, member({ ...problem, pay_url: null }))
  const shown = await notice()
  expect(shown.queryByRole('link')).toBeNull()
  await user.click(shown.getByRole('button', { name: 'Change Card' }))
  await waitFor(() => expect(window.location.hash).toBe('#portal'))
})

test('shows that Premium has ended because of the failed payment', async () => {
  mountApp('/browse', {}, { ...member({ ...problem, premium_until: null }), is_premium: false })
  expect((await notice()).getByText(/Premium has ended/)).toBeDefined()
})

test('shows nothing if no payment has failed', async () => {
  mountApp('/browse', {}, member(null))
  await screen.findByRole('main')
  expect(screen.queryByRole('region', { name: 'Payment failed' })).toBeNull()
})
