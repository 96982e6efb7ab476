import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { admin, mountApp } from '../../testing/mount-app.tsx'

const statement = {
  month: '2025-06',
  currency: 'usd',
  other_currencies: ['eur'],
  net_cents: 1998,
  owner_cents: 999,
  paying: 2,
  closed_at: null as string | null,
  data: [
    {
      artist_id: '0191a0c0-0000-7000-8000-000000000001',
      name: 'Mira Sol',
      minutes: 61.25,
      listeners: 1,
      amount_cents: 999,
    },
  ],
  pagination: { page: 1, page_size: 50, total: 1, total_pages: 1 },
}
const closedAt = '2025-07-02T10:00:00.000Z'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test("shows each artist's share, and closes a past month after a confirmation", async () => {
  const { user, answers } = mountApp(
    '/admin/royalties?month=2025-06',
    {
      'GET /api/admin-royalties': statement,
      'POST /api/admin-royalties': () => {
        answers['GET /api/admin-royalties'] = { ...statement, closed_at: closedAt }
        return { month: '2025-06', closed_at: closedAt }
      },
    },
    admin,
  )
  const row = await screen.findByRole('row', { name: /Mira Sol/ })
  expect(row.textContent).toContain('$9.99')
  expect(screen.getByText('$19.98')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Close Month' }))
  const question = await screen.findByRole('alertdialog', { name: 'Close June 2025?' })
  const confirm = [...question.querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Close Month',
  )
  await user.click(confirm!)
  expect(await screen.findByText('Closed')).toBeTruthy()
})

test('shows an empty state if the month has no shares, and cannot close the current month', async () => {
  const month = new Date().toISOString().slice(0, 7)
  const nothing = { ...statement, month, net_cents: 0, owner_cents: 0, paying: 0, data: [] }
  mountApp(`/admin/royalties?month=${month}`, { 'GET /api/admin-royalties': nothing }, admin)
  expect(await screen.findByText('No shares this month')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Close Month' })).toBeNull()
})
