// Tests scheduling a release in its editor, and the filter for scheduled releases in the list.
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { AdminReleaseDetail } from '#contract/admin/admin-releases.ts'
import { freeMember, mountApp } from '../../testing/mount-app.tsx'
import { trackPage } from '../../testing/playlist-fixture.ts'

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const admin = { ...freeMember, role: 'admin' as const }
const open = { premium_only: false, early_access_until: null }
const unscheduled = {
  release_at: null,
  release_zone: null,
  early_access_days: 0,
  audience: 'members' as const,
}

const tracks = trackPage(2).data.map(({ track }, at) => ({
  ...track,
  ...unscheduled,
  is_published: false,
  processing_status: 'ready' as const,
  disc: 1,
  position: at + 1,
}))

const release: AdminReleaseDetail = {
  id: '0191a0c0-0000-7000-8000-00000000aaaa',
  kind: 'album',
  title: 'Night Drive',
  slug: 'night-drive',
  share_url: '/r/night-drive',
  artist: 'Mira Holt',
  artists: [],
  cover_url: null,
  cover_tint: null,
  cover_placeholder: null,
  release_date: null,
  track_count: 2,
  duration: 360,
  ...open,
  ...unscheduled,
  created_at: '2026-10-01T10:00:00.000Z',
  label: null,
  upc: null,
  is_published: false,
  published_count: 0,
  updated_at: '2026-10-01T10:00:00.000Z',
  version: 1,
  description: null,
  has_own_cover: false,
  album_loudness_lufs: null,
  tracks,
}
const scheduled = { ...release, release_at: '2090-12-04T17:00:00.000Z', release_zone: 'UTC' }

test('sends the date, its time zone and the days of early access, and shows the saved values', async () => {
  const address = `/api/admin-releases/${release.id}`
  const { user, requests } = mountApp(
    `/admin/releases/${release.id}`,
    {
      [`GET ${address}`]: release,
      [`PATCH ${address}`]: { ...scheduled, early_access_days: 7, version: 2 },
    },
    admin,
  )
  const day = await screen.findByLabelText('Publish on')
  expect(screen.getByText('Draft', { selector: 'header *' })).toBeDefined()
  fireEvent.change(day, { target: { value: '2090-12-04' } })
  fireEvent.change(screen.getByLabelText('At'), { target: { value: '17:00' } })
  await user.selectOptions(screen.getByLabelText('Time zone'), 'UTC')
  const days = screen.getByLabelText(/^Early access/)
  await user.clear(days)
  await user.type(days, '7')
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() =>
    expect(requests.find(({ operation }) => operation === `PATCH ${address}`)?.body).toEqual({
      release_at: '2090-12-04T17:00:00.000Z',
      release_zone: 'UTC',
      early_access_days: 7,
      version: 1,
    }),
  )
  expect(await screen.findByText(/^Scheduled · /)).toBeDefined()
  expect(screen.getByRole('button', { name: 'Publish Now' })).toBeDefined()
})

test('sends "everyone" as the audience, which gives the release a public page', async () => {
  const address = `/api/admin-releases/${release.id}`
  const { user, requests } = mountApp(
    `/admin/releases/${release.id}`,
    {
      [`GET ${address}`]: release,
      [`PATCH ${address}`]: { ...release, audience: 'everyone', version: 2 },
    },
    admin,
  )
  await user.selectOptions(await screen.findByLabelText('Audience'), 'Everyone, with a public page')
  await user.click(screen.getByRole('button', { name: 'Save Changes' }))
  await waitFor(() =>
    expect(requests.find(({ operation }) => operation === `PATCH ${address}`)?.body).toEqual({
      audience: 'everyone',
      version: 1,
    }),
  )
})

test('lists releases with their state, and shows only scheduled ones when filtered', async () => {
  const answer = {
    data: [scheduled],
    pagination: { page: 1, page_size: 50, total: 1, total_pages: 1 },
  }
  const { user, requests } = mountApp(
    '/admin/releases',
    { 'GET /api/admin-releases': answer, 'GET /api/admin-releases/proposals': { data: [] } },
    admin,
  )
  const row = within(await screen.findByRole('row', { name: /Night Drive/ }))
  expect(row.getByText(/^Scheduled · /)).toBeDefined()
  await user.selectOptions(screen.getByLabelText('Published'), 'scheduled')
  await user.selectOptions(screen.getByLabelText('Kind'), 'album')
  await waitFor(() => {
    const last = requests.findLast(({ operation }) => operation === 'GET /api/admin-releases')
    expect(last?.query).toMatchObject({ availability: 'scheduled', kind: 'album' })
  })
})
