import { cleanup, render, screen } from '@testing-library/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { MembershipInsights } from './membership-insights.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const figures = {
  months: ['2026-10', '2026-11'],
  reasons: [
    { reason: 'too_expensive', counts: [2, 1] },
    { reason: 'none', counts: [0, 1] },
  ],
  offers_taken: [1, 0],
  offers_kept: [1, 0],
  referred: [0, 3],
  referred_paid: [0, 0],
  referred_rewarded: [0, 0],
}
const show = (response: object) => {
  vi.stubGlobal('fetch', async () => Response.json(response))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MembershipInsights days={{ start: '2026-10-01', end: '2026-11-30', figures: 'real' }} />
    </QueryClientProvider>,
  )
}

test('shows cancellation reasons, retention offers and referrals by month, without rows that are all zero', async () => {
  show(figures)
  const cells = (await screen.findByRole('rowheader', { name: 'Canceled' })).closest('tr')
  expect(cells?.textContent).toBe('Canceled22')
  expect(screen.getByRole('columnheader', { name: 'Nov 26' })).toBeDefined()
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    'Canceled',
    'It costs too much',
    'No reason given',
    'Retention offers accepted',
    'Stayed after an offer',
    'Friends who joined',
  ])
})

test('shows an empty state if no member canceled', async () => {
  const none = {
    ...figures,
    reasons: [],
    offers_taken: [0, 0],
    offers_kept: [0, 0],
    referred: [0, 0],
  }
  show(none)
  expect(await screen.findByText(/No cancellations/)).toBeDefined()
})
