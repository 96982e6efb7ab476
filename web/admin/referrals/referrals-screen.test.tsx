import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AdminReferral } from '#contract/admin/money/admin-referrals.ts'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { admin, mountApp, onePage, type Answers } from '../../testing/mount-app.tsx'

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const id = '0191a0c0-0000-7000-8000-0000000000f1'
const referral: AdminReferral = {
  id,
  referrer: { id: '0191a0c0-0000-7000-8000-0000000000f2', email: 'ada@velour.test' },
  friend: { id: '0191a0c0-0000-7000-8000-0000000000f3', email: 'ben@velour.test' },
  months: 1,
  state: 'rewarded',
  void_reason: null,
  referrer_reward: 'given',
  friend_reward: 'waiting',
  joined_at: '2026-11-20T12:00:00.000Z',
  paid_at: '2026-11-21T12:00:00.000Z',
  due_at: '2026-12-05T12:00:00.000Z',
}
const figures = { joined: 3, paid: 2, rewarded: 1, void: 1, months_given: 2 }
const open = (data: AdminReferral[], answers: Answers = {}) =>
  mountApp(
    '/admin/billing/referrals',
    { 'GET /api/admin-referrals': { ...onePage(data), figures }, ...answers },
    admin,
  )

test('lists referred friends with the member who referred them, and voids a referral after a confirmation', async () => {
  const withoutFriend = { ...referral, id: id.replace('f1', 'f4'), friend: null }
  const { user, requests } = open(
    [
      referral,
      { ...withoutFriend, state: 'void', void_reason: 'same_card', referrer_reward: 'none' },
    ],
    {
      [`POST /api/admin-referrals/${id}/void`]: {
        ...referral,
        state: 'void',
        void_reason: 'by_admin',
      },
    },
  )
  expect(await screen.findByText('3 joined, 2 paid, 1 rewarded, 2 months given')).toBeDefined()
  const row = screen.getByRole('link', { name: 'ben@velour.test' }).closest('tr')!
  expect(row.textContent).toContain('Member: Given. Friend: Pending.')
  expect(screen.getByText('Deleted account').closest('tr')?.textContent).toContain('same card')
  await user.click(within(row).getByRole('button', { name: 'Void ben@velour.test' }))
  const dialog = await screen.findByRole('alertdialog', { name: /Void the referral/ })
  await user.click(within(dialog).getByRole('button', { name: 'Void' }))
  await waitFor(() =>
    expect(requests.some(({ operation }) => operation.endsWith('/void'))).toBe(true),
  )
})

test('shows an empty state if there are no referrals', async () => {
  open([])
  expect(await screen.findByText('No referrals found')).toBeDefined()
})
