import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Profile } from '#contract/profiles.ts'
import { playTracks } from '../player/playback/player-actions.ts'
import { makeArtist, makeCategory } from '../../testing/catalogue-fixture.ts'
import { makePlaylist } from '../../testing/playlist-fixture.ts'
import { makeTrackDetail, openedTracks } from '../../testing/track-fixture.ts'
import { initialPlayerState, usePlayer } from '../player/playback/player-store.ts'
import { errorAnswer, freeMember, mountApp, type Answers } from '../../testing/mount-app.tsx'
import { setPaletteOpen } from './palette-open.ts'
import { rememberChoice } from './recent-choices.ts'

const night = makeTrackDetail(1, { title: 'Night Drive', artist: 'Neon' })
const nine = makeTrackDetail(2, { title: 'Nine Lives', artist: 'Neon' })
const playlist = makePlaylist(3, { title: 'Night Shift' })

function answers(): Answers {
  return {
    'GET /api/categories': { data: [makeCategory()] },
    'GET /api/tracks': { data: [night, nine], next_cursor: null, total: 2 },
    ...openedTracks(night, nine),
    [`GET /api/playlists/${playlist.id}`]: errorAnswer(404, 'playlist_not_found', 'Gone'),
    [`GET /api/playlists/${playlist.id}/tracks`]: { data: [], total: 0 },
  }
}

beforeEach(() => {
  localStorage.clear()
  usePlayer.setState(initialPlayerState)
  // jsdom plays no media. Playback is tested in a browser.
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
})

afterEach(() => {
  cleanup()
  setPaletteOpen(false)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function openPalette(given: Answers = answers(), role: Profile['role'] = 'member') {
  const app = mountApp('/nowhere', given, { ...freeMember, role })
  await screen.findByRole('button', { name: 'Find anything' })
  fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
  return { ...app, box: await screen.findByRole('combobox') }
}

const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
const marked = () => screen.getByRole('option', { selected: true })

test("opens and closes with the keys and opens with the header's button", async () => {
  const { user } = await openPalette()
  expect(document.activeElement).toBe(screen.getByRole('combobox'))
  fireEvent.keyDown(window, { key: 'k', metaKey: true })
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Find anything' }))
  expect(await screen.findByRole('combobox')).toBeDefined()
})

test('does not open for visitors', async () => {
  mountApp('/nowhere')
  await screen.findByRole('link', { name: 'Sign In' })
  fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
  expect(screen.queryByRole('button', { name: 'Find anything' })).toBeNull()
  expect(screen.queryByRole('combobox')).toBeNull()
})

test('offers screens and actions while no text is typed, and admin screens only to admins', async () => {
  await openPalette()
  expect(options()).toContain('My Playlists')
  expect(options().join()).not.toContain('Audit Log')
  cleanup()
  await openPalette(answers(), 'admin')
  expect(options()).toContain('Audit LogAdmin')
})

test('moves the active choice with arrows, Home and End, and wraps', async () => {
  const { user, box } = await openPalette()
  const all = options()
  expect(marked().textContent).toBe(all[0])
  await user.keyboard('{ArrowUp}')
  expect(marked().textContent).toBe(all.at(-1))
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect(marked().textContent).toBe(all[1])
  expect(box.getAttribute('aria-activedescendant')).toBe(marked().id)
  await user.keyboard('{End}')
  expect(marked().textContent).toBe(all.at(-1))
  await user.keyboard('{Home}')
  expect(marked().textContent).toBe(all[0])
})

test('plays a track with Enter and queues it with Shift+Enter', async () => {
  const { user } = await openPalette()
  await user.keyboard('ni')
  await screen.findByRole('option', { name: /Nine Lives/ })
  expect(within(screen.getByRole('group', { name: 'Tracks' })).getAllByRole('option').length).toBe(
    2,
  )
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
  const { queue, playing } = usePlayer.getState()
  expect(queue.entries.map(({ track }) => track.title)).toEqual(['Night Drive', 'Nine Lives'])
  expect([queue.index, playing]).toEqual([1, true])

  await user.click(screen.getByRole('button', { name: 'Find anything' }))
  await screen.findByRole('combobox')
  // The chosen track is listed as recent while the text is empty.
  expect(
    within(screen.getByRole('group', { name: 'Recent' })).getByText('Nine Lives'),
  ).toBeDefined()
  await user.keyboard('night')
  await screen.findByRole('option', { name: /Night Drive/ })
  await user.keyboard('{Shift>}{Enter}{/Shift}')
  await waitFor(() => expect(usePlayer.getState().queue.entries.length).toBe(3))
  expect(screen.getByRole('combobox')).toBeDefined()
  expect(await screen.findByText('Added to queue')).toBeDefined()
})

test('ignores a remembered track that loads after a newer play request', async () => {
  const drawn = { detail: nine.artist, cover_url: null, cover_tint: null }
  rememberChoice(freeMember.id, { kind: 'track', id: nine.id, title: nine.title, ...drawn })
  const { user } = await openPalette()
  const late = Promise.withResolvers<void>()
  const answerNow = fetch
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (url.endsWith(nine.id)) await late.promise
    return answerNow(url, init)
  })
  await user.click(screen.getByRole('option', { name: /Nine Lives/ }))
  act(() => playTracks([night]))
  late.resolve()
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
  const { queue } = usePlayer.getState()
  expect(queue.entries.map(({ track }) => track.title)).toEqual(['Night Drive'])
})

