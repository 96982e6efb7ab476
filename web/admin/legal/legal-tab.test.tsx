import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { AdminLegalPage } from '#contract/admin/admin-legal.ts'
import { admin, errorAnswer, mountApp } from '../../testing/mount-app.tsx'
import { settings } from '../../testing/settings-fixture.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const terms: AdminLegalPage = {
  slug: 'terms',
  title: 'Terms of Service',
  draft: 'Be kind.',
  is_shown: true,
  versions: [
    {
      number: 1,
      title: 'Terms of Service',
      published_at: '2026-11-20T10:00:00.000Z',
      asks_consent: true,
      consents: 12,
    },
  ],
  is_changed: false,
  version: 3,
}
const open = (data: AdminLegalPage[], more = {}) =>
  mountApp(
    '/admin/settings?tab=legal',
    {
      'GET /api/admin-settings': settings,
      'GET /api/admin-settings/previews': { total: 0, stale: 0 },
      'GET /api/admin-legal-pages': { data },
      ...more,
    },
    admin,
  )

test('starts with templates, and does not publish a draft while placeholders are not filled in', async () => {
  const { user, requests } = open([])
  const pages = await screen.findByRole('navigation', { name: 'Legal pages' })
  expect(within(pages).getAllByText(/^Not written/)).toHaveLength(3)
  expect(screen.getByLabelText<HTMLTextAreaElement>('Text').value).toContain('[[')
  expect(screen.getByText(/placeholders need to be filled in/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Publish…' }))
  await screen.findByText(/^First fill in the placeholders/)
  expect(requests.some(({ operation }) => operation.includes('/publish'))).toBe(false)
})

test('saves the changes first, then publishes them and asks members for consent', async () => {
  const saved = { ...terms, draft: 'Be kind. Be quiet.', is_changed: true, version: 4 }
  const { user, requests } = open([terms], {
    'PUT /api/admin-legal-pages/terms': saved,
    'POST /api/admin-legal-pages/terms/publish': { ...saved, is_changed: false },
  })
  expect(await screen.findByText(/12 agreed/)).toBeDefined()
  await user.type(screen.getByLabelText('Text'), ' Be quiet.')
  await user.click(screen.getByRole('button', { name: 'Publish…' }))
  await user.click(await screen.findByLabelText(/Ask members to accept/))
  await user.click(screen.getByRole('button', { name: 'Publish' }))
  const find = (operation: string) => requests.find((one) => one.operation === operation)?.body
  await waitFor(() =>
    expect(find('POST /api/admin-legal-pages/terms/publish')).toEqual({ asks_consent: true }),
  )
  expect(find('PUT /api/admin-legal-pages/terms')).toMatchObject({
    draft: 'Be kind. Be quiet.',
    version: 3,
  })
})

test('adds a page with a slug derived from its title', async () => {
  const { user } = open([])
  await user.type(await screen.findByLabelText('New page'), 'Terms')
  await user.click(screen.getByRole('button', { name: 'Add Page' }))
  await screen.findByText('A page with this address already exists')
  await user.clear(screen.getByLabelText('New page'))
  await user.type(screen.getByLabelText('New page'), 'Imprint')
  await user.click(screen.getByRole('button', { name: 'Add Page' }))
  await screen.findByText('Not written · /legal/imprint')
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Imprint')
})

test('shows an error when the pages fail to load', async () => {
  open([], { 'GET /api/admin-legal-pages': errorAnswer(500, 'internal', 'Something went wrong') })
  expect(await screen.findByText('Failed to load the legal pages')).toBeDefined()
})
