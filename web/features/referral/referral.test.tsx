import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'
import { errorAnswer, freeMember, mountApp, noReferrals } from '../../testing/mount-app.tsx'
import { clearReferral, storeReferral, readReferral } from './stored-referral.ts'

beforeEach(() => {
  useToasts.setState({ toasts: [] })
  clearReferral()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const code = 'k3m9qxp2rt'
const profileAnswers = {
  'GET /api/sessions': { data: [] },
  'GET /api/device-keys': { data: [] },
  'GET /api/tokens': { data: [] },
}
const own = { ...noReferrals, months: 1 }
const card = async () =>
  within((await screen.findByRole('heading', { name: 'Bring a Friend' })).closest('section')!)

test('stores the code of a link until sign-up, and sends it once', async () => {
  const { user, requests } = mountApp(`/join/${code.toUpperCase()}`, {
    [`GET /api/referrals/${code.toUpperCase()}`]: { months: 3 },
    'POST /api/auth/sign-up/email': { confirmEmail: true },
  })
  expect(await screen.findByText('3 months of Premium')).toBeDefined()
  await waitFor(() => expect(readReferral()).toBe(code))
  await user.click(screen.getByRole('link', { name: 'Create Account' }))
  await user.type(await screen.findByLabelText('Email'), 'new@velour.test')
  await user.type(screen.getByLabelText('Password'), 'a brand new password')
  await user.click(screen.getByRole('button', { name: 'Create Account' }))
  await waitFor(() => expect(readReferral()).toBeNull())
  expect(requests.find(({ operation }) => operation.includes('sign-up'))?.body).toMatchObject({
    referral_code: code,
  })
})

test('returns no code after clearReferral', () => {
  const kept = Date.now()
  storeReferral(code, kept)
  clearReferral()
  expect(readReferral(kept)).toBeNull()
})

test('shows when a link is no longer valid, and when the user already has an account', async () => {
  const answers = {
    [`GET /api/referrals/${code}`]: errorAnswer(404, 'referral_link_not_found', 'Not valid'),
  }
  const { unmount } = mountApp(`/join/${code}`, answers)
  expect(await screen.findByText(/no longer valid/)).toBeDefined()
  expect(readReferral()).toBeNull()
  unmount()
  mountApp(`/join/${code}`, { [`GET /api/referrals/${code}`]: { months: 1 } }, freeMember)
  expect(await screen.findByText(/You already have an account/)).toBeDefined()
  expect(readReferral()).toBeNull()
})

test('creates and copies the link, and shows its results', async () => {
  const writeText = vi.fn<(text: string) => Promise<void>>(async () => {})
  const { user, answers } = mountApp(
    '/profile',
    { ...profileAnswers, 'GET /api/referrals': own },
    freeMember,
  )
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  const url = `https://velour.test/join/${code}`
  answers['POST /api/referrals/link'] = () => {
    answers['GET /api/referrals'] = { ...own, url, joined: 2, paid: 1, months_waiting: 1 }
    return { url }
  }
  const section = await card()
  expect(section.getByText(/Nobody has joined/)).toBeDefined()
  await user.click(section.getByRole('button', { name: 'Create My Link' }))
  await user.click(await section.findByRole('button', { name: 'Copy' }))
  expect(writeText).toHaveBeenCalledWith(url)
  expect(section.getByText(/2 friends joined, 1 became Premium. 1 month will follow/)).toBeDefined()
})

test('shows nothing if there is no offer, but still shows earlier earnings', async () => {
  const { unmount } = mountApp('/profile', profileAnswers, freeMember)
  await screen.findByRole('heading', { name: 'Help' })
  expect(screen.queryByRole('heading', { name: 'Bring a Friend' })).toBeNull()
  unmount()
  const ended = { ...own, months: 0, joined: 3, paid: 2, months_earned: 2 }
  mountApp('/profile', { ...profileAnswers, 'GET /api/referrals': ended }, freeMember)
  const section = await card()
  expect(section.getByText(/You got 2 months of Premium/)).toBeDefined()
  expect(section.queryByRole('button')).toBeNull()
})
