import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { freeMember, mountApp } from '../../testing/mount-app.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const address = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

test('links visitors to sign-in', async () => {
  mountApp('/')
  await screen.findByRole('heading', { name: 'Smooth sounds, made for your moments.' })
  await waitFor(() => expect(screen.getByRole('link', { name: 'Sign In' })).toBeDefined())
  expect(address('Start Listening')).toBe('/auth')
  expect(address('Get Started')).toBe('/auth')
  // Opens the plans after sign-in.
  expect(address('Upgrade to Premium')).toBe('/auth?next=%2Fsubscribe')
})

test('links members to the music', async () => {
  mountApp('/', {}, freeMember)
  await waitFor(() => expect(address('Current Plan')).toBe('/auth'))
  expect(address('Start Listening')).toBe('/browse')
  expect(address('Upgrade to Premium')).toBe('/subscribe')
})

test('links five moods to Browse', async () => {
  mountApp('/')
  const tiles = await screen.findByRole('region', { name: 'Start from a mood' })
  const links = within(tiles).getAllByRole('link')
  expect(links.map((link) => link.textContent)).toEqual([
    'Focus',
    'Romantic Chill',
    'Workout',
    'Study',
    'Gospel',
  ])
  expect(new Set(links.map((link) => link.getAttribute('href')))).toEqual(new Set(['/browse']))
})

test('shows both plans with their prices and features', async () => {
  mountApp('/')
  const plans = await screen.findByRole('region', { name: /Free to start/ })
  for (const words of [
    '$0',
    'All public playlists',
    'Standard audio quality',
    'Ad-supported',
    '$9.99',
    'per month',
    'Unlimited playlist access',
    'High-quality audio',
    'Ad-free',
    'Early access to new playlists',
  ]) {
    expect(plans.textContent).toContain(words)
  }
})

test('lists legal items as text without links', async () => {
  mountApp('/')
  const footer = await screen.findByRole('contentinfo')
  expect(within(footer).getByText('Terms of Service').closest('a')).toBeNull()
  expect(within(footer).getByText('Privacy Policy').closest('a')).toBeNull()
  expect(within(footer).getByText('Contact Us').closest('a')).toBeNull()
  expect(footer.textContent).toContain('© 2025')
})
