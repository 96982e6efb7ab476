// Tests assigning tracks, releases and artists to a creator: the choice of creators, the request, and Undo.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { freeMember, mountApp } from '../../testing/mount-app.tsx'

const admin = { ...freeMember, role: 'admin' as const }
const creatorId = '01a20306-0000-7000-8000-0000000000c1'
const trackId = '01a20306-0000-7000-8000-0000000000a1'
const item = { kind: 'artist', id: trackId }
const artist = {
  id: trackId,
  name: 'Mira',
  slug: 'mira',
  share_url: '/artists/mira',
  sort_name: null,
  biography: null,
  links: [],
  has_page: true,
  aliases: [],
  track_count: 2,
  cover_url: null,
  cover_tint: null,
  cover_placeholder: null,
  created_at: '2026-11-20T10:00:00.000Z',
  version: 1,
}
const creator = {
  id: creatorId,
  email: 'voice@velour.test',
  display_name: 'The Voice',
  role: 'creator',
  subscription_tier: 'free',
  subscription_status: 'inactive',
  created_at: '2026-11-20T10:00:00.000Z',
  deletion_requested_at: null,
}
const pagination = { page: 1, page_size: 50, total: 1, total_pages: 1 }

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('assigns the selected artists and their tracks, and reverts the assignment with Undo', async () => {
  const { user, requests } = mountApp(
    '/admin/artists',
    {
      'GET /api/admin-artists': { data: [artist], pagination },
      'GET /api/admin-users': { data: [creator], pagination },
      'POST /api/admin-owners': { data: [{ ...item, owner_id: null }] },
    },
    admin,
  )
  await user.click(await screen.findByRole('checkbox', { name: 'Select Mira' }))
  await user.click(screen.getByRole('button', { name: 'Assign to Creator' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.selectOptions(await dialog.findByLabelText('Creator'), creatorId)
  await user.click(dialog.getByRole('button', { name: 'Assign' }))
  const operation = 'POST /api/admin-owners'
  await waitFor(() =>
    expect(requests).toContainEqual({
      operation,
      query: {},
      body: { items: [{ ...item, owner_id: creatorId }], with_parts: true },
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(requests).toContainEqual({
      operation,
      query: {},
      body: { items: [{ ...item, owner_id: null }] },
    }),
  )
})
