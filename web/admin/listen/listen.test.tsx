// Tests playing tracks in the back office, and previewing a track as members see and hear it.
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeAdminTrack, makeTrackDetail, openedTracks } from '../../testing/track-fixture.ts'
import {
  initialPlayerState,
  selectMode,
  selectTrack,
  usePlayer,
} from '../../features/player/playback/player-store.ts'
import { admin, mountApp, onePage, type Answers } from '../../testing/mount-app.tsx'

const draft = makeAdminTrack(1, { is_published: false })
const waiting = makeAdminTrack(2, {
  is_published: false,
  processing_status: 'pending',
  processing_progress: 0,
})
const last = makeAdminTrack(3)
const detail = makeTrackDetail(1, { lyrics: '[00:01.00]Slow light', is_published: false })
const answers: Answers = {
  'GET /api/admin-tracks': onePage([draft, waiting, last]),
  [`GET /api/admin-tracks/${draft.id}`]: draft,
  [`GET /api/admin-tracks/${draft.id}/versions`]: { data: [], proposals: [] },
  ...openedTracks(detail, makeTrackDetail(3)),
  'POST /api/radio': { title: 'Radio', data: [] },
}
const state = () => usePlayer.getState()
const queued = () => state().queue.entries.map(({ track }) => track.title)

beforeEach(() => {
  localStorage.clear()
  usePlayer.setState(initialPlayerState, true)
  Element.prototype.scrollTo = () => {}
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('plays a draft in full for an admin without Premium, and queues the tracks in the rows below', async () => {
  const { user } = mountApp('/admin/library', answers, admin)
  await user.click(await screen.findByRole('button', { name: 'Play Track 1 by Velour Ensemble' }))
  expect(state().playing).toBe(true)
  expect(selectTrack(state())?.title).toBe('Track 1')
  expect(selectMode(state())).toBe('full')
  expect(queued()).toEqual(['Track 1', 'Track 3'])
})

test('disables playback of an unprocessed track', async () => {
  mountApp('/admin/library', answers, admin)
  const play = await screen.findByRole('button', { name: 'Play Track 2 by Velour Ensemble' })
  expect((play as HTMLButtonElement).disabled).toBe(true)
})

test('keeps playing while other screens are open, and pauses with the button in the row of the track', async () => {
  const { user, router } = mountApp('/admin/library', answers, admin)
  await user.click(await screen.findByRole('button', { name: 'Play Track 3 by Velour Ensemble' }))
  await router.navigate('/admin/tracks')
  await screen.findByRole('heading', { name: 'Tracks (3 total)' })
  expect(state().playing).toBe(true)
  const row = within(await screen.findByRole('table'))
  await user.click(await row.findByRole('button', { name: 'Pause Track 3 by Velour Ensemble' }))
  expect(state().playing).toBe(false)
})

test('shows a draft as members see it, with the preview for Free and the full track for Premium', async () => {
  const { user } = mountApp('/admin/library', answers, admin)
  await user.click(await screen.findByRole('button', { name: 'Actions for Track 1' }))
  await user.click(screen.getByRole('menuitem', { name: 'View as member' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'View as member' }))
  expect(await dialog.findByText('Draft: members see this after you publish it.')).toBeDefined()
  expect(dialog.getByText('Preview Mode (45s)')).toBeDefined()
  expect(dialog.getByText('Slow light')).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Play as a Free member' }))
  expect(selectTrack(state())).toMatchObject({ audio_url: detail.preview_url, duration: 45 })
  await user.click(dialog.getByRole('tab', { name: 'Premium' }))
  expect(dialog.queryByText('Preview Mode (45s)')).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Play as a Premium member' }))
  await waitFor(() => expect(selectTrack(state())?.audio_url).toBe(detail.audio_url))
})

test('marks a damaged file in the row of its track, and processes the track again from the menu', async () => {
  const damaged = { ...draft, file_problem: 'missing' as const }
  const { user, requests } = mountApp(
    '/admin/library',
    {
      ...answers,
      'GET /api/admin-tracks': onePage([damaged]),
      [`POST /api/admin-tracks/${draft.id}/process`]: damaged,
    },
    admin,
  )
  await screen.findByText('File missing')
  await user.click(screen.getByRole('button', { name: 'Actions for Track 1' }))
  await user.click(screen.getByRole('menuitem', { name: 'Process Again' }))
  await waitFor(() =>
    expect(requests.map(({ operation }) => operation)).toContain(
      `POST /api/admin-tracks/${draft.id}/process`,
    ),
  )
})

test('plays a track from its form, and previews it as members see it', async () => {
  const { user } = mountApp(`/admin/library?edit=${draft.id}`, answers, admin)
  const form = within(await screen.findByRole('dialog', { name: 'Edit Track' }))
  await user.click(await form.findByRole('button', { name: 'Play Track 1 by Velour Ensemble' }))
  expect(state().playing).toBe(true)
  await user.click(form.getByRole('button', { name: 'View as member' }))
  expect(await screen.findByRole('dialog', { name: 'View as member' })).toBeDefined()
})
