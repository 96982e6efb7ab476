// Tests the back-office overview, and the notice on the landing page that links a new owner to it.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { setupSteps, type Overview } from '#contract/admin/admin-overview.ts'
import { admin, errorAnswer, freeMember, mountApp } from '../../testing/mount-app.tsx'

const day = (day: string, plays: number) => ({
  day,
  plays,
  listeners: 3,
  sign_ups: 1,
  net_cents: 1998,
})
const quiet: Overview = {
  days: [day('2026-11-20', 20), day('2026-11-21', 34)],
  usual: { plays: 20, listeners: 3, sign_ups: 0.5, net_cents: 999 },
  currency: 'usd',
  counted_at: '2026-11-21T12:00:00.000Z',
  attention: {
    failed_jobs: 0,
    failed_tracks: 0,
    drafts_ready: 0,
    deletion_requests: 0,
    failed_payments: 0,
    disk: { level: 'ok', host: 'velour', free_bytes: 5e10 },
    backup: 'ok',
  },
  last_backup_at: null,
  setup: {
    is_hidden: false,
    steps: setupSteps.map((step) => ({ step, is_done: step === 'mail', current: null })),
  },
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('compares today with the average day', async () => {
  mountApp('/admin', { 'GET /api/admin-overview': quiet }, admin)
  await screen.findByRole('heading', { name: 'Overview' })
  const today = within(await screen.findByRole('region', { name: 'Today' }))
  expect(today.getByText('34')).toBeDefined()
  expect(today.getByText('20 on an average day')).toBeDefined()
  expect(today.getByText('$19.98')).toBeDefined()
  expect(today.getByText('0.5 on an average day')).toBeDefined()
  expect(screen.getByText('Nothing needs your attention')).toBeDefined()
})

test('links each item that needs attention to its screen, most urgent first', async () => {
  const attention = {
    ...quiet.attention,
    drafts_ready: 1,
    failed_tracks: 2,
    backup: 'none' as const,
  }
  mountApp('/admin', { 'GET /api/admin-overview': { ...quiet, attention } }, admin)
  const first = await screen.findByRole('link', { name: /^2 tracks failed/ })
  expect(first.getAttribute('href')).toBe('/admin/library?state=failed')
  const list = within(first.closest('ul')!)
  expect(list.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/admin/library?state=failed',
    '/admin/system',
    '/admin/library?published=false',
  ])
})

test('shows completed and open steps of the checklist, links the open steps, and can hide the checklist', async () => {
  const answers: Record<string, unknown> = { 'GET /api/admin-overview': quiet }
  const { user, requests } = mountApp('/admin', answers, admin)
  expect(await screen.findByText('1 of 9 done')).toBeDefined()
  expect(screen.getAllByRole('img', { name: 'To do' })).toHaveLength(8)
  expect(screen.getByRole('link', { name: 'Set Prices' }).getAttribute('href')).toBe(
    '/admin/settings?tab=stripe',
  )
  await user.click(screen.getByRole('button', { name: 'Hide Checklist' }))
  await waitFor(() =>
    expect(requests.find(({ operation }) => operation.startsWith('PUT'))?.body).toEqual({
      is_hidden: true,
    }),
  )
})

test('shows an error and a retry button when the overview fails to load', async () => {
  const { user, answers } = mountApp(
    '/admin',
    { 'GET /api/admin-overview': errorAnswer(500, 'internal', 'Something went wrong.') },
    admin,
  )
  await user.click(await screen.findByRole('button', { name: 'Retry' }))
  answers['GET /api/admin-overview'] = quiet
  await user.click(await screen.findByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Needs attention')).toBeDefined()
})

test('links an admin from the landing page to the overview until setup is complete', async () => {
  const answers: Record<string, unknown> = {
    'GET /api/admin-overview': quiet,
  }
  mountApp('/', answers, admin)
  const line = await screen.findByRole('complementary', { name: 'Set-up' })
  expect(line.textContent).toContain('8 steps left to set up your service.')
  expect(within(line).getByRole('link', { name: 'Open Overview' })).toBeDefined()
})

test('does not request the overview for a member', async () => {
  const { requests } = mountApp('/', { 'GET /api/billing/plans': { data: [] } }, freeMember)
  await screen.findByRole('link', { name: 'Profile' })
  expect(requests.map(({ operation }) => operation)).not.toContain('GET /api/admin-overview')
})
