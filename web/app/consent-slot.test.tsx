import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { admin, freeMember, mountApp, site } from '../testing/mount-app.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const asked = { number: 3, title: 'Terms of Service', published_at: '2026-11-20T10:00:00.000Z' }
const answers = {
  'GET /api/site': {
    ...site,
    consent_number: 3,
    legal_pages: [{ slug: 'terms', title: 'Terms of Service' }],
  },
  'GET /api/terms-consent': { data: asked },
  'POST /api/terms-consent': { data: null },
}
const title = 'The terms have changed'

test('asks a member for consent once, and not again after they agree', async () => {
  const { user, requests } = mountApp('/browse', answers, freeMember)
  await screen.findByRole('alertdialog', { name: title })
  expect(screen.getByText(/version 3 of/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Agree' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog', { name: title })).toBeNull())
  const sent = requests.find(({ operation }) => operation === 'POST /api/terms-consent')
  expect(sent?.body).toEqual({ number: 3 })
})

test('lets members who have not agreed open the profile', async () => {
  const lists = {
    'GET /api/sessions': { data: [] },
    'GET /api/device-keys': { data: [] },
    'GET /api/tokens': { data: [] },
  }
  const { user, router } = mountApp('/browse', { ...answers, ...lists }, freeMember)
  await user.click(await screen.findByRole('link', { name: 'Go to my profile' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile'))
  await waitFor(() => expect(screen.queryByRole('alertdialog', { name: title })).toBeNull())
})

test('does not ask admins, or members of a service whose terms require no consent', async () => {
  const first = mountApp('/browse', answers, admin)
  await screen.findAllByText('Browse')
  first.unmount()
  const second = mountApp('/browse', { ...answers, 'GET /api/site': site }, freeMember)
  await screen.findAllByText('Browse')
  for (const { requests } of [first, second]) {
    expect(requests.some(({ operation }) => operation === 'GET /api/terms-consent')).toBe(false)
  }
})

test('turns a legal item of the footer into a link once its page exists', async () => {
  mountApp('/', answers)
  const link = await screen.findByRole('link', { name: 'Terms of Service' })
  expect(link.getAttribute('href')).toBe('/terms')
  expect(screen.queryByRole('link', { name: 'Privacy Policy' })).toBeNull()
  expect(screen.getByText('Privacy Policy')).toBeDefined()
})

test('shows on the sign-up form which terms the user accepts', async () => {
  const { user } = mountApp('/auth', answers)
  await user.click(await screen.findByRole('button', { name: 'Create Account' }))
  expect(await screen.findByText(/By creating an account you agree/)).toBeDefined()
})
