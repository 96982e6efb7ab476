// Tests days that are typed or shown in the back office, in time zones west and east of Greenwich.
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Subscription } from '#contract/admin/admin-billing.ts'
import { admin, mountApp, onePage } from '../../../testing/mount-app.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

function paidTo(email: string, renewal_date: string): Subscription {
  return {
    display_name: '',
    user_id: admin.id,
    email,
    tier: 'yearly',
    status: 'active',
    payment_method: 'other',
    is_manual: true,
    start_date: '2026-01-01T00:00:00.000Z',
    renewal_date,
    trial_ends_at: null,
    notes: null,
    stripe_customer_id: null,
    is_billed: false,
  }
}

test.each([
  ['Europe/Berlin', 'Jan 1, 2027'],
  ['America/New_York', 'Dec 31, 2026'],
])(
  'in %s shows the typed day for an end without a time, and local time for other timestamps',
  async (zone, localDay) => {
    vi.stubEnv('TZ', zone)
    const subscriptions = [
      paidTo('typed@velour.test', '2026-12-31T23:59:59.999Z'),
      paidTo('moment@velour.test', '2026-12-31T23:30:00.000Z'),
    ]
    const summary = { total_users: 2, active_subscribers: 2, premium_users: 2 }
    mountApp(
      '/admin/billing',
      {
        'POST /api/admin-billing': { ...onePage([]), subscriptions, summary, at_risk: [] },
      },
      admin,
    )
    const renewal = async (email: string) => {
      const row = (await screen.findByRole('rowheader', { name: email })).closest('tr')
      return row?.querySelector('[data-label="Renewal Date"]')?.textContent
    }
    expect(await renewal('typed@velour.test')).toBe('Dec 31, 2026')
    expect(await renewal('moment@velour.test')).toBe(localDay)
  },
)

test.each([
  ['Europe/Berlin', '2026-11-20T23:00:00.000Z', '2026-11-21T22:59:59.999Z'],
  ['America/New_York', '2026-11-21T05:00:00.000Z', '2026-11-22T04:59:59.999Z'],
])(
  'in %s filters the audit log by local days, the same days that the list shows',
  async (zone, start, end) => {
    vi.stubEnv('TZ', zone)
    let download = ''
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
      this: HTMLAnchorElement,
    ) {
      download = this.href
    })
    const path = '/admin/audit?start_date=2026-11-21&end_date=2026-11-21'
    const { user, requests, router } = mountApp(
      path,
      {
        'GET /api/admin-audit-log': onePage([]),
        'GET /api/auth/confirmation': { status: true },
      },
      admin,
    )
    await screen.findByText('No audit logs found')
    const params = requests.find(({ operation }) => operation === 'GET /api/admin-audit-log')
    expect(params?.query).toMatchObject({ start_date: start, end_date: end })
    expect(screen.getByLabelText('Start Date')).toHaveProperty('value', '2026-11-21')
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(download).toContain('export.csv'))
    const { searchParams } = new URL(download)
    expect(Object.fromEntries(searchParams)).toEqual({ start_date: start, end_date: end })
    expect(router.state.location.search).toBe(path.slice(path.indexOf('?')))
  },
)

test('sends an invalid day to the server, which rejects it', async () => {
  const { requests } = mountApp(
    '/admin/audit?start_date=someday',
    { 'GET /api/admin-audit-log': onePage([]) },
    admin,
  )
  await screen.findByText('No audit logs found')
  const params = requests.find(({ operation }) => operation === 'GET /api/admin-audit-log')
  expect(params?.query['start_date']).toBe('someday')
})
