// Radio on the Browse page: similar tracks, stations, mixes. Only the network is fake.
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { usePlayer, initialPlayerState } from '../player/playback/player-store.ts'
import { freeMember, mountApp, premiumMember, type Answers } from '../../testing/mount-app.tsx'
import { makeTrack, makeTrackDetail, openedTracks } from '../../testing/track-fixture.ts'

const opened = makeTrackDetail(1)
const similar = { track: makeTrack(2), reason: 'same mood: dark ambient, 84 BPM' }
const state = () => usePlayer.getState()
const queued = () => state().queue.entries.map(({ track }) => track.title)

function open(path: string, changes: Answers = {}, member = premiumMember) {
  const answers = {
    'GET /api/tracks': { data: [makeTrack(1), makeTrack(2)], next_cursor: null, total: 2 },
    ...openedTracks(opened, makeTrackDetail(2), makeTrackDetail(3), makeTrackDetail(8)),
    [`GET /api/tracks/${opened.id}/similar`]: { data: [similar] },
    'POST /api/radio': {
      title: 'Radio: similar to Track 1',
      data: [makeTrack(3), makeTrack(4), makeTrack(5), makeTrack(6)],
    },
    ...changes,
  }
  return mountApp(path, answers, member)
}

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

test('shows similar tracks of an opened track, with the reason', async () => {
  const { user } = open(`/browse?track=${opened.id}`)
  const section = within(await screen.findByRole('region', { name: 'More like this' }))
  expect(section.getByText(similar.reason)).toBeTruthy()
  await user.click(section.getByRole('button', { name: /^Play\s*Track 2/ }))
  expect(queued()).toEqual(['Track 2'])
  expect(state().source).toBe('More like this')
})

test('renders no section if there are no similar tracks', async () => {
  const path = `/browse?track=${opened.id}`
  open(path, { [`GET /api/tracks/${opened.id}/similar`]: { data: [] } })
  await screen.findByRole('region', { name: 'Shared track' })
  expect(screen.queryByRole('region', { name: 'More like this' })).toBeNull()
})

test("starts a radio station from a track's menu, beginning with that track", async () => {
  const { user, requests } = open(`/browse?track=${opened.id}`)
  const section = within(await screen.findByRole('region', { name: 'More like this' }))
  await user.click(section.getByRole('button', { name: 'More for Track 2' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Start radio' }))
  await expect.poll(queued).toEqual(['Track 2', 'Track 3', 'Track 4', 'Track 5', 'Track 6'])
  const asked = requests.find(({ operation }) => operation === 'POST /api/radio')
  expect(asked?.body).toEqual({
    seed: { kind: 'track', id: similar.track.id },
    exclude: [similar.track.id],
  })
  expect(state()).toMatchObject({ source: 'Radio: similar to Track 1', playing: true })
})

test('offers a radio station for liked tracks, but not for other lists', async () => {
  const { user, requests, router } = open('/browse?view=liked')
  const start = await screen.findByRole('button', { name: 'Start radio' })
  await expect.poll(() => start.hasAttribute('disabled')).toBe(false)
  await user.click(start)
  await expect.poll(queued).toHaveLength(4)
  const asked = requests.find(({ operation }) => operation === 'POST /api/radio')
  expect(asked?.body).toMatchObject({ seed: { kind: 'likes' } })
  await router.navigate('/browse')
  await expect.poll(() => screen.queryByRole('button', { name: 'Start radio' })).toBeNull()
})

test('plays a path from the current track to another track', async () => {
  const { user } = open(`/browse?track=${opened.id}`, {
    [`GET /api/tracks/${opened.id}/path`]: { data: [makeTrack(1), makeTrack(7), makeTrack(2)] },
  })
  const shared = within(await screen.findByRole('region', { name: 'Shared track' }))
  await user.click(await shared.findByRole('button', { name: 'Play' }))
  const section = within(await screen.findByRole('region', { name: 'More like this' }))
  await user.click(section.getByRole('button', { name: 'More for Track 2' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Play a path to this track' }))
  await expect.poll(queued).toEqual(['Track 1', 'Track 7', 'Track 2'])
})

test('plays a complete daily mix for Premium members', async () => {
  const mix = {
    position: 1,
    title: 'Dark ambient mix',
    description: 'Ada',
    track_count: 2,
    mosaic: [],
  }
  const { user } = open('/browse', {
    'GET /api/mixes': { data: [mix] },
    'GET /api/mixes/1': { title: mix.title, data: [makeTrack(8), makeTrack(9)] },
  })
  await user.click(await screen.findByRole('button', { name: /^Play\s*Dark ambient mix/ }))
  await expect.poll(queued).toEqual(['Track 8', 'Track 9'])
  expect(state().source).toBe('Dark ambient mix')
})

test('describes the mixes to members without Premium, and does not request them', async () => {
  const { requests } = open('/browse', {}, freeMember)
  expect(await screen.findByRole('link', { name: 'See plans' })).toBeTruthy()
  expect(requests.some(({ operation }) => operation === 'GET /api/mixes')).toBe(false)
})
