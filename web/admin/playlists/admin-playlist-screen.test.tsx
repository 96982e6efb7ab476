// Tests the editor of a curated playlist: finding, adding and removing tracks.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { makePlaylist } from '../../testing/playlist-fixture.ts'
import { makeTracks } from '../../testing/track-fixture.ts'
import { admin, mountApp, type Answers } from '../../testing/mount-app.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const tracks = makeTracks(4).map((track) => ({ ...track, is_published: true }))
const focusedName = () => document.activeElement?.getAttribute('aria-label')

async function openEditor(answers: Answers) {
  const playlist = {
    ...makePlaylist(1),
    is_visible: true,
    release_at: null,
    release_zone: null,
    early_access_days: 0,
    audience: 'members',
    version: 1,
    playlist_tracks: [{ id: tracks[0]!.id, order_index: 0, track: tracks[0] }],
  }
  const view = mountApp(
    `/admin/playlists/${playlist.id}`,
    { 'POST /api/admin-playlists': { playlist }, ...answers },
    admin,
  )
  await view.user.type(await screen.findByLabelText('Search tracks'), 'track{Enter}')
  return view
}

test('moves the focus to the next result after Add, to the next row after Remove, and to the search field after the last row', async () => {
  const { user } = await openEditor({
    'GET /api/tracks': { data: tracks.slice(0, 3), next_cursor: null, total: 3 },
  })
  const search = screen.getByLabelText('Search tracks')
  ;(await screen.findByRole('button', { name: 'Add Track 2' })).focus()
  await user.keyboard(' ')
  await waitFor(() => expect(focusedName()).toBe('Add Track 3'))
  await user.keyboard(' ')
  await waitFor(() => expect(document.activeElement).toBe(search))

  screen.getByRole('button', { name: 'Remove Track 2' }).focus()
  await user.keyboard(' ')
  await waitFor(() => expect(focusedName()).toBe('Remove Track 3'))
  await user.keyboard(' ')
  await waitFor(() => expect(focusedName()).toBe('Remove Track 1'))
  await user.keyboard(' ')
  await screen.findByText('No tracks in this playlist yet')
  await waitFor(() => expect(document.activeElement).toBe(search))
})

test('finds a track by its artist on a later page of results, behind tracks whose category matches', async () => {
  const ofCategory = makeTracks(200).map((track) => ({ ...track, title: 'Tide' }))
  const byArtist = { ...tracks[3], title: 'Zephyr', artist: 'Track Collective' }
  const pages = [ofCategory, tracks.slice(0, 3), [byArtist]]
  const { requests } = await openEditor({
    'GET /api/tracks': () => ({
      data: pages.shift(),
      next_cursor: pages.length > 0 ? 'more' : null,
      total: null,
    }),
  })
  await screen.findByRole('button', { name: 'Add Zephyr' })
  const found = screen.getByRole('list', { name: 'Search results' })
  const names = within(found)
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label'))
    .filter((name) => name?.startsWith('Add '))
  // The search leaves out Track 1, which is already in the playlist.
  expect(names).toEqual(['Add Track 2', 'Add Track 3', 'Add Zephyr'])
  expect(requests.filter(({ operation }) => operation === 'GET /api/tracks')).toHaveLength(3)
})
