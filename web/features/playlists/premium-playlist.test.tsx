// Early-access and Premium-only curated playlists, as members see them.
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { freeMember, mountApp, premiumMember } from '../../testing/mount-app.tsx'
import { makePlaylist, playlistId, trackPage } from '../../testing/playlist-fixture.ts'

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const curated = makePlaylist(2, { is_curated: true, is_own: false, created_by: null })
const until = '2090-12-04T12:00:00.000Z'

function open(marks: object, member = freeMember) {
  const address = `/api/playlists/${playlistId}`
  const first = trackPage(2)
  const answers = {
    [`GET ${address}`]: { ...curated, ...marks },
    [`GET ${address}/tracks`]: {
      ...first,
      data: first.data.map((entry) => ({ ...entry, track: { ...entry.track, ...marks } })),
    },
  }
  return mountApp(`/my-playlists/${playlistId}`, answers, member)
}

test.each([
  [{ premium_only: true }, 'This is for Premium members only.'],
  [{ early_access_until: until }, 'Early access for Premium: for everyone from Mon, Dec 4, 2090.'],
])('shows the head, and a Premium offer instead of the tracks: %o', async (marks, sentence) => {
  const { requests } = open(marks)
  // The text appears once on the head, and once in place of the tracks.
  expect(await screen.findAllByText(sentence)).toHaveLength(2)
  expect(screen.getByRole('heading', { name: 'Evening' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Upgrade to Premium' }).getAttribute('href')).toBe(
    '/subscribe',
  )
  expect(screen.queryByRole('button', { name: 'Play All' })).toBeNull()
  expect(requests.some(({ operation }) => operation.endsWith('/tracks'))).toBe(false)
})

test('opens for Premium members, with a mark on the head and the rows', async () => {
  open({ premium_only: true }, premiumMember)
  expect(
    await screen.findByRole('button', { name: 'Play Track 1 by Velour Ensemble' }),
  ).toBeDefined()
  expect(screen.getByText('Part of your Premium.')).toBeDefined()
  expect(screen.getAllByText('Premium only')).toHaveLength(2)
})

test('marks early access for Premium members', async () => {
  open(
    { early_access_until: until },
    { ...freeMember, is_premium: true, subscription_status: 'active' },
  )
  const sentence = 'Early access: for everyone from Mon, Dec 4, 2090.'
  expect(await screen.findByText(sentence)).toBeDefined()
  expect(await screen.findAllByText('Early access')).toHaveLength(2)
})

test('opens for everyone after early access', async () => {
  open({ early_access_until: '2020-12-04T12:00:00.000Z' })
  expect(await screen.findByRole('button', { name: 'Play All' })).toBeDefined()
  expect(screen.queryByText(/for everyone from/i)).toBeNull()
})
