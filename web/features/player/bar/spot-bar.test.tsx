// Spots and cards in the player bar: their content, and which controls work.
import 'fake-indexeddb/auto'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Spot } from '#contract/spots.ts'
import { freeMember, mountApp } from '../../../testing/mount-app.tsx'
import { makeSpot, offerOfPremium } from '../../../testing/spot-fixture.ts'
import { makeTrackDetail, makeTracks, openedTracks } from '../../../testing/track-fixture.ts'
import { playTracks, skipNext } from '../playback/player-actions.ts'
import { reportProgress } from '../playback/player-reports.ts'
import { initialPlayerState, usePlayer } from '../playback/player-store.ts'
import { initialPlayerView, usePlayerView } from '../playback/player-view.ts'

const playersOwn = 'audio:not(body > audio)'
const answers = {
  ...openedTracks(makeTrackDetail(1), makeTrackDetail(2), makeTrackDetail(3)),
  'POST /api/plays': { is_counted: false },
  'POST /api/radio': { title: 'Radio', data: [] },
}

beforeEach(() => {
  localStorage.clear()
  usePlayer.setState(initialPlayerState, true)
  usePlayerView.setState(initialPlayerView, true)
  Element.prototype.scrollTo = () => {}
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** Plays four seconds of a song, then skips to the next one. */
async function openBetweenSongs(spot: Spot) {
  const app = mountApp('/', { ...answers, 'GET /api/spots/next': { data: spot } }, freeMember)
  await waitFor(() => expect(document.querySelectorAll(playersOwn).length).toBe(2))
  act(() => playTracks(makeTracks(3), { source: 'Evening' }))
  act(() => reportProgress(4, 45))
  await waitFor(() => expect(usePlayer.getState().spotAhead?.spot.id).toBe(spot.id))
  act(() => skipNext())
  return { ...app, bar: within(await screen.findByRole('region', { name: 'Player' })) }
}

test('labels and announces a spot, which can be paused, and disables next', async () => {
  const { bar, user } = await openBetweenSongs(makeSpot())
  expect(await bar.findByText('Message from Velour')).toBeTruthy()
  expect(bar.getByText('New album on Friday')).toBeTruthy()
  expect(screen.getByText('Message from Velour: New album on Friday')).toBeTruthy()
  expect(bar.queryByRole('slider', { name: 'Seek' })).toBeNull()
  const next = bar.getByRole('button', { name: 'Next' })
  expect(next.getAttribute('aria-disabled')).toBe('true')
  await user.click(next)
  expect(usePlayer.getState().spot).not.toBeNull()
  await user.click(bar.getByRole('button', { name: 'Pause' }))
  expect(usePlayer.getState()).toMatchObject({ playing: false })
  const link = bar.getByRole('link', { name: 'Open example.com' })
  expect(link.getAttribute('rel')).toBe('noopener noreferrer')
  expect(document.querySelector('audio[data-active]')?.getAttribute('src')).toContain('/api/spots/')
})

test('shows when a spot can be skipped, and lets next skip it', async () => {
  const { bar, user } = await openBetweenSongs(makeSpot({ skip_after_seconds: 3 }))
  expect(await bar.findByText('You can skip in 3 s.')).toBeTruthy()
  act(() => reportProgress(3.2, 6))
  expect(bar.getByText('Press Next to skip.')).toBeTruthy()
  await user.click(bar.getByRole('button', { name: 'Next' }))
  expect(usePlayer.getState().spot).toBeNull()
  expect(bar.getByText('Track 2')).toBeTruthy()
})

test('shows a card that offers Premium while the next song plays', async () => {
  const { bar, user } = await openBetweenSongs(offerOfPremium)
  expect(await bar.findByText('Music without a break')).toBeTruthy()
  expect(bar.getByText('Track 2')).toBeTruthy()
  expect(usePlayer.getState()).toMatchObject({ playing: true, spot: null })
  await user.click(bar.getByRole('button', { name: 'Dismiss message' }))
  expect(bar.queryByText('Music without a break')).toBeNull()
})
