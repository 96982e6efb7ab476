import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { admin, errorAnswer, mountApp } from '../../testing/mount-app.tsx'
import { settings } from '../../testing/settings-fixture.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = (more = {}) =>
  mountApp(
    '/admin/settings?tab=features',
    {
      'GET /api/admin-settings': settings,
      'GET /api/admin-settings/previews': { total: 0, stale: 0 },
      'GET /api/admin-features': { data: [{ name: 'song_path', audience: 'everyone' }] },
      ...more,
    },
    admin,
  )

test('enables a feature for yearly members', async () => {
  const { user, requests } = open({
    'PUT /api/admin-features/song_path': { name: 'song_path', audience: 'yearly' },
  })
  await user.selectOptions(await screen.findByLabelText('Song path'), 'Yearly members')
  await waitFor(() =>
    expect(
      requests.find(({ operation }) => operation === 'PUT /api/admin-features/song_path')?.body,
    ).toEqual({ audience: 'yearly' }),
  )
})

test('shows an error when the features fail to load', async () => {
  open({ 'GET /api/admin-features': errorAnswer(500, 'internal', 'Something went wrong') })
  expect(await screen.findByText('Failed to load the features')).toBeTruthy()
})