test('runs Enter only after the results for the latest text have loaded', async () => {
  const given = answers()
  const { user } = await openPalette(given)
  await user.keyboard('zzz{Enter}')
  await waitFor(() => expect(usePlayer.getState().queue.entries.length).toBe(2))
})

const findBox = () => screen.findByRole('combobox', { name: /^Find tracks/ })

test('opens playlists, categories and screens', async () => {
  // The user's own, curated and public playlists are fetched by three requests.
  const lists = [[playlist], [], []]
  const given = {
    ...answers(),
    'GET /api/playlists': () => ({ data: lists.shift() ?? [], next_cursor: null }),
  }
  const { user, router } = await openPalette(given)
  await user.keyboard('night')
  await user.click(await screen.findByRole('option', { name: /Night Shift/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe(`/my-playlists/${playlist.id}`))
  await user.click(await screen.findByRole('button', { name: 'Find anything' }))
  await user.type(await findBox(), 'foc{Enter}')
  await waitFor(() => expect(router.state.location.search).toBe('?category=focus'))
  await user.click(await screen.findByRole('button', { name: 'Find anything' }))
  await user.type(await findBox(), 'subs{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/subscribe'))
})

test('shows when nothing was found or the search failed, and searches again on Retry', async () => {
  const given = answers()
  given['GET /api/tracks'] = { data: [], next_cursor: null, total: 0 }
  const { user, box, answers: now } = await openPalette(given)
  await user.keyboard('qqq')
  expect(await screen.findByText('Nothing matches “qqq”.')).toBeDefined()
  expect(box.getAttribute('aria-expanded')).toBe('false')
  now['GET /api/tracks'] = errorAnswer(500, 'internal', 'Something went wrong on our side.')
  await user.keyboard('q')
  expect(await screen.findByText('Something went wrong on our side.')).toBeDefined()
  now['GET /api/tracks'] = { data: [night], next_cursor: null, total: 1 }
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('option', { name: /Night Drive/ })).toBeDefined()
})

test("lists artists first when the text is the start of an artist's name, and opens the artist's page", async () => {
  const neon = makeArtist({ name: 'Neon', slug: 'neon' })
  const { user, box, router } = await openPalette({
    ...answers(),
    'GET /api/artists': { data: [neon], next_cursor: null },
    'GET /api/artists/neon': errorAnswer(404, 'artist_not_found', 'Gone'),
  })
  await user.type(box, 'neo')
  await waitFor(() => expect(options()[0]).toContain('Neon'))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/artists/neon'))
})

test('shows in the results which songs are Premium-only and which were made with AI', async () => {
  const marks = { premium_only: true, ai_disclosure: 'ai_generated' as const, ai_tool: 'Suno' }
  const made = makeTrackDetail(5, { title: 'Night Bus', ...marks })
  const { user, box } = await openPalette({
    ...answers(),
    'GET /api/tracks': { data: [made], next_cursor: null, total: 1 },
  })
  await user.type(box, 'night')
  const option = await screen.findByRole('option', { name: /Night Bus/ })
  expect(option.textContent).toContain('Premium')
  expect(option.textContent).toContain('AI-generated with Suno')
})
