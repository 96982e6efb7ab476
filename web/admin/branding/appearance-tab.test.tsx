import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { branding } from '../../testing/branding-fixture.ts'
import { admin, errorAnswer, mountApp } from '../../testing/mount-app.tsx'
import { settings } from '../../testing/settings-fixture.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const answers = {
  'GET /api/admin-settings': settings,
  'GET /api/admin-settings/previews': { total: 0, stale: 0 },
  'GET /api/admin-branding': branding,
}
const open = (more = {}) =>
  mountApp('/admin/settings?tab=appearance', { ...answers, ...more }, admin)
const preview = () => screen.findByRole('region', { name: 'Preview' })

test('shows the four tabs named in the specification first', async () => {
  open()
  const tabs = await screen.findAllByRole('tab')
  expect(tabs.map(({ textContent }) => textContent)).toEqual([
    'General',
    'Stripe',
    'Webhook Test',
    'Audit Logs',
    'Appearance',
    'Legal',
    'Email',
    'Features',
  ])
})

test('previews unsaved changes in both themes, and saves them', async () => {
  const saved = { ...branding, brand_name: 'Night Desk', accent: '#2b50ff', version: 2 }
  const { user, requests } = open({ 'PATCH /api/admin-branding': saved })
  const shown = await preview()
  expect(within(shown).getAllByText('Velour').length).toBeGreaterThanOrEqual(2)
  await user.type(screen.getByLabelText('Name'), 'Night Desk')
  await user.type(screen.getByLabelText('Accent color'), '#2B50FF')
  expect(within(shown).getAllByText('Night Desk')).toHaveLength(2)
  expect(within(shown).getAllByText(/^Contrast: text [\d.]+:1, controls [\d.]+:1$/)).toHaveLength(2)
  expect(requests.some(({ operation }) => operation === 'PATCH /api/admin-branding')).toBe(false)
  await user.click(screen.getByRole('button', { name: 'Save Appearance' }))
  const sent = () => requests.find(({ operation }) => operation === 'PATCH /api/admin-branding')
  await waitFor(() => expect(sent()).toBeDefined())
  expect(sent()?.body).toMatchObject({
    branding: { brand_name: 'Night Desk', accent: '#2b50ff', tagline: null },
    version: 1,
  })
})

test('resets a single field or all fields to the default', async () => {
  const own = { ...branding, brand_name: 'Night Desk', tagline: 'Late songs.', accent: '#2b50ff' }
  const { user } = open({ 'GET /api/admin-branding': own })
  const shown = await preview()
  await user.click(screen.getByRole('button', { name: 'Reset Name to default' }))
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('')
  expect(within(shown).getAllByText('Velour').length).toBeGreaterThanOrEqual(2)
  await user.click(screen.getByRole('button', { name: 'Reset to Default' }))
  expect(screen.getByLabelText<HTMLInputElement>('Tagline').value).toBe('')
  expect(within(shown).getAllByText('Default colors')).toHaveLength(2)
})

test('shows validation errors without sending a request', async () => {
  const { user, requests } = open()
  await preview()
  await user.type(screen.getByLabelText('Accent color'), 'red')
  await user.click(screen.getByRole('button', { name: 'Save Appearance' }))
  await screen.findByText('Use the format #rrggbb for a color')
  expect(requests.some(({ operation }) => operation === 'PATCH /api/admin-branding')).toBe(false)
})

test('shows an error when the appearance fails to load', async () => {
  open({ 'GET /api/admin-branding': errorAnswer(500, 'internal', 'Something went wrong') })
  await waitFor(() => expect(screen.getByText('Failed to load the appearance')).toBeDefined())
})
